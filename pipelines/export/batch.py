"""Parts that one job of Spark exports together: a large one by itself, small ones as many as are useful.

A job takes as long as hundreds of rows, so thousands of small parts are not thousands of jobs. What is
asked of the server for all of them is asked once. Each part has its own lock, file and commit file, and
succeeds or fails for itself.
"""

from __future__ import annotations

import uuid
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from dataclasses import dataclass, field, replace

from pyspark.sql import SparkSession

from pipelines.clickhouse.server import Server
from pipelines.clickhouse.types import literal
from pipelines.errors import PipelineError
from pipelines.export.errors import Duplicated
from pipelines.export.expected import Expected, expected_rows
from pipelines.export.lock import ExportLock
from pipelines.export.log import FAILED, SKIPPED, SUCCEEDED, Record
from pipelines.export.options import Options
from pipelines.export.part import PartExport, State, Uploaded
from pipelines.export.plan import Plan, PlannedPart
from pipelines.export.progress import Monitor
from pipelines.export.source import find_parts, snapshot
from pipelines.export.upload import Piece, retrying, upload_or_error
from pipelines.spark.errors import clear_errors
from pipelines.spark.write_cleanup import clean_up_after

# What the parts of a batch may have together: the driver holds what is too small for a part of an upload.
MOST_PARTS, MOST_BYTES = 100, 8 * 1024 * 1024
REQUESTS_AT_ONCE = 8


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


def batches(parts: Sequence[PlannedPart]) -> Iterator[list[PlannedPart]]:
    """The same parts in their order, small neighbours together."""
    batch: list[PlannedPart] = []
    size = 0
    for planned in parts:
        size += planned.part.compressed
        if batch and (len(batch) == MOST_PARTS or size > MOST_BYTES):
            yield batch
            batch, size = [], planned.part.compressed
        batch.append(planned)
    if batch:
        yield batch


@dataclass
class _Running:
    """A part of the batch: how it ended, as soon as it has."""

    work: PartExport
    lock: ExportLock
    outcome: Outcome
    locked: bool = False
    ended: bool = False
    uploaded: Uploaded | None = None


@dataclass
class Batch:
    """The parts of one job; `at_once` is how many tasks of the whole export run at a time.

    All jobs of an export have the same `tag`, by which they can be cancelled.
    """

    session: SparkSession
    server: Server
    plan: Plan
    parts: Sequence[PlannedPart]
    options: Options
    monitor: Monitor
    at_once: int
    tag: str
    _running: list[_Running] = field(default_factory=list)

    def export(self) -> list[Outcome]:
        """Export the parts; what fails leaves nothing."""
        self._running = [self._entered(planned) for planned in self.parts]
        with ThreadPoolExecutor(min(len(self.parts) + 1, REQUESTS_AT_ONCE)) as pool:
            try:
                list(pool.map(self._begin, self._unended()))
                if waiting := self._unended():
                    self._upload_and_finish(waiting, pool)
            except BaseException as error:
                for running in self._unended():
                    self._fail(running, error)
                if not isinstance(error, Exception):
                    raise
        outcomes = [running.outcome for running in self._running]
        self._running = []  # there may be thousands of parts, and all batches live to the end
        return outcomes

    def _entered(self, planned: PlannedPart) -> _Running:
        record = Record(str(uuid.uuid4()), fields=_about(self.plan, planned))
        work = PartExport(
            self.server, self.plan, planned, self.options, record, self.monitor, self.at_once
        )
        destination = self.plan.destination
        lock = ExportLock(destination.store, destination.place, planned.stem, self.options.lease)
        outcome = Outcome(record.export_id, planned.part.name, SUCCEEDED, planned.key, 0, 0)
        return _Running(work, lock, outcome)

    def _unended(self) -> list[_Running]:
        return [running for running in self._running if not running.ended]

    def _begin(self, running: _Running) -> None:
        """Take the lock, look what is there, and begin an upload."""

        def begin() -> None:
            self.monitor.begin(running.work.record)
            for attempt in retrying():
                with attempt:
                    running.lock.__enter__()
            running.locked = True
            if running.work.existing():
                running.work.record.fields["duplicated"] = 1
                self._end(running, replace(running.outcome, status=SKIPPED))
            else:
                running.work.begin()

        self._guarded(running, begin)

    def _upload_and_finish(self, waiting: list[_Running], pool: ThreadPoolExecutor) -> None:
        planned = [running.work.planned for running in waiting]
        with ThreadPoolExecutor(1) as beside:
            # The server computes what the rows must be while tasks fetch them.
            expected = beside.submit(
                expected_rows, self.server, self.plan, planned, self.options.fingerprint
            )
            pieces = self._upload(waiting)
            rows = expected.result()

        def upload_end(pair: tuple[_Running, list[Piece | Exception]]) -> None:
            running, uploaded = pair
            self._guarded(
                running, lambda: self._upload_end(running, uploaded, rows[running.outcome.part])
            )

        # All rows have been read: whether they changed meanwhile is asked beside the last of the uploads.
        ends = [pool.submit(upload_end, pair) for pair in zip(waiting, pieces, strict=True)]
        now = self._state(planned, pool)
        for end in ends:
            end.result()

        def finish(running: _Running) -> None:
            self._guarded(running, lambda: self._finish(running, now))

        list(pool.map(finish, self._unended()))

    def _upload(self, waiting: list[_Running]) -> list[list[Piece | Exception]]:
        """What tasks uploaded of each part, or why they could not."""
        segments = [
            (at, segment)
            for at, running in enumerate(waiting)
            for segment in running.work.segments()
        ]
        count = len(segments) if len(waiting) == 1 else min(len(segments), self.at_once)
        uploaded: list[list[Piece | Exception]] = [[] for _ in waiting]
        context = self.session.sparkContext
        try:
            with clear_errors():
                context.addJobTag(self.tag)
                spread = context.parallelize(segments, count)
                for at, piece in spread.map(upload_or_error).collect():
                    uploaded[at].append(piece)
                context.removeJobTag(self.tag)
        except BaseException:
            cancel_jobs(self.session, self.tag)
            # Tasks of a job that failed may go on for a moment.
            clean_up_after((), lambda: self._sweep(waiting))
            raise
        return uploaded

    def _state(self, planned: Sequence[PlannedPart], pool: ThreadPoolExecutor) -> State:
        """What is there now of these parts."""
        names = [literal(part.part.name) for part in planned]
        condition = f"name = {names[0]}" if len(names) == 1 else f"name IN ({', '.join(names)})"
        found = pool.submit(find_parts, self.server, self.plan.source, condition)
        source = self.plan.source
        now = snapshot(self.server, source.database, source.name)
        return State({part.name: part for part in found.result()}, now)

    def _upload_end(
        self, running: _Running, uploaded: list[Piece | Exception], rows: Expected
    ) -> None:
        pieces = [piece for piece in uploaded if isinstance(piece, Piece)]
        for piece in uploaded:
            if isinstance(piece, Exception):
                raise piece
        running.uploaded = running.work.upload_end(pieces, rows)

    def _finish(self, running: _Running, now: State) -> None:
        assert running.uploaded
        commit = running.work.finish(running.uploaded, now, running.lock)
        self._end(running, replace(running.outcome, rows=commit.rows, size=commit.size))

    def _sweep(self, waiting: list[_Running]) -> None:
        for running in waiting:
            with suppress(PipelineError):
                running.work.sweep()

    def _guarded(self, running: _Running, action: Callable[[], None]) -> None:
        """An error ends this part only."""
        try:
            action()
        except Exception as error:
            self._fail(running, error)

    def _fail(self, running: _Running, error: BaseException) -> None:
        if running.locked:  # else what lies there is somebody else's
            running.work.clear_away()
        running.work.record.fields["duplicated"] = int(isinstance(error, Duplicated))
        text = str(error) if isinstance(error, PipelineError) else " ".join(str(error).split())
        code = int(getattr(error, "code", 0) or 0)
        kind = type(error) if isinstance(error, Exception) else None
        # The error itself would keep what the attempt held, and there may be thousands of them.
        failed = replace(running.outcome, status=FAILED, error=text, code=code, exception=kind)
        self._end(running, failed)

    def _end(self, running: _Running, outcome: Outcome) -> None:
        if running.locked:
            running.lock.__exit__()
            running.locked = False
        running.outcome, running.ended = outcome, True
        self.monitor.end(running.work.record, outcome.status, outcome.error)


def cancel_jobs(session: SparkSession, tag: str) -> None:
    """End what runs for an export, if Spark still can: nobody waits for it any more."""
    with suppress(Exception):
        session.sparkContext.cancelJobsWithTag(tag)


def _about(plan: Plan, planned: PlannedPart) -> dict[str, str | int]:
    """What the log says of an export from its beginning."""
    part, destination = planned.part, plan.destination
    return {
        "source_database": plan.source.database,
        "source_table": plan.source.name,
        "source_identity": str(plan.source.identity),
        "destination_database": destination.table.database if destination.table else "",
        "destination_table": destination.table.name if destination.table else str(destination),
        "part_name": part.name,
        "path_on_disk": part.path,
        "destination_file_path": f"{destination.place.bucket}/{planned.key}",
        "total_rows_to_read": part.rows,
        "total_size_bytes_compressed": part.compressed,
        "total_size_bytes_uncompressed": part.uncompressed,
    }
