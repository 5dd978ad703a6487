"""Servers as histories need them: each statement waits for its mutation."""

from __future__ import annotations

from helpers.cluster.node import Node
from helpers.explore.model.statements import MUTATIONS


def wait_for_mutations(node: Node) -> None:
    """Have each statement that is sent to this node wait for its mutation, as scripts of findings do."""
    (name,) = MUTATIONS
    if node.value(f"SELECT count() FROM system.settings WHERE name = '{name}'"):
        node.settings = {**node.settings, **MUTATIONS}
        node.drop_connections()  # settings are those of a connection
