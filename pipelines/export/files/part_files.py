"""All files of one part while they are written: one, or several where they may not be larger."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from pipelines.export.commit import DataFile
from pipelines.export.errors import ExportRefused
from pipelines.export.files.segments import files_of, split
from pipelines.export.files.uploads import FileUpload, size_with_footer
from pipelines.export.options import Options
from pipelines.export.plan import Plan, PlannedPart
from pipelines.export.transfer.upload import Piece, Segment
from pipelines.s3.store import Pending

# Of the allowed size, so that the next attempt does not miss it by a little.
ROOM = 0.9


class PartFiles:
    """The uploads of a part's files; each has its own tasks."""

    def __init__(
        self, plan: Plan, planned: PlannedPart, options: Options, metadata: Mapping[str, str]
    ) -> None:
        self._plan, self._planned, self._options = plan, planned, options
        self._metadata = metadata
        self._uploads: list[FileUpload] = []
        self._counts: list[int] = []

    @property
    def pending(self) -> list[Pending]:
        return [upload.pending for upload in self._uploads]

    def begin(self, limit: int = 0) -> None:
        """Begin the uploads; `limit` is how many rows a file may have, in addition to the options."""
        destination = self._plan.destination
        for rows in files_of(self._planned, self._options, limit):
            self._uploads.append(
                FileUpload.begin(destination.store, destination.place.bucket, rows, self._metadata)
            )

    def segments(self, at_once: int) -> list[Segment]:
        """The tasks of all files."""
        files = [
            split(self._plan, self._planned, upload.range, upload.pending, self._options, at_once)
            for upload in self._uploads
        ]
        self._counts = [len(segments) for segments in files]
        return [segment for file in files for segment in file]

    def begin_smaller(self, pieces: Sequence[Piece]) -> bool:
        """Begin files of fewer rows if one of the uploaded ones is larger than it may be."""
        most = self._options.bytes_per_file
        largest = max(map(size_with_footer, self._by_file(pieces)))
        if not most or largest <= most:
            return False
        rows = self._uploads[0].range.rows
        limit = min(rows - 1, int(rows * most / largest * ROOM))
        if limit < 1:
            raise ExportRefused(
                "BAD_ARGUMENTS",
                f"A file of {rows} rows of {self._planned.part.name} has {largest} bytes, and {most} are "
                "allowed.",
            )
        self.abandon()
        self.begin(limit)
        return True

    def end(self, pieces: Sequence[Piece]) -> list[DataFile]:
        """Upload the end of each file."""
        ended = zip(self._uploads, self._by_file(pieces), strict=True)
        return [upload.end(uploaded) for upload, uploaded in ended]

    def abandon(self) -> None:
        """Let the store forget all of them."""
        for upload in self._uploads:
            upload.abandon()
        self._uploads = []

    def _by_file(self, pieces: Sequence[Piece]) -> list[Sequence[Piece]]:
        """What tasks uploaded of each file."""
        found, at = [], 0
        for count in self._counts:
            found.append(pieces[at : at + count])
            at += count
        return found
