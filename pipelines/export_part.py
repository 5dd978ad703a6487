"""EXPORT PART for any ClickHouse: parts of MergeTree tables become Parquet files in Hive's layout on S3.

    exporter = Exporter(server, store)
    plan = exporter.plan(Request("db.visits", "s3://lake/visits", part="202601_1_4_1"))
    for outcome in exporter.execute(plan): …

A part becomes one file. It appears as a whole or not at all: tasks of Spark fill a multipart upload,
which the driver completes when all rows are there and the part is still what it was. Then a commit file
says so. What is left by a process that was killed is cleared away by the next export of that part.
"""

from __future__ import annotations

import uuid
from collections.abc import Callable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor, as_completed
from contextlib import ExitStack
from dataclasses import dataclass, replace

from pyspark.sql import SparkSession

from pipelines.clickhouse_server import Server
from pipelines.errors import PipelineError
from pipelines.export_errors import Duplicated
from pipelines.export_lock import ExportLock
from pipelines.export_log import FAILED, SKIPPED, SUCCEEDED, ExportLog, Record
from pipelines.export_options import Options
from pipelines.export_plan import Plan, PlannedPart, Request, make_plan
from pipelines.export_progress import Monitor
from pipelines.export_task import PartExport
from pipelines.export_upload import retrying
from pipelines.s3 import Store
from pipelines.session import spark_session

MOST_AT_ONCE = 8


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

    def execute(self, plan: Plan, monitor: Monitor | None = None) -> Iterator[Outcome]:
        """Export the parts of a plan, several at a time; each ends for itself, as it ends."""
        if self.log:
            self.log.create()
        session = self._session()
        monitor = monitor or Monitor(self.server, self.log)
        slots = session.sparkContext.defaultParallelism
        with monitor.watching(plan):
            if len(plan.parts) == 1:
                yield self._export(session, plan, plan.parts[0], monitor, slots)
                return
            with ThreadPoolExecutor(min(slots, MOST_AT_ONCE)) as pool:
                running = [
                    pool.submit(self._export, session, plan, planned, monitor, slots)
                    for planned in plan.parts
                ]
                try:
                    for future in as_completed(running):
                        yield future.result()
                except BaseException:
                    for future in running:
                        future.cancel()
                    raise

    def _export(
        self,
        session: SparkSession,
        plan: Plan,
        planned: PlannedPart,
        monitor: Monitor,
        slots: int,
    ) -> Outcome:
        record = Record(str(uuid.uuid4()), fields=_about(plan, planned))
        monitor.begin(record)
        place = plan.destination.place
        shared = min(slots, len(plan.parts)) if len(plan.parts) > 1 else 1
        options = replace(self.options, bandwidth=self.options.bandwidth / shared)
        work = PartExport(session, self.server, plan, planned, options, record, monitor, slots)
        outcome = Outcome(record.export_id, planned.part.name, SUCCEEDED, planned.key, 0, 0)
        try:
            lock = ExportLock(plan.destination.store, place, planned.part.stem, options.lease)
            with ExitStack() as stack:
                for attempt in retrying():
                    with attempt:
                        stack.enter_context(lock)
                if work.existing():
                    record.fields["duplicated"] = 1
                    outcome = replace(outcome, status=SKIPPED)
                else:
                    commit = work.run(lock)
                    outcome = replace(outcome, rows=commit.rows, size=commit.size)
        except Exception as error:
            record.fields["duplicated"] = int(isinstance(error, Duplicated))
            text = str(error) if isinstance(error, PipelineError) else " ".join(str(error).split())
            code = int(getattr(error, "code", 0) or 0)
            # The error itself would keep what the attempt held, and there may be thousands of them.
            outcome = replace(outcome, status=FAILED, error=text, code=code, exception=type(error))
        monitor.end(record, outcome.status, outcome.error)
        return outcome


def _about(plan: Plan, planned: PlannedPart) -> dict[str, str | int]:
    """What the log says of an export from its beginning."""
    part, destination = planned.part, plan.destination
    return {
        "source_database": plan.source.database,
        "source_table": plan.source.name,
        "destination_database": destination.table.database if destination.table else "",
        "destination_table": destination.table.name if destination.table else str(destination),
        "part_name": part.name,
        "path_on_disk": part.path,
        "destination_file_path": f"{destination.place.bucket}/{planned.key}",
        "total_rows_to_read": part.rows,
        "total_size_bytes_compressed": part.compressed,
        "total_size_bytes_uncompressed": part.uncompressed,
    }
