"""What the tables of exports and all other logs say about exports."""

from __future__ import annotations

from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING

from helpers.cluster.client.interception import CALLS
from helpers.cluster.node import Node
from helpers.scenario.context import this
from steps.export_part.exports import Lake

if TYPE_CHECKING:
    from pipelines.export.monitoring.log import ExportLog


def export_log(lake: Lake) -> ExportLog:
    """The tables of exports, in a database of this scenario, which has none of an earlier attempt."""
    from pipelines.export.monitoring.log import ExportLog
    from steps.spark.session import server

    database = f"{this().database}_log"
    with CALLS.hidden():
        lake.node.drop_database(database)
    return ExportLog(server(lake.node), database)


def statuses(log: ExportLog, node: Node) -> list[list[str]]:
    """What the log has said of each export, one after the other as they began."""
    rows = node.column(
        f"SELECT groupUniqArray(status) FROM {log.database}.log GROUP BY export_id ORDER BY min(create_time)"
    )
    return [sorted(row) for row in rows]


def readable_texts(lake: Lake, position: int, log: ExportLog) -> dict[str, str]:
    """What can be read of exports: the server's log since a mark and its table of queries, the tables of
    exports, and the arguments of all processes."""
    lake.node.query("SYSTEM FLUSH LOGS")
    queries = lake.node.query(
        "SELECT toString(tuple(*)) FROM system.query_log "
        f"WHERE has(databases, '{this().database}') OR has(databases, '{log.database}')"
    )
    exports = lake.node.query(f"SELECT toString(tuple(*)) FROM {log.database}.log")
    return {
        "server log": lake.node.log_since(position),
        "query log": str(queries),
        "exports": str(exports),
        "processes": _arguments_of_processes(),
    }


def _arguments_of_processes() -> str:
    """The command lines that everybody on this machine can see."""
    found = []
    for file in Path("/proc").glob("[0-9]*/cmdline"):
        with suppress(OSError):
            found.append(file.read_bytes().decode(errors="replace"))
    return "\n".join(found)
