"""A file in an S3 store to write to, which appears only when its upload is completed."""

from __future__ import annotations

import io
from contextlib import AbstractContextManager

from pipelines.s3 import PART, Pending, Store


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
