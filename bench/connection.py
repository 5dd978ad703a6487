"""How a bare driver connects to a node; shared by benchmarks."""

from __future__ import annotations

from typing import Any

from helpers.cluster.node import Node


def connection_to(node: Node) -> dict[str, Any]:
    """The arguments of a client of clickhouse-driver."""
    endpoint = node.endpoint
    return {
        "host": endpoint.host,
        "port": endpoint.tcp_port,
        "user": endpoint.user,
        "password": endpoint.password,
    }
