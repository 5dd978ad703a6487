"""What the server's log says of the statements that it has executed."""

from __future__ import annotations

from collections.abc import Iterable

from helpers.cluster.client.server import Server
from helpers.cluster.client.session import Row


def finished_statements(node: Server, columns: str, where: str) -> list[Row]:
    """These columns of system.query_log for the statements that have finished and meet a condition."""
    node.query("SYSTEM FLUSH LOGS query_log")
    return node.query(
        f"SELECT {columns} FROM system.query_log WHERE type = 'QueryFinish' AND {where}"
    )


def executed_by(node: Server, ids: Iterable[str]) -> dict[str, str]:
    """The user of each of these statements, as the server has logged it."""
    listed = ", ".join(f"'{query_id}'" for query_id in ids)
    logged = finished_statements(node, "query_id, user", f"query_id IN ({listed})")
    assert len(logged) == len({query_id for query_id, _ in logged}), f"logged are {logged}"
    return dict(logged)
