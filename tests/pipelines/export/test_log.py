"""What the tables of `--log` say of exports."""

from __future__ import annotations

from helpers.cluster.embedded.node import EmbeddedNode
from pipelines.clickhouse.server import Server
from pipelines.export.monitoring.log import ExportLog
from pipelines.s3.store import Store
from tests.pipelines.export.without_spark import (
    export,
    parts,
    source_sums,
)


def test_the_log_tells_what_happened(
    node: EmbeddedNode, server: Server, store: Store, table: str, path: str
) -> None:
    log = ExportLog(server, f"{server.database}_log")
    part = parts(server)[0]
    try:
        (done,) = export(server, store, path, part, log=log, bandwidth=1e6)
        export(server, store, path, part, log=log)
        export(server, store, path, part, log=log, if_exists="error")
        rows = node.query(
            f"SELECT status, rows_read, bytes_written FROM {log.database}.exports ORDER BY create_time"
        )
        assert [status for status, *_ in rows] == ["succeeded", "skipped", "failed"]
        assert rows[0][1:] == (source_sums(server, f"_part = '{part}'")[0], done.size)
        events: dict[str, int] = dict(node.query(f"SELECT event, value FROM {log.database}.events"))
        assert (events["PartsExports"], events["PartsExportFailures"]) == (1, 1)
        assert events["PartsExportDuplicated"] == 2 and events["ExportsThrottlerBytes"] > 0
        assert node.value(f"SELECT value FROM {log.database}.metrics") == 0
        assert [row["status"] for row in log.history(1)] == ["failed"]
        # An INSERT whose answer was lost may be made again.
        node.query(f"INSERT INTO {log.database}.log SELECT * FROM {log.database}.log")
        again: dict[str, int] = dict(node.query(f"SELECT event, value FROM {log.database}.events"))
        assert again == events
        # Of an export that was killed a minute ago nothing more is heard.
        node.query(
            f"INSERT INTO {log.database}.log (event_time, create_time, export_id, status) "
            "SELECT now64(3) - number, now64(3) - 100, toString(number), 'running' FROM "
            "(SELECT arrayJoin([1, 99]) AS number)"
        )
        abandoned = f"SELECT status FROM {log.database}.exports WHERE export_id IN ('1', '99')"
        assert sorted(node.column(abandoned)) == ["abandoned", "running"]
        assert node.value(f"SELECT value FROM {log.database}.metrics") == 1
    finally:
        node.query(f"DROP DATABASE IF EXISTS {log.database}")
