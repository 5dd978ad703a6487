"""One part on its way: lock, upload, check, complete, commit. The batch asks for one stage after the other.

A stage that fails ends this part only: it leaves nothing, and `outcome` says why.
"""

from __future__ import annotations

import hashlib
import uuid
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace

from pipelines.compare.fingerprint import Fingerprint
from pipelines.errors import PipelineError
from pipelines.export.commit import Bytes, Commit, may_concern, read_hashes, write_commit
from pipelines.export.errors import Duplicated, ExportRefused, SourceChanged
from pipelines.export.existing import EXPORT, SNAPSHOT, STEM, Existing, Uncommitted
from pipelines.export.expected import Expected, expected_rows
from pipelines.export.lock import ExportLock
from pipelines.export.monitoring.log import FAILED, SKIPPED, SUCCEEDED, Record
from pipelines.export.monitoring.progress import Monitor, described
from pipelines.export.options import OVERWRITE, Options
from pipelines.export.plan import Plan, PlannedPart
from pipelines.export.segments import split
from pipelines.export.source import Part, Snapshot
from pipelines.export.transfer.parquet_join import footer_of, join, rows_in
from pipelines.export.transfer.retries import retried
from pipelines.export.transfer.upload import MOST_PARTS, Piece, Segment
from pipelines.s3.store import AlreadyThere, Pending, Place


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
        self._upload: Pending | None = None
        self._commit: Commit | None = None

    def begin(self) -> None:
        """Take the lock, look what is there, and begin an upload unless the part was exported before."""
        self._guarded(self._begin)

    def segments(self, at_once: int) -> list[Segment]:
        """Ranges of the part's rows, one for each task."""
        assert self._upload
        segments = split(self.plan, self.planned, self._upload, self.options, at_once)
        queries = [segment.statement.query_id for segment in segments]
        self._monitor.reading(self._record, self.plan.server, queries)
        return segments

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
            for upload in self._store.uploads(Place(self._bucket, self.planned.key)):
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
        metadata = {
            EXPORT: self._record.export_id,
            SNAPSHOT: self.plan.snapshot.digest,
            STEM: self.planned.stem,
        }
        self._upload = retried(lambda: self._store.begin(self._bucket, self.planned.key, metadata))

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
        counted, fingerprint = expected
        self._record.fields |= {
            "rows_read": rows,
            "throttled_bytes": sum(piece.throttled for piece in pieces),
            "throttled_microseconds": int(sum(piece.slept for piece in pieces) * 1_000_000),
        }
        if rows != counted:
            raise SourceChanged(
                f"{self.planned.part.name} had {counted} rows and {rows} were read: a merge or a "
                "mutation came between. Nothing was written; export it again."
            )
        self._commit = self._commit_of(self._join(pieces), rows, fingerprint)

    def _join(self, pieces: Sequence[Piece]) -> list[Bytes]:
        """Upload the end of the file: what was too small for a part, and the footer of all."""
        assert self._upload
        upload = self._upload
        ordered = [piece for piece in pieces if piece.numbers]
        ordered += [piece for piece in pieces if not piece.numbers]
        numbers = [number for piece in ordered for number in piece.numbers]
        tags = [tag for piece in ordered for tag in piece.tags]
        end = ordered[-1].end  # uploaded by the task if there was only one
        if not end:
            end = join([(piece.footer, piece.size) for piece in ordered])
            last = b"".join(piece.inline for piece in ordered) + end
            numbers.append(MOST_PARTS)
            tags.append(retried(lambda: self._store.upload_part(upload, MOST_PARTS, last)))
        self._upload = replace(upload, numbers=tuple(numbers), tags=tuple(tags))
        layout = [Bytes(piece.size, piece.sha256) for piece in ordered if piece.size]
        return [*layout, Bytes(len(end), hashlib.sha256(end).hexdigest())]

    def _finish(self, now: SourceState) -> None:
        assert self._commit
        commit = self._commit
        self._check_unchanged(now)
        self._lock.check()
        self._record.fields["bytes_written"] = commit.size
        self._complete()
        write_commit(self._store, self._bucket, commit)
        self._end(SUCCEEDED, rows=commit.rows, size=commit.size)

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
        """Let the file appear. Where the answer is lost, the store is asked what happened."""
        assert self._upload
        pending, replaces = self._upload, False
        if self.options.if_exists == OVERWRITE:
            self._store.remove(self._bucket, self._existing.replaced())
            replaces = self._existing.replaces_its_own()

        def complete() -> None:
            try:
                self._store.complete(pending, replace=replaces)
            except AlreadyThere:
                if not self._is_mine():
                    raise Duplicated(
                        f"s3://{pending.bucket}/{pending.key} appeared during the export."
                    ) from None
            except PipelineError as error:
                if not self._is_mine():
                    raise error

        retried(complete)

    def _is_mine(self) -> bool:
        return self._existing.is_of(self._record.export_id)

    def _commit_of(self, pieces: list[Bytes], rows: int, fingerprint: Fingerprint | None) -> Commit:
        plan, part = self.plan, self.planned.part
        return Commit(
            export=self._record.export_id,
            database=plan.source.database,
            table=plan.source.name,
            part=part.name,
            checksum=part.checksum,
            key=self.planned.key,
            rows=rows,
            size=sum(piece.size for piece in pieces),
            pieces=pieces,
            fingerprint=fingerprint,
            snapshot=plan.snapshot.digest,
            columns=dict(plan.columns),
            source=plan.source.identity,
            file=self.planned.commit_key,
        )

    def _commit_found(self, found: Uncommitted) -> None:
        """Write the commit file of a file that a killed export left complete."""
        (sha256,), _, end = read_hashes(self._store, self._bucket, self.planned.key, [found.size])
        footer = footer_of(end)
        expected = expected_rows(self.plan, [self.planned], self.options.fingerprint)
        counted, fingerprint = expected[self.planned.part.name]
        if footer is None or rows_in(footer) != counted:
            raise ExportRefused(
                "BAD_ARGUMENTS",
                f"s3://{self._bucket}/{self.planned.key} does not have the rows of the part: overwrite it.",
            )
        commit = self._commit_of([Bytes(found.size, sha256)], counted, fingerprint)
        write_commit(self._store, self._bucket, replace(commit, export=found.export_id))

    def _clear_away(self) -> None:
        """Abandon the upload, and remove a file that appeared, replaced none and could not be committed."""
        with suppress(PipelineError):
            if self._upload:
                self._store.abandon(self._upload)
        with suppress(PipelineError):
            if self.options.if_exists != OVERWRITE and self._is_mine():
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
        self.outcome = Outcome(export_id, name, status, key, rows, size, error, code, exception)
        self._monitor.end(self._record, status, error)
