"""How far exports have come: asked of the server while they run, shown to a user and kept in the log."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field

from pipelines.clickhouse.server import Server
from pipelines.clickhouse.types import literal
from pipelines.errors import PipelineError
from pipelines.export.monitoring.log import RUNNING, SUCCEEDED, ExportLog, Record
from pipelines.export.plan import Plan, PlannedPart

SECONDS = 0.5
LOG_SECONDS = 5.0
ID_LENGTH = 36


@dataclass(frozen=True)
class ExportProgress:
    """Rows and compressed bytes of parts, done and in all."""

    rows: int = 0
    total_rows: int = 0
    bytes: int = 0
    total_bytes: int = 0
    parts: int = 0
    total_parts: int = 0


@dataclass
class Monitor:
    """Follows the exports of one call; `show` is told how they stand."""

    log: ExportLog | None = None
    show: Callable[[ExportProgress], None] = lambda progress: None
    _running: dict[str, Record] = field(default_factory=dict)
    _queries: dict[str, tuple[Server, list[str]]] = field(default_factory=dict)
    _done: ExportProgress = field(default_factory=ExportProgress)
    _lock: threading.Lock = field(default_factory=threading.Lock)
    _logged: float = field(default_factory=time.monotonic)

    @contextmanager
    def watching(self, plans: Sequence[Plan]) -> Iterator[None]:
        """Ask the server now and then until the block ends."""
        self._done = ExportProgress(
            total_rows=sum(plan.rows for plan in plans),
            total_bytes=sum(plan.size for plan in plans),
            total_parts=sum(len(plan.parts) for plan in plans),
        )
        end = threading.Event()

        def watch() -> None:
            while not end.wait(SECONDS):
                # Progress is not worth failing for.
                with suppress(Exception):
                    self.ask()

        thread = threading.Thread(target=watch, name="export progress", daemon=True)
        thread.start()
        try:
            yield
        finally:
            end.set()
            thread.join()

    def begin(self, record: Record) -> None:
        with self._lock:
            self._running[record.export_id] = record
        if self.log:
            self.log.record(RUNNING, record)

    def reading(self, record: Record, server: Server, query_ids: list[str]) -> None:
        """The queries that read for an export, and the server that runs them."""
        with self._lock:
            self._queries[record.export_id] = server, query_ids

    def end(self, record: Record, status: str, error: str) -> None:
        with self._lock:
            self._running.pop(record.export_id, None)
            self._queries.pop(record.export_id, None)
            self._done = self._plus(record)
        record.fields["error"] = error
        record.fields["memory_usage"] = 0
        if status == SUCCEEDED:
            record.fields["bytes_read_uncompressed"] = record.fields[
                "total_size_bytes_uncompressed"
            ]
        # What has been exported stays exported where its log cannot be written.
        with suppress(PipelineError):
            if self.log:
                self.log.record(status, record)
        self.show(self._done)

    def ask(self) -> None:
        """Look at the queries of running exports."""
        with self._lock:
            reading = dict(self._queries)
        for server in {server for server, _ in reading.values()}:
            queries = {
                query: export
                for export, (asked, ids) in reading.items()
                if asked == server
                for query in ids
            }
            listed = ", ".join(map(literal, queries))
            # A repeated attempt has a number behind its id.
            rows = server.rows(
                f"SELECT substring(query_id, 1, {ID_LENGTH}) AS id, toString(read_rows), "
                "toString(read_bytes), toString(memory_usage), toString(peak_memory_usage) "
                f"FROM system.processes WHERE id IN ({listed})"
            )
            for export in set(queries.values()):
                self._update(export, [row[1:] for row in rows if queries.get(row[0]) == export])
        self.show(self._now())
        if time.monotonic() - self._logged >= LOG_SECONDS:
            self._logged = time.monotonic()
            with self._lock:  # none of them ends, and says so, before it is said to be running
                if self.log and self._running:
                    self.log.record(RUNNING, *self._running.values())

    def _update(self, export: str, rows: list[list[str]]) -> None:
        record = self._running.get(export)
        if record is None or not rows:
            return
        names = ("rows_read", "bytes_read_uncompressed", "memory_usage", "peak_memory_usage")
        sums = [sum(map(int, column)) for column in zip(*rows, strict=True)]
        for name, value in zip(names, sums, strict=True):
            before = int(record.fields.get(name, 0))
            record.fields[name] = value if name == "memory_usage" else max(before, value)
        total = int(record.fields["total_rows_to_read"])
        record.fields["rows_read"] = min(int(record.fields["rows_read"]), total)

    def _now(self) -> ExportProgress:
        with self._lock:
            rows = self._done.rows
            size = self._done.bytes
            for record in self._running.values():
                done = int(record.fields.get("rows_read", 0))
                total = int(record.fields["total_rows_to_read"]) or 1
                rows += done
                size += int(record.fields["total_size_bytes_compressed"]) * done // total
            done_parts, total_parts = self._done.parts, self._done.total_parts
        return ExportProgress(
            rows, self._done.total_rows, size, self._done.total_bytes, done_parts, total_parts
        )

    def _plus(self, record: Record) -> ExportProgress:
        done = self._done
        return ExportProgress(
            done.rows + int(record.fields["total_rows_to_read"]),
            done.total_rows,
            done.bytes + int(record.fields["total_size_bytes_compressed"]),
            done.total_bytes,
            done.parts + 1,
            done.total_parts,
        )


def described(plan: Plan, planned: PlannedPart) -> dict[str, str | int]:
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
