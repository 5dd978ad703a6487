"""One part on its way: lock, upload, check, complete, commit. The batch asks for one stage after the other.

A stage that fails ends this part only: it leaves nothing, and `outcome` says why.
"""

from __future__ import annotations

import uuid
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace

from pipelines.errors import PipelineError
from pipelines.export.commit import (
    EXPORT,
    EXTENSION,
    Bytes,
    Commit,
    DataFile,
    complete,
    finish_pending,
    may_concern,
    write_commit,
)
from pipelines.export.errors import Duplicated, ExportRefused, SourceChanged
from pipelines.export.existing import SNAPSHOT, STEM, Existing, Uncommitted
from pipelines.export.expected import Expected, expected_rows
from pipelines.export.files.part_files import PartFiles
from pipelines.export.lock import ExportLock
from pipelines.export.monitoring.log import FAILED, SKIPPED, SUCCEEDED, Record
from pipelines.export.monitoring.progress import Monitor, described
from pipelines.export.options import OVERWRITE, Options
from pipelines.export.plan import Plan, PlannedPart
from pipelines.export.source import Part, Snapshot
from pipelines.export.transfer.contents import read_hashes
from pipelines.export.transfer.parquet_join import footer_of, rows_in
from pipelines.export.transfer.retries import retried
from pipelines.export.transfer.upload import Piece, Segment
from pipelines.s3.store import Place


@dataclass(frozen=True)
class Outcome:
    """How the export of one part ended; `error` is empty unless it failed."""

    export_id: str
    part: str
    status: str
    key: str
    rows: int
    size: int
    error: str = ""
    code: int = 0
    exception: type[Exception] | None = None


@dataclass(frozen=True)
class SourceState:
    """What is there of the source: parts by their names, and what else decides about their rows."""

    parts: Mapping[str, Part]
    snapshot: Snapshot


class PartExport:
    """One part of a plan; `outcome` is None until it has ended."""

    def __init__(
        self, plan: Plan, planned: PlannedPart, options: Options, monitor: Monitor
    ) -> None:
        self.plan, self.planned, self.options = plan, planned, options
        self.outcome: Outcome | None = None
        self._monitor = monitor
        self._record = Record(str(uuid.uuid4()), fields=described(plan, planned))
        self._store, self._bucket = plan.destination.store, plan.destination.place.bucket
        self._existing = Existing(plan, planned, options)
        self._lock = ExportLock(self._store, plan.destination.place, planned.stem, options.lease)
        self._is_locked = False
        metadata = {
            EXPORT: self._record.export_id,
            SNAPSHOT: plan.snapshot.digest,
            STEM: planned.stem,
        }
        self._files = PartFiles(plan, planned, options, metadata)
        self._is_decided, self._overwrites = False, options.if_exists == OVERWRITE
        self._commit: Commit | None = None

    def begin(self) -> None:
        """Take the lock, look what is there, and begin an upload unless the part was exported before."""
        self._guarded(self._begin)

    def segments(self, at_once: int) -> list[Segment]:
        """Ranges of the rows of each file, one for each task."""
        segments = self._files.segments(at_once)
        queries = [segment.statement.query_id for segment in segments]
        self._monitor.reading(self._record, self.plan.server, queries)
        return segments

    def begin_smaller(self, uploaded: Sequence[Piece | Exception]) -> bool:
        """Begin files of fewer rows if one of the uploaded ones is larger than it may be."""
        again: list[bool] = []
        pieces = [piece for piece in uploaded if isinstance(piece, Piece)]
        if self.options.bytes_per_file and len(pieces) == len(uploaded):
            self._guarded(lambda: again.append(self._files.begin_smaller(pieces)))
        return again == [True]

    def upload_end(
        self, pieces: Sequence[Piece | Exception], expected: Expected | Exception
    ) -> None:
        """Upload the end of the file, if all rows are there."""
        self._guarded(lambda: self._upload_end(pieces, expected))

    def finish(self, now: SourceState) -> None:
        """Let the file appear and commit it, if the part is what it was."""
        self._guarded(lambda: self._finish(now))

    def fail(self, error: BaseException) -> None:
        """End with this error and leave nothing."""
        if self._is_locked:  # else what lies there belongs to another export
            self._clear_away()
        self._record.fields["duplicated"] = int(isinstance(error, Duplicated))
        text = str(error) if isinstance(error, PipelineError) else " ".join(str(error).split())
        code = int(getattr(error, "code", 0) or 0)
        # The error itself would keep what the attempt held, and there may be thousands of them.
        kind = type(error) if isinstance(error, Exception) else None
        self._end(FAILED, error=text, code=code, exception=kind)

    def sweep(self) -> None:
        """Abandon what killed exports of this part began to upload."""

        def abandon_all() -> None:
            base = f"{self.planned.key.removesuffix(EXTENSION)}."
            for upload in self._store.uploads(Place(self._bucket, base)):
                with suppress(PipelineError):
                    self._store.abandon(upload)

        retried(abandon_all)

    def _guarded(self, stage: Callable[[], None]) -> None:
        try:
            stage()
        except Exception as error:
            self.fail(error)

    def _begin(self) -> None:
        self._monitor.begin(self._record)
        retried(self._lock.__enter__)
        self._is_locked = True
        source, part = self.plan.source, self.planned.part
        # An export of a part that this one was merged from is not committed yet, and so not found.
        self._lock.refuse_conflicts(
            f"{part.partition_id}_", lambda stem: may_concern(stem, source, part)
        )
        found = self._existing.find()
        if isinstance(found, Uncommitted):
            self._commit_found(found)
        if found:
            self._record.fields["duplicated"] = 1
            self._end(SKIPPED)
            return
        self.sweep()
        self._files.begin()

    def _upload_end(
        self, uploaded: Sequence[Piece | Exception], expected: Expected | Exception
    ) -> None:
        pieces = []
        for piece in uploaded:
            if isinstance(piece, Exception):
                raise piece
            pieces.append(piece)
        if isinstance(expected, Exception):
            raise expected
        rows = sum(piece.rows for piece in pieces)
        self._record.fields |= {
            "rows_read": rows,
            "throttled_bytes": sum(piece.throttled for piece in pieces),
            "throttled_microseconds": int(sum(piece.slept for piece in pieces) * 1_000_000),
        }
        if rows != expected.rows:
            raise SourceChanged(
                f"{self.planned.part.name} had {expected.rows} rows and {rows} were read: a merge or a "
                "mutation came between. Nothing was written; export it again."
            )
        self._commit = self._commit_of(self._files.end(pieces), expected)

    def _finish(self, now: SourceState) -> None:
        assert self._commit
        commit = self._commit
        self._check_unchanged(now)
        self._lock.check()
        self._record.fields["bytes_written"] = commit.size
        if commit.files:
            self._finish_several(commit)
        else:
            self._complete()
            write_commit(self._store, self._bucket, commit)
        self._end(SUCCEEDED, rows=commit.rows, size=commit.size)

    def _finish_several(self, commit: Commit) -> None:
        """Decide by the commit file, then let the files appear: after a kill in between, the next
        export of this part completes them."""
        replaced = self._existing.replaced(commit.keys) if self._overwrites else []
        decided = replace(commit, pending=self._files.pending, replaces=replaced)
        self._is_decided = True
        try:
            write_commit(self._store, self._bucket, decided)
        except PipelineError:
            # Unless the store says that it is not there, it may have been written.
            found = self._existing.committed()
            self._is_decided = found is not None and found.export == commit.export
            raise
        self._commit = finish_pending(self._store, self._bucket, decided)

    def _check_unchanged(self, now: SourceState) -> None:
        """The part and all that decides about its rows are what they were when the export began."""
        part = self.planned.part
        there = now.parts.get(part.name)
        same = there is not None and (there.checksum, there.rows) == (part.checksum, part.rows)
        if not same or now.snapshot != self.plan.snapshot:
            raise SourceChanged(
                f"{part.name} of {self.plan.source} changed while it was exported, by a merge, a "
                "mutation or an ALTER. Nothing was written; export what is there now."
            )

    def _complete(self) -> None:
        """Let the file appear."""
        assert self._commit
        replaces: list[str] = []
        if self._overwrites:
            key = self.planned.key
            self._store.remove(self._bucket, self._existing.replaced([key]))
            replaces = [key] if self._existing.replaces_its_own() else []
        complete(self._store, replace(self._commit, replaces=replaces), self._files.pending[0])

    def _commit_of(self, files: list[DataFile], expected: Expected) -> Commit:
        plan, part = self.plan, self.planned.part
        return Commit(
            export=self._record.export_id,
            database=plan.source.database,
            table=plan.source.name,
            part=part.name,
            checksum=part.checksum,
            key=self.planned.key,
            rows=sum(file.rows for file in files),
            size=sum(file.size for file in files),
            pieces=files[0].pieces if len(files) == 1 else [],
            fingerprint=expected.fingerprint,
            snapshot=plan.snapshot.digest,
            columns=dict(plan.columns),
            source=plan.source.identity,
            sample=list(expected.sample),
            files=files if len(files) > 1 else [],
            file=self.planned.commit_key,
        )

    def _commit_found(self, found: Uncommitted) -> None:
        """Write the commit file of a file that a killed export left complete."""
        key = self.planned.key
        (sha256,), _, end = read_hashes(self._store, self._bucket, key, [found.size])
        footer = footer_of(end)
        expected = expected_rows(self.plan, [self.planned], self.options.fingerprint)
        rows = expected[self.planned.part.name]
        if footer is None or rows_in(footer) != rows.rows:
            raise ExportRefused(
                "BAD_ARGUMENTS",
                f"s3://{self._bucket}/{key} does not have the rows of the part: overwrite it.",
            )
        file = DataFile(key, rows.rows, found.size, [Bytes(found.size, sha256)])
        commit = replace(self._commit_of([file], rows), export=found.export_id)
        write_commit(self._store, self._bucket, commit)

    def _clear_away(self) -> None:
        """Abandon the uploads, and remove a file that appeared, replaced none and could not be committed."""
        if self._is_decided:  # the next export of this part completes them
            return
        self._files.abandon()
        with suppress(PipelineError):
            if not self._overwrites and self._existing.is_of(self._record.export_id):
                self._store.remove(self._bucket, [self.planned.key])

    def _end(
        self,
        status: str,
        *,
        rows: int = 0,
        size: int = 0,
        error: str = "",
        code: int = 0,
        exception: type[Exception] | None = None,
    ) -> None:
        if self._is_locked:
            self._lock.__exit__()
            self._is_locked = False
        name, key, export_id = self.planned.part.name, self.planned.key, self._record.export_id
        if self._commit and status == SUCCEEDED:
            key = self._commit.shown
            self._record.fields["destination_file_path"] = f"{self._bucket}/{key}"
        self.outcome = Outcome(export_id, name, status, key, rows, size, error, code, exception)
        self._monitor.end(self._record, status, error)
