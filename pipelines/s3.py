"""An S3 store for data sources: listing, reading, and uploads that appear only when completed."""

from __future__ import annotations

import io
from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass, field
from typing import BinaryIO
from xml.etree import ElementTree

import minio
import urllib3
from minio.error import MinioException, S3Error

from pipelines.errors import PipelineError

PART = 8 * 1024 * 1024
CONNECT_SECONDS, READ_SECONDS = 5, 60
RETRIES = 2
CHUNK = 1024 * 1024
# As many uploads as S3 lists at once.
PAGE = 1000
# Where the next page of them starts: what to ask with, and what the store calls it.
MARKERS = {"key-marker": "NextKeyMarker", "upload-id-marker": "NextUploadIdMarker"}
REFUSED = ("AccessDenied", "InvalidAccessKeyId", "SignatureDoesNotMatch")


@dataclass(frozen=True)
class Place:
    """A bucket and a prefix in it, which ends with / or is empty."""

    bucket: str
    prefix: str

    @classmethod
    def parse(cls, path: str) -> Place:
        rest = path.removeprefix("s3://").removeprefix("s3a://")
        bucket, _, prefix = rest.strip("/").partition("/")
        if not bucket or "://" in rest:
            raise PipelineError(f"A place on S3 is s3://bucket/prefix, not '{path}'.")
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


@dataclass(frozen=True)
class Store:
    """Where an S3 store is and who asks; `endpoint` is http://host:port."""

    endpoint: str
    access_key: str
    secret_key: str = field(repr=False)
    region: str = "us-east-1"
    certificate: str = ""

    def options(self) -> dict[str, str]:
        """The options by which the data source 'hive_parquet' finds this store."""
        return {
            "endpoint": self.endpoint,
            "access_key": self.access_key,
            "secret_key": self.secret_key,
            "region": self.region,
            "certificate": self.certificate,
        }

    def client(self) -> minio.Minio:
        scheme, _, address = self.endpoint.partition("://")
        if scheme not in ("http", "https") or not address.strip("/"):
            raise PipelineError(f"An S3 store is http://host:port, not '{self.endpoint}'.")
        http = urllib3.PoolManager(
            timeout=urllib3.Timeout(connect=CONNECT_SECONDS, read=READ_SECONDS),
            retries=urllib3.Retry(
                total=RETRIES, backoff_factor=0.2, status_forcelist=[500, 502, 503]
            ),
            ca_certs=self.certificate or None,
            maxsize=8,
        )
        try:
            return minio.Minio(
                address.strip("/"),
                access_key=self.access_key,
                secret_key=self.secret_key,
                secure=scheme == "https",
                region=self.region,
                http_client=http,
            )
        except ValueError as error:
            raise PipelineError(
                f"An S3 store is http://host:port, not '{self.endpoint}': {error}."
            ) from None

    @contextmanager
    def errors(self, doing: str) -> Iterator[None]:
        """What S3 says as one line: refused, missing, or not there at all."""
        try:
            yield
        except S3Error as error:
            words = f"{error.code}: {error.message}"
            if error.code in REFUSED:
                words = f"the credentials of '{self.access_key}' were refused ({error.code})"
            raise PipelineError(f"{doing} at {self.endpoint} failed: {words}.") from None
        except (MinioException, urllib3.exceptions.HTTPError, OSError) as error:
            reason = getattr(error, "reason", None) or error
            words = f"the store does not answer ({type(reason).__name__})"
            raise PipelineError(f"{doing} at {self.endpoint} failed: {words}.") from None
        except ValueError as error:  # a name that cannot be, or an answer that is none of S3
            raise PipelineError(f"{doing} at {self.endpoint} failed: {error}.") from None

    def objects(self, place: Place) -> list[tuple[str, int]]:
        """Key and size of everything below a place, sorted by key."""
        with self.errors(f"Listing {place}"):
            found = self.client().list_objects(place.bucket, place.prefix, recursive=True)
            return sorted((str(one.object_name), int(one.size or 0)) for one in found)

    def copy_to(self, bucket: str, key: str, target: BinaryIO) -> None:
        """Write an object's bytes to a file."""
        with self.errors(f"Reading s3://{bucket}/{key}"):
            response = self.client().get_object(bucket, key)
            try:
                for chunk in response.stream(CHUNK):
                    target.write(chunk)
            finally:
                response.close()

    def get(self, bucket: str, key: str) -> bytes | None:
        """A small object's bytes; None if there is none."""
        with self.errors(f"Reading s3://{bucket}/{key}"):
            try:
                with self.client().get_object(bucket, key) as response:
                    return bytes(response.read())
            except S3Error as error:
                if error.code == "NoSuchKey":
                    return None
                raise

    def put(self, bucket: str, key: str, data: bytes) -> None:
        with self.errors(f"Writing s3://{bucket}/{key}"):
            self.client().put_object(bucket, key, io.BytesIO(data), len(data))

    def remove(self, bucket: str, keys: list[str]) -> None:
        with self.errors(f"Removing objects of {bucket}"):
            client = self.client()
            for key in keys:
                client.remove_object(bucket, key)

    def complete(self, pending: Pending) -> None:
        """Let the object appear, unless there is one of that name."""
        root = ElementTree.Element("CompleteMultipartUpload")
        for number, tag in enumerate(pending.tags, 1):
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
                headers={"Content-Type": "application/xml", "If-None-Match": "*"},
                query_params={"uploadId": pending.upload},
            )
        if b"<Error>" in answer.data:  # S3 may say 200 before it knows
            raise PipelineError(f"Completing {where} failed: {answer.data[:300]!r}")

    def abandon(self, pending: Pending) -> None:
        """Let the store forget an upload."""
        with self.errors(f"Abandoning s3://{pending.bucket}/{pending.key}"):
            self.client()._abort_multipart_upload(pending.bucket, pending.key, pending.upload)

    def uploads(self, place: Place) -> list[Pending]:
        """The uploads below a place that nobody completed."""
        found: list[Pending] = []
        asked: dict[str, str | list[str] | tuple[str]] = {"uploads": "", "prefix": place.prefix}
        following: dict[str, str] = {"max-uploads": str(PAGE)}
        while following:
            asked |= following
            with self.errors(f"Listing uploads of {place}"):
                answer = self.client()._execute("GET", place.bucket, query_params=asked)
            page = ElementTree.fromstring(answer.data)
            for one in page.iterfind("{*}Upload"):
                key, upload = one.findtext("{*}Key") or "", one.findtext("{*}UploadId") or ""
                if key.startswith(place.prefix):
                    found.append(Pending(place.bucket, key, upload, ()))
            truncated = page.findtext("{*}IsTruncated") == "true"
            following = {name: page.findtext(f"{{*}}{tag}") or "" for name, tag in MARKERS.items()}
            following = {name: text for name, text in following.items() if text and truncated}
        return found


class Upload(io.RawIOBase):
    """A file to write to: parts go to the store as they fill, and `finish` leaves it pending."""

    def __init__(self, store: Store, bucket: str, key: str) -> None:
        super().__init__()
        self._store, self._client = store, store.client()
        self._bucket, self._key = bucket, key
        self._buffer = bytearray()
        self._tags: list[str] = []
        with self._errors():
            self._upload = self._client._create_multipart_upload(bucket, key, {})

    def writable(self) -> bool:
        return True

    def write(self, data: object) -> int:
        view = memoryview(data)  # type: ignore[arg-type]
        self._buffer += view
        while len(self._buffer) >= PART:
            self._send(PART)
        return view.nbytes

    def finish(self) -> Pending:
        """Send what is left; the object exists once somebody completes what this returns."""
        if self._buffer or not self._tags:
            self._send(len(self._buffer))
        return self.pending

    @property
    def pending(self) -> Pending:
        return Pending(self._bucket, self._key, self._upload, tuple(self._tags))

    def _send(self, size: int) -> None:
        data = bytes(self._buffer[:size])
        del self._buffer[:size]
        with self._errors():
            tag = self._client._upload_part(
                self._bucket, self._key, data, None, self._upload, len(self._tags) + 1
            )
        self._tags.append(tag)

    def _errors(self) -> AbstractContextManager[None]:
        return self._store.errors(f"Writing s3://{self._bucket}/{self._key}")
