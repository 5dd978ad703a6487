"""An S3 store: listing, reading, and uploads that appear only when they are completed."""

from __future__ import annotations

import functools
import io
import re
import ssl
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from xml.etree import ElementTree

import minio
import urllib3
from minio.error import InvalidResponseError, MinioException, S3Error

from pipelines.errors import PipelineError, Unavailable

PART = 8 * 1024 * 1024
CONNECT_SECONDS, READ_SECONDS = 5, 60
RETRIES = 2
# What stores take as the name of a bucket; Amazon's own takes fewer.
BUCKET = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]*")
CHUNK = 1024 * 1024
# The request fails where there is an object of that name.
NEW_ONLY = {"If-None-Match": "*"}
# As many uploads as S3 lists at once.
PAGE = 1000
# Where the next page of them starts: what to ask with, and what the store calls it.
MARKERS = {"key-marker": "NextKeyMarker", "upload-id-marker": "NextUploadIdMarker"}
REFUSED = ("AccessDenied", "InvalidAccessKeyId", "SignatureDoesNotMatch")
EXISTS = ("PreconditionFailed", "ConditionalRequestConflict")
TOO_BUSY = (429, 500, 502, 503, 504)
BUSY = ("InternalError", "ServiceUnavailable", "SlowDown", "RequestTimeout", "OperationAborted")


class AlreadyThere(PipelineError):
    """There is an object of that name, and it was not to be replaced."""


@dataclass(frozen=True)
class Place:
    """A bucket and a prefix in it, which ends with / or is empty."""

    bucket: str
    prefix: str

    @classmethod
    def parse(cls, path: str) -> Place:
        rest = path.removeprefix("s3://").removeprefix("s3a://")
        bucket, _, prefix = rest.strip("/").partition("/")
        if not BUCKET.fullmatch(bucket) or "://" in rest:
            raise PipelineError(f"A place on S3 is s3://bucket/prefix, not '{path}'.")
        if not prefix.isprintable() or {".", ".."} & set(prefix.split("/")):
            raise PipelineError(
                f"A prefix on S3 has neither control characters nor the folders . and ..: {path!r}."
            )
        return cls(bucket, f"{prefix}/" if prefix else "")

    def __str__(self) -> str:
        return f"s3://{self.bucket}/{self.prefix}"


@dataclass(frozen=True)
class Pending:
    """An object that is stored but does not exist yet: a multipart upload without its end."""

    bucket: str
    key: str
    upload: str
    tags: tuple[str, ...]
    numbers: tuple[int, ...] = ()  # of the parts, if they are not 1, 2, 3 …


@dataclass(frozen=True)
class Store:
    """Where an S3 store is and who asks; `endpoint` is http://host:port."""

    endpoint: str
    access_key: str
    secret_key: str = field(repr=False)
    region: str = "us-east-1"
    certificate: str = ""

    def client(
        self,
        *,
        connect: float = CONNECT_SECONDS,
        read: float = READ_SECONDS,
        retries: int = RETRIES,
    ) -> minio.Minio:
        """A client of the store that gives up after these times and retries."""
        return _client(self, connect, read, retries)

    @contextmanager
    def errors(self, doing: str) -> Iterator[None]:
        """What S3 says as one line: refused, missing, or not there at all."""
        try:
            yield
        except S3Error as error:
            words = f"{error.code}: {error.message}"
            if error.code in REFUSED:
                words = f"the credentials of '{self.access_key}' were refused ({error.code})"
            kinds = {**dict.fromkeys(BUSY, Unavailable), **dict.fromkeys(EXISTS, AlreadyThere)}
            kind = kinds.get(error.code or "", PipelineError)
            raise kind(f"{doing} at {self.endpoint} failed: {words}.") from None
        except InvalidResponseError as error:
            if error._code in TOO_BUSY:  # a proxy in front of the store
                words = f"the store does not answer (HTTP {error._code})"
                raise Unavailable(f"{doing} at {self.endpoint} failed: {words}.") from None
            words = f"what answers there is no S3 store (HTTP {error._code})"
            raise PipelineError(f"{doing} at {self.endpoint} failed: {words}.") from None
        except (MinioException, urllib3.exceptions.HTTPError, OSError) as error:
            reason = getattr(error, "reason", None) or error
            words = f"the store does not answer ({type(reason).__name__})"
            if isinstance(reason, urllib3.exceptions.SSLError):
                words = f"{words[:-1]}: {_why_no_tls(reason)})"
            raise Unavailable(f"{doing} at {self.endpoint} failed: {words}.") from None
        except ValueError as error:  # a name that cannot be, or an answer that is none of S3
            raise PipelineError(f"{doing} at {self.endpoint} failed: {error}.") from None

    def objects(self, place: Place) -> list[tuple[str, int]]:
        """Key and size of everything below a place, sorted by key."""
        with self.errors(f"Listing {place}"):
            objects = self.client().list_objects(place.bucket, place.prefix, recursive=True)
            return sorted((str(item.object_name), int(item.size or 0)) for item in objects)

    def get(self, bucket: str, key: str) -> bytes | None:
        """A small object's bytes; None if there is none."""
        found = self.get_with_headers(bucket, key)
        return found[0] if found else None

    def get_with_headers(self, bucket: str, key: str) -> tuple[bytes, dict[str, str]] | None:
        """The same with the headers of the answer, in lower case."""
        with self.errors(f"Reading s3://{bucket}/{key}"):
            try:
                with self.client().get_object(bucket, key) as response:
                    headers = {name.lower(): value for name, value in response.headers.items()}
                    return bytes(response.read()), headers
            except S3Error as error:
                if error.code == "NoSuchKey":
                    return None
                raise

    def put(self, bucket: str, key: str, data: bytes) -> None:
        with self.errors(f"Writing s3://{bucket}/{key}"):
            self.client().put_object(bucket, key, io.BytesIO(data), len(data))

    def put_new(self, bucket: str, key: str, data: bytes) -> bool:
        """Store an object unless there is one of that name; whether it was stored."""
        try:
            with self.errors(f"Writing s3://{bucket}/{key}"):
                self.client()._execute("PUT", bucket, key, body=data, headers=dict(NEW_ONLY))
        except AlreadyThere:
            return False
        return True

    def remove(self, bucket: str, keys: list[str]) -> None:
        with self.errors(f"Removing objects of {bucket}"):
            client = self.client()
            for key in keys:
                client.remove_object(bucket, key)

    def complete(self, pending: Pending, *, replace: bool = False) -> None:
        """Let the object appear, unless there is one of that name, which `replace` replaces."""
        root = ElementTree.Element("CompleteMultipartUpload")
        numbers = pending.numbers or range(1, len(pending.tags) + 1)
        for number, tag in zip(numbers, pending.tags, strict=True):
            part = ElementTree.SubElement(root, "Part")
            ElementTree.SubElement(part, "PartNumber").text = str(number)
            ElementTree.SubElement(part, "ETag").text = f'"{tag}"'
        where = f"s3://{pending.bucket}/{pending.key}"
        with self.errors(f"Completing {where}"):
            answer = self.client()._execute(
                "POST",
                pending.bucket,
                pending.key,
                body=ElementTree.tostring(root),
                headers={"Content-Type": "application/xml", **({} if replace else NEW_ONLY)},
                query_params={"uploadId": pending.upload},
            )
        if b"<Error>" in answer.data:  # S3 may say 200 before it knows
            raise PipelineError(f"Completing {where} failed: {answer.data[:300]!r}")

    def begin(self, bucket: str, key: str, metadata: Mapping[str, str] | None = None) -> Pending:
        """An upload without parts so far; the object will have these `x-amz-meta-` headers."""
        headers: dict[str, str | list[str] | tuple[str]] = {
            f"x-amz-meta-{name}": value for name, value in (metadata or {}).items()
        }
        with self.errors(f"Writing s3://{bucket}/{key}"):
            upload = self.client()._create_multipart_upload(bucket, key, headers)
        return Pending(bucket, key, upload, ())

    def upload_part(self, pending: Pending, number: int, data: bytes) -> str:
        """Store one part of an upload; its tag."""
        bucket, key = pending.bucket, pending.key
        with self.errors(f"Writing s3://{bucket}/{key}"):
            client = self.client()
            return str(client._upload_part(bucket, key, data, None, pending.upload, number))

    def metadata(self, bucket: str, key: str) -> tuple[int, dict[str, str]] | None:
        """An object's size and headers, in lower case; None if there is none."""
        with self.errors(f"Looking at s3://{bucket}/{key}"):
            try:
                status = self.client().stat_object(bucket, key)
            except S3Error as error:
                if error.code in ("NoSuchKey", "NoSuchObject"):
                    return None
                raise
        headers = {name.lower(): value for name, value in (status.metadata or {}).items()}
        return int(status.size or 0), headers

    def abandon(self, pending: Pending) -> None:
        """Let the store forget an upload, if somebody else has not done so."""
        with self.errors(f"Abandoning s3://{pending.bucket}/{pending.key}"):
            try:
                self.client()._abort_multipart_upload(pending.bucket, pending.key, pending.upload)
            except S3Error as error:
                if error.code != "NoSuchUpload":
                    raise

    def uploads(self, place: Place) -> list[Pending]:
        """The uploads below a place that nobody completed."""
        uploads: list[Pending] = []
        asked: dict[str, str | list[str] | tuple[str]] = {"uploads": "", "prefix": place.prefix}
        following: dict[str, str] = {"max-uploads": str(PAGE)}
        while following:
            asked |= following
            with self.errors(f"Listing uploads of {place}"):
                answer = self.client()._execute("GET", place.bucket, query_params=asked)
            page = ElementTree.fromstring(answer.data)
            for item in page.iterfind("{*}Upload"):
                key, upload = item.findtext("{*}Key") or "", item.findtext("{*}UploadId") or ""
                if key.startswith(place.prefix):
                    uploads.append(Pending(place.bucket, key, upload, ()))
            truncated = page.findtext("{*}IsTruncated") == "true"
            following = {name: page.findtext(f"{{*}}{tag}") or "" for name, tag in MARKERS.items()}
            following = {name: text for name, text in following.items() if text and truncated}
        return uploads


def _why_no_tls(error: Exception) -> str:
    """Why there is no encrypted connection, and what to do about it."""
    text = str(error.args[0] if error.args else error)
    if "CERTIFICATE_VERIFY_FAILED" in text:
        return "its certificate is of no known authority; AWS_CA_BUNDLE names a file of authorities"
    return "it does not speak TLS" if "WRONG_VERSION_NUMBER" in text else text


@functools.lru_cache(maxsize=8)
def _client(store: Store, connect: float, read: float, retries: int) -> minio.Minio:
    """Threads share it, and with it the connections that are open: a new one for each of the dozen requests
    of an export would take longer than most of them, and with TLS much longer."""
    scheme, _, address = store.endpoint.partition("://")
    if scheme not in ("http", "https") or not re.fullmatch(r"[^\s/]\S*", address):
        raise PipelineError(f"An S3 store is http://host:port, not '{store.endpoint}'.")
    if store.certificate:
        try:
            ssl.create_default_context(cafile=store.certificate)
        except OSError as error:
            raise PipelineError(
                f"The authorities that the store is to be known by cannot be read from "
                f"{store.certificate}: {error.strerror or error}."
            ) from None
    http = urllib3.PoolManager(
        timeout=urllib3.Timeout(connect=connect, read=read),
        retries=urllib3.Retry(total=retries, backoff_factor=0.2, status_forcelist=[500, 502, 503]),
        ca_certs=store.certificate or None,
        maxsize=8,
    )
    try:
        return minio.Minio(
            address.strip("/"),
            access_key=store.access_key,
            secret_key=store.secret_key,
            secure=scheme == "https",
            region=store.region,
            http_client=http,
        )
    except ValueError as error:
        raise PipelineError(
            f"An S3 store is http://host:port, not '{store.endpoint}': {error}."
        ) from None
