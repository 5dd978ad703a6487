"""Requests to an S3 store: which operation they are, and which key they are about."""

from __future__ import annotations

import urllib.parse
from dataclasses import dataclass
from enum import StrEnum


class Kind(StrEnum):
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

    kind: Kind
    method: str
    key: str
    size: int
    status: int


def classify(method: str, path: str, copies: bool = False) -> tuple[Kind, str]:
    """What a request asks for, and the key it is about: bucket/key."""
    parsed = urllib.parse.urlsplit(path)
    query = urllib.parse.parse_qs(parsed.query, keep_blank_values=True)
    key = urllib.parse.unquote(parsed.path).lstrip("/")
    about_object = "/" in key.rstrip("/")
    upload = "uploadId" in query
    match method:
        case "PUT" if upload:
            kind = Kind.UPLOAD_PART
        case "PUT" if about_object:
            kind = Kind.COPY if copies else Kind.PUT
        case "POST" if upload:
            kind = Kind.COMPLETE_UPLOAD
        case "POST" if "uploads" in query:
            kind = Kind.CREATE_UPLOAD
        case "POST" if "delete" in query:
            kind = Kind.DELETE_MANY
        case "DELETE" if about_object:
            kind = Kind.ABORT_UPLOAD if upload else Kind.DELETE
        case "HEAD" if about_object:
            kind = Kind.HEAD
        case "GET" if about_object:
            kind = Kind.GET
        case "GET" if "list-type" in query or "prefix" in query or not parsed.query:
            kind = Kind.LIST
        case _:
            kind = Kind.OTHER
    return kind, key
