"""What exports did and do, as tables on the user's server: exports, part_log, events and metrics.

One table takes a row whenever an export begins, has come further or ends; the others are views of it.
"""

from __future__ import annotations

import getpass
import json
import os
import socket
import threading
import time
from dataclasses import dataclass, field
from typing import Any

from pipelines.clickhouse.server import Server
from pipelines.clickhouse.types import literal, quoted

# Running ones say so at least this often; who has been silent for longer was killed.
SILENT_SECONDS = 60
RUNNING, SUCCEEDED, FAILED, SKIPPED = "running", "succeeded", "failed", "skipped"
COLUMNS = {
    "event_time": "DateTime64(3)",
    "export_id": "String",
    "status": "LowCardinality(String)",
    "user": "String",
    "host": "String",
    "thread_id": "UInt64",
    "source_database": "String",
    "source_table": "String",
    "source_identity": "String",
    "destination_database": "String",
    "destination_table": "String",
    "create_time": "DateTime64(3)",
    "part_name": "String",
    "path_on_disk": "String",
    "destination_file_path": "String",
    "elapsed": "Float64",
    "rows_read": "UInt64",
    "total_rows_to_read": "UInt64",
    "total_size_bytes_compressed": "UInt64",
    "total_size_bytes_uncompressed": "UInt64",
    "bytes_read_uncompressed": "UInt64",
    "memory_usage": "UInt64",
    "peak_memory_usage": "UInt64",
    "bytes_written": "UInt64",
    "throttled_bytes": "UInt64",
    "throttled_microseconds": "UInt64",
    "duplicated": "UInt8",
    "error": "String",
}
EVENTS = {
    "PartsExports": ("countIf(status = 'succeeded')", "Parts exported with success."),
    "PartsExportFailures": ("countIf(status = 'failed')", "Parts whose export failed."),
    "PartsExportDuplicated": ("countIf(duplicated)", "Parts whose file was there already."),
    "PartsExportTotalMilliseconds": (
        "toUInt64(sum(elapsed) * 1000)",
        "Milliseconds spent on exports.",
    ),
    "ExportsThrottlerBytes": ("sum(throttled_bytes)", "Bytes that went through the throttler."),
    "ExportsThrottlerSleepMicroseconds": (
        "sum(throttled_microseconds)",
        "Microseconds spent asleep to keep to the bandwidth.",
    ),
}


@dataclass
class Record:
    """What the row of an export in `exports` shows, but for its status."""

    export_id: str
    fields: dict[str, Any] = field(default_factory=dict)
    started: float = field(default_factory=time.time)

    def row(self, user: str, status: str) -> dict[str, Any]:
        now = time.time()
        return {
            "event_time": f"{now:.3f}",
            "create_time": f"{self.started:.3f}",
            "elapsed": round(now - self.started, 3),
            "export_id": self.export_id,
            "status": status,
            "user": user or getpass.getuser(),
            "host": socket.gethostname(),
            "thread_id": threading.get_native_id() or os.getpid(),
            **self.fields,
        }


@dataclass(frozen=True)
class ExportLog:
    """The tables in one database, which `create` makes."""

    server: Server
    database: str

    def create(self) -> None:
        """Make what is not there yet."""
        name = quoted(self.database)
        columns = ", ".join(f"{column} {kind}" for column, kind in COLUMNS.items())
        shown = ", ".join(
            f"argMax({column}, event_time) AS {column}"
            for column in COLUMNS
            if column not in ("export_id", "event_time", "status")
        )
        silent = f"max(event_time) < now64(3) - INTERVAL {SILENT_SECONDS} SECOND"
        # An INSERT whose answer was lost may have been made twice.
        ended = f"FROM (SELECT * FROM {name}.log WHERE status != '{RUNNING}' LIMIT 1 BY export_id)"
        events = " UNION ALL ".join(
            f"SELECT {literal(event)} AS event, toUInt64({value}) AS value, "
            f"{literal(text)} AS description {ended}"
            for event, (value, text) in EVENTS.items()
        )
        for sql in (
            f"CREATE DATABASE IF NOT EXISTS {name}",
            f"CREATE TABLE IF NOT EXISTS {name}.log ({columns}) ENGINE = MergeTree "
            "PARTITION BY toYYYYMM(create_time) ORDER BY (create_time, export_id, event_time)",
            *self._added(name),
            f"CREATE VIEW IF NOT EXISTS {name}.exports AS SELECT export_id, {shown}, "
            f"if(argMax(log.status, log.event_time) = '{RUNNING}' AND {silent}, 'abandoned', "
            "argMax(log.status, log.event_time)) AS status "
            f"FROM {name}.log AS log GROUP BY export_id",
            f"CREATE VIEW IF NOT EXISTS {name}.part_log AS SELECT 'EXPORT_PART' AS event_type, "
            "event_time, source_database AS database, source_table AS table, part_name, path_on_disk, "
            "toUInt64(elapsed * 1000) AS duration_ms, rows_read AS rows, bytes_written, "
            f"destination_file_path, error, thread_id, export_id AS query_id, user {ended}",
            f"CREATE VIEW IF NOT EXISTS {name}.events AS {events}",
            f"CREATE VIEW IF NOT EXISTS {name}.metrics AS SELECT 'Export' AS metric, "
            "toInt64(count()) AS value, 'Exports being executed at the moment.' AS description "
            f"FROM {name}.exports WHERE status = '{RUNNING}'",
        ):
            self.server.run(sql)

    def _added(self, name: str) -> list[str]:
        """What gives the tables of an older version the columns that they lack."""
        where = f"WHERE database = {literal(self.database)} AND table"
        rows = self.server.rows(f"SELECT name FROM system.columns {where} = 'log'")
        lacking = [column for column in COLUMNS if rows and [column] not in rows]
        if not lacking:
            return []
        columns = ", ".join(f"ADD COLUMN IF NOT EXISTS {item} {COLUMNS[item]}" for item in lacking)
        return [f"ALTER TABLE {name}.log {columns}", f"DROP VIEW IF EXISTS {name}.exports SYNC"]

    def record(self, status: str, *records: Record) -> None:
        """Add rows that say how exports stand."""
        user = self.server.user
        rows = [json.dumps(record.row(user, status)).encode() + b"\n" for record in records]
        name = quoted(self.database)
        self.server.execute(f"INSERT INTO {name}.log FORMAT JSONEachRow", {}, rows)

    def history(self, limit: int) -> list[dict[str, Any]]:
        """The newest exports, the last one first."""
        names = (
            *(
                "create_time",
                "status",
                "user",
                "source_database",
                "source_table",
                "source_identity",
            ),
            "part_name",
            *("destination_file_path", "rows_read", "bytes_written", "elapsed", "error"),
        )
        # An older version made the tables without the column.
        shown = self.server.rows(
            f"SELECT name FROM system.columns WHERE database = {literal(self.database)} "
            "AND table = 'exports' AND name = 'source_identity'"
        )
        given = [
            "'' AS source_identity" if name == "source_identity" and not shown else name
            for name in names
        ]
        rows = self.server.rows(
            f"SELECT {', '.join(given)} FROM {quoted(self.database)}.exports "
            f"ORDER BY create_time DESC LIMIT {limit}"
        )
        return [dict(zip(names, row, strict=True)) for row in rows]
