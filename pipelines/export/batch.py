"""Parts that one job of Spark exports together: a large one alone, small ones up to a number and a size.

A job takes as long as hundreds of rows, so thousands of small parts are not thousands of jobs. What the
server is asked about them is asked once. Each part succeeds or fails for itself.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from dataclasses import dataclass

from pyspark.sql import SparkSession

from pipelines.clickhouse.types import literal
from pipelines.errors import PipelineError, Unavailable
from pipelines.export.expected import Expected, expected_rows
from pipelines.export.monitoring.progress import Monitor
from pipelines.export.options import Options
from pipelines.export.part import Outcome, PartExport, SourceState
from pipelines.export.plan import Plan, PlannedPart
from pipelines.export.source import find_parts, snapshot
from pipelines.export.transfer.upload import Piece, upload_or_error
from pipelines.spark.errors import clear_errors
from pipelines.spark.write_cleanup import clean_up_after

# What the parts of a batch may have together: the driver holds what is too small for a part of an upload.
MOST_PARTS, MOST_BYTES = 100, 8 * 1024 * 1024
REQUESTS_AT_ONCE = 8


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


@dataclass(frozen=True)
class Batch:
    """The parts of one job; `at_once` is how many tasks of the whole export run at a time.

    All jobs of an export have the same `tag`, by which they can be cancelled.
    """

    session: SparkSession
    plan: Plan
    parts: Sequence[PlannedPart]
    options: Options
    monitor: Monitor
    at_once: int
    tag: str

    def export(self) -> list[Outcome]:
        """Export the parts; what fails leaves nothing."""
        works = [PartExport(self.plan, part, self.options, self.monitor) for part in self.parts]
        with ThreadPoolExecutor(min(len(works) + 1, REQUESTS_AT_ONCE)) as pool:
            try:
                list(pool.map(PartExport.begin, works))
                if waiting := [work for work in works if not work.outcome]:
                    self._upload_and_finish(waiting, pool)
            except BaseException as error:
                for work in works:
                    if not work.outcome:
                        work.fail(error)
                if not isinstance(error, Exception):
                    raise
        return [work.outcome for work in works if work.outcome]

    def _upload_and_finish(self, works: list[PartExport], pool: ThreadPoolExecutor) -> None:
        planned = [work.planned for work in works]
        with ThreadPoolExecutor(1) as beside:
            # The server computes what the rows must be while tasks fetch them.
            expected = beside.submit(self._expected, planned)
            pieces = self._upload_all(works)
            rows = expected.result()
        # All rows have been read: ask whether they changed meanwhile during the last of the uploads.
        ends = [
            pool.submit(work.upload_end, uploaded, rows[work.planned.part.name])
            for work, uploaded in pieces.items()
            if not work.outcome
        ]
        now = self._state(planned, pool)
        for end in ends:
            end.result()
        list(pool.map(lambda work: work.finish(now), [work for work in works if not work.outcome]))

    def _expected(self, planned: Sequence[PlannedPart]) -> dict[str, Expected | Exception]:
        """What the rows of each part must be; a part that cannot be read spares the others."""
        with_fingerprint = self.options.fingerprint
        try:
            return {**expected_rows(self.plan, planned, with_fingerprint)}
        except Unavailable:
            raise
        except Exception as error:
            if len(planned) == 1:
                return {planned[0].part.name: error}
        found: dict[str, Expected | Exception] = {}
        for one in planned:
            found |= self._expected([one])
        return found

    def _upload_all(self, works: list[PartExport]) -> dict[PartExport, list[Piece | Exception]]:
        """What tasks uploaded, again in files of fewer rows where one has become too large."""
        pieces = dict(zip(works, self._upload(works), strict=True))
        again = works
        while again := [work for work in again if work.begin_smaller(pieces[work])]:
            pieces |= zip(again, self._upload(again), strict=True)
        return pieces

    def _upload(self, works: list[PartExport]) -> list[list[Piece | Exception]]:
        """What tasks uploaded of each part, or why they could not."""
        segments = [
            (at, segment)
            for at, work in enumerate(works)
            for segment in work.segments(self.at_once)
        ]
        count = len(segments) if len(works) == 1 else min(len(segments), self.at_once)
        uploaded: list[list[Piece | Exception]] = [[] for _ in works]
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
            clean_up_after((), lambda: _sweep(works))
            raise
        return uploaded

    def _state(self, planned: Sequence[PlannedPart], pool: ThreadPoolExecutor) -> SourceState:
        """What is there now of these parts."""
        server, source = self.plan.server, self.plan.source
        names = [literal(part.part.name) for part in planned]
        condition = f"name = {names[0]}" if len(names) == 1 else f"name IN ({', '.join(names)})"
        found = pool.submit(find_parts, server, source, condition)
        now = snapshot(server, source.database, source.name)
        return SourceState({part.name: part for part in found.result()}, now)


def cancel_jobs(session: SparkSession, tag: str) -> None:
    """End the jobs of an export, if Spark still can."""
    with suppress(Exception):
        session.sparkContext.cancelJobsWithTag(tag)


def _sweep(works: Sequence[PartExport]) -> None:
    for work in works:
        with suppress(PipelineError):
            work.sweep()
