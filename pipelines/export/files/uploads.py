"""One file of a part on its way into the store: begun by the driver, filled by tasks, ended and completed."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace

from pipelines.errors import PipelineError
from pipelines.export.commit import EXTENSION, Bytes, DataFile
from pipelines.export.transfer.parquet_join import TRAILER, join
from pipelines.export.transfer.retries import retried
from pipelines.export.transfer.upload import MOST_PARTS, Piece
from pipelines.s3.store import Pending, Store


@dataclass(frozen=True)
class RowRange:
    """Rows of a part by their offsets, and the key of the file that they go into."""

    key: str
    first: int
    rows: int


@dataclass
class FileUpload:
    """A file that is being written: `pending` has the uploaded pieces once it has been ended."""

    store: Store
    range: RowRange
    pending: Pending

    @classmethod
    def begin(
        cls, store: Store, bucket: str, rows: RowRange, metadata: Mapping[str, str]
    ) -> FileUpload:
        return cls(store, rows, retried(lambda: store.begin(bucket, rows.key, metadata)))

    def end(self, pieces: Sequence[Piece]) -> DataFile:
        """Upload the end of the file: what was too small for a part, and the footer of all."""
        upload = self.pending
        ordered = [piece for piece in pieces if piece.numbers]
        ordered += [piece for piece in pieces if not piece.numbers]
        numbers = [number for piece in ordered for number in piece.numbers]
        tags = [tag for piece in ordered for tag in piece.tags]
        end = ordered[-1].end  # uploaded by the task if there was only one
        if not end:
            end = join([(piece.footer, piece.size) for piece in ordered])
            last = b"".join(piece.inline for piece in ordered) + end
            numbers.append(MOST_PARTS)
            tags.append(retried(lambda: self.store.upload_part(upload, MOST_PARTS, last)))
        self.pending = replace(upload, numbers=tuple(numbers), tags=tuple(tags))
        layout = [Bytes(piece.size, piece.sha256) for piece in ordered if piece.size]
        layout.append(Bytes(len(end), hashlib.sha256(end).hexdigest()))
        rows, size = sum(piece.rows for piece in pieces), sum(piece.size for piece in layout)
        return DataFile(self.range.key, rows, size, layout)

    def abandon(self) -> None:
        with suppress(PipelineError):
            self.store.abandon(self.pending)


def size_with_footer(pieces: Sequence[Piece]) -> int:
    """At most how many bytes the file of these pieces has."""
    return sum(piece.size + len(piece.footer) + TRAILER for piece in pieces)


def row_ranges(key: str, rows: int, most: int) -> list[RowRange]:
    """The files of a part of so many rows, each of at most so many; one file keeps the name as it is."""
    if not most or rows <= most:
        return [RowRange(key, 0, rows)]
    base = key.removesuffix(EXTENSION)
    return [
        RowRange(f"{base}.{number}{EXTENSION}", first, min(most, rows - first))
        for number, first in enumerate(range(0, rows, most), 1)
    ]
