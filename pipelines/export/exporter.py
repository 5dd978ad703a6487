"""EXPORT PART for any ClickHouse: parts of MergeTree tables become Parquet files in Hive's layout on S3.

    exporter = Exporter(server, store)
    plan = exporter.plan(Request("db.visits", "s3://lake/visits", part="202601_1_4_1"))
    for outcome in exporter.execute(plan): …

A part becomes one file. It appears as a whole or not at all: tasks of Spark fill a multipart upload,
which the driver completes when all rows are there and the part is still what it was. Then a commit file
says so, and from which table of which server the rows are. What is left by a process that was killed is
cleared away by the next export of that part.
"""

from __future__ import annotations

import uuid
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from dataclasses import replace
from itertools import zip_longest

from pyspark.sql import SparkSession

from pipelines.clickhouse.server import Server
from pipelines.errors import Unavailable
from pipelines.export.batch import Batch, batches, cancel_jobs
from pipelines.export.files.segments import files_of, segments_of
from pipelines.export.monitoring.log import ExportLog
from pipelines.export.monitoring.progress import Monitor
from pipelines.export.options import Options
from pipelines.export.part import Outcome
from pipelines.export.plan import Plan, Request, make_plan
from pipelines.s3.store import Store
from pipelines.spark.session import spark_session

__all__ = ["Exporter", "Outcome"]

MOST_AT_ONCE = 8
CANCEL_SECONDS = 0.2


class Exporter:
    """Exports of one server's tables into one store."""

    def __init__(
        self,
        server: Server,
        store: Store,
        options: Options | None = None,
        *,
        log: ExportLog | None = None,
        session: Callable[[], SparkSession] = spark_session,
    ) -> None:
        self.server, self.store, self.log = server, store, log
        self.options = options or Options()
        self._session = session
        self._background = ThreadPoolExecutor(MOST_AT_ONCE, thread_name_prefix="export")

    def with_options(self, options: Options) -> Exporter:
        """The same with other options."""
        return Exporter(self.server, self.store, options, log=self.log, session=self._session)

    def plan(self, request: Request) -> Plan:
        """Check everything and write nothing."""
        return make_plan(self.server, request, self.store)

    def export(self, request: Request, monitor: Monitor | None = None) -> list[Outcome]:
        """Plan and execute, and wait for the end."""
        return list(self.execute(self.plan(request), monitor))

    def start(self, request: Request) -> Future[list[Outcome]]:
        """Accept an export, or refuse it; what is accepted runs in the background."""
        plan = self.plan(request)
        return self._background.submit(lambda: list(self.execute(plan)))

    def execute(
        self, plan: Plan | Sequence[Plan], monitor: Monitor | None = None
    ) -> Iterator[Outcome]:
        """Export the parts of a plan, or of one for each server; each part succeeds or fails for itself."""
        plans = [plan] if isinstance(plan, Plan) else list(plan)
        if self.log:
            self.log.create()
        session = self._session()
        monitor = monitor or Monitor(self.log)
        slots = session.sparkContext.defaultParallelism
        tasks = sum(
            segments_of(rows.rows, self.options)
            for plan in plans
            for one in plan.parts
            for rows in files_of(one, self.options)
        )
        at_once = max(1, min(slots, tasks))
        tag = f"export-{uuid.uuid4()}"

        def batches_of(plans: Iterable[Plan]) -> list[Batch]:
            # Of each server one in turn, so that all of them have work.
            each = [[(plan, parts) for parts in batches(plan.parts)] for plan in plans]
            return [
                Batch(session, plan, parts, self.options, monitor, at_once, tag)
                for turn in zip_longest(*each)
                for plan, parts in filter(None, turn)
            ]

        work = batches_of(plans)
        with monitor.watching(plans), ThreadPoolExecutor(min(slots, MOST_AT_ONCE)) as pool:
            running = {pool.submit(batch.export): batch for batch in work}
            try:
                while running:
                    for future in wait(running, return_when=FIRST_COMPLETED).done:
                        batch, outcomes = running.pop(future), future.result()
                        again = _stand_ins(batch.plan, outcomes)
                        for other in batches_of(again):
                            running[pool.submit(other.export)] = other
                        repeated = {planned.part.name for plan in again for planned in plan.parts}
                        yield from (one for one in outcomes if one.part not in repeated)
            except BaseException:
                for future in running:
                    future.cancel()
                # Again and again: a job may be about to start.
                while wait(running, CANCEL_SECONDS).not_done:
                    cancel_jobs(session, tag)
                raise


def _stand_ins(plan: Plan, outcomes: Iterable[Outcome]) -> list[Plan]:
    """Plans of other replicas for the parts whose server does not answer."""
    plans: dict[Server, Plan] = {}
    for outcome in outcomes:
        others = plan.stand_ins.get(outcome.part)
        if others and outcome.exception and issubclass(outcome.exception, Unavailable):
            first, *left = others
            known = plans.get(first.server, replace(first, parts=[]))
            plans[first.server] = replace(
                known,
                parts=[*known.parts, *first.parts],
                stand_ins={**known.stand_ins, outcome.part: tuple(left)},
            )
    return list(plans.values())
