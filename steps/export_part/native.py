"""Exports by the server itself: where it has the statement, scenarios send it and wait for its end.

`EXPORT_PART_BY=spark` lets the exporter of this project do it there too, so that two runs on the same
server are two columns of the matrix.
"""

from __future__ import annotations

import functools
import os
from typing import TYPE_CHECKING

from helpers.cluster.client.failures import QueryFailed
from helpers.cluster.node import Node
from pipelines.system.waiting import poll

if TYPE_CHECKING:
    from pipelines.export.exporter import Outcome

BY, SPARK = "EXPORT_PART_BY", "spark"
PROBE = "EXPLAIN AST ALTER TABLE one EXPORT PART 'all_1_1_0' TO TABLE other"
SECONDS = 120.0


def is_by_server(node: Node) -> bool:
    """Whether the statement is the server's own, and the run is not about the exporter."""
    where = node.endpoint
    return os.environ.get(BY) != SPARK and _knows_it(where.http_url, where.user, where.password)


@functools.cache
def _knows_it(url: str, user: str, password: str) -> bool:
    # Not through the node: it is no statement of the scenario.
    from pipelines.clickhouse.server import QueryRefused, Server

    try:
        Server(url, user, password).run(PROBE)
    except QueryRefused:
        return False
    return True


def export_by_server(node: Node, sql: str) -> Outcome:
    """Send the statement, and wait for the row in `system.part_log` that says how the export ended."""
    from pipelines.export.errors import CODES, ExportRefused
    from pipelines.export.monitoring.log import FAILED, SUCCEEDED
    from pipelines.export.part import Outcome
    from pipelines.export.statement import parse

    statement = parse(sql)
    database, _, table = statement.source.replace("`", "").rpartition(".")
    of = f"table = '{table}' AND part_name = '{statement.part}'"
    of += f" AND database = '{database}'" if database else ""

    def ended() -> list[tuple[int, str, int, int]]:
        node.query("SYSTEM FLUSH LOGS")
        return node.query(
            "SELECT error, exception, rows, size_in_bytes FROM system.part_log "
            f"WHERE event_type = 'ExportPart' AND {of} ORDER BY event_time_microseconds"
        )

    before = len(ended())
    try:
        node.query(sql)
    except QueryFailed as failed:
        names = {code: name for name, code in CODES.items()}
        if failed.code not in names:
            raise
        raise ExportRefused(names[failed.code], failed.message) from None
    rows = poll(lambda: ended()[before:], SECONDS)
    assert rows, f"part_log has no end of the export of {statement.part} after {SECONDS:.0f} s"
    code, exception, count, size = rows[-1]
    status = FAILED if code else SUCCEEDED
    return Outcome("", statement.part, status, "", count, size, exception if code else "", code)
