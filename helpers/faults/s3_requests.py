"""Requests to an S3 store: which operation they are, and which key they are about."""

from __future__ import annotations

import urllib.parse
from dataclasses import dataclass
from enum import StrEnum


class RequestKind(StrEnum):
    """What a request asks of the store."""

    GET = "GetObject"
    HEAD = "HeadObject"
    LIST = "ListObjects"
    PUT = "PutObject"
    COPY = "CopyObject"
    CREATE_UPLOAD = "CreateMultipartUpload"
    UPLOAD_PART = "UploadPart"
    COMPLETE_UPLOAD = "CompleteMultipartUpload"
    ABORT_UPLOAD = "AbortMultipartUpload"
    DELETE = "DeleteObject"
    DELETE_MANY = "DeleteObjects"
    OTHER = "Other"


@dataclass(frozen=True)
class Request:
    """One request as the proxy saw it, and the status of its reply (0: cut off)."""

    kind: RequestKind
    method: str
    key: str
    size: int
    status: int


def classify(method: str, path: str, copies: bool = False) -> tuple[RequestKind, str]:
    """What a request asks for, and the key it is about: bucket/key."""
    parsed = urllib.parse.urlsplit(path)
    query = urllib.parse.parse_qs(parsed.query, keep_blank_values=True)
    key = urllib.parse.unquote(parsed.path).lstrip("/")
    about_object = "/" in key.rstrip("/")
    upload = "uploadId" in query
    match method:
        case "PUT" if upload:
            kind = RequestKind.UPLOAD_PART
        case "PUT" if about_object:
            kind = RequestKind.COPY if copies else RequestKind.PUT
        case "POST" if upload:
            kind = RequestKind.COMPLETE_UPLOAD
        case "POST" if "uploads" in query:
            kind = RequestKind.CREATE_UPLOAD
        case "POST" if "delete" in query:
            kind = RequestKind.DELETE_MANY
        case "DELETE" if about_object:
            kind = RequestKind.ABORT_UPLOAD if upload else RequestKind.DELETE
        case "HEAD" if about_object:
            kind = RequestKind.HEAD
        case "GET" if about_object:
            kind = RequestKind.GET
        case "GET" if "list-type" in query or "prefix" in query or not parsed.query:
            kind = RequestKind.LIST
        case _:
            kind = RequestKind.OTHER
    return kind, key
