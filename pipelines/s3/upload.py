"""A file in an S3 store to write to, which appears only when its upload is completed."""

from __future__ import annotations

import io
from dataclasses import replace

from pipelines.s3.store import PART, Pending, Store


class Upload(io.RawIOBase):
    """A file to write to: parts go to the store as they fill, and `finish` leaves it pending."""

    def __init__(self, store: Store, bucket: str, key: str) -> None:
        super().__init__()
        self._store = store
        self._buffer = bytearray()
        self.pending = store.begin(bucket, key)

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
        if self._buffer or not self.pending.tags:
            self._send(len(self._buffer))
        return self.pending

    def _send(self, size: int) -> None:
        data, tags = bytes(self._buffer[:size]), self.pending.tags
        del self._buffer[:size]
        tag = self._store.upload_part(self.pending, len(tags) + 1, data)
        self.pending = replace(self.pending, tags=(*tags, tag))
