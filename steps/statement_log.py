"""What the server's log says of the statements that it has executed."""

from __future__ import annotations

from helpers.cluster.node import Node
from helpers.cluster.session import Row


def finished_statements(node: Node, columns: str, where: str) -> list[Row]:
    """These columns of system.query_log for the statements that have finished and meet a condition."""
    node.query("SYSTEM FLUSH LOGS query_log")
    return node.query(
        f"SELECT {columns} FROM system.query_log WHERE type = 'QueryFinish' AND {where}"
    )
