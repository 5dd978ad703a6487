"""s3Cluster over three nodes: who reads which file, by the log of each node and by a proxy before the store.

Each node has a proxy of its own, and its named collection has the address of that proxy.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass

from helpers.cluster.client.session import Row
from helpers.cluster.node import Node
from helpers.faults.s3_proxy import Delay, RequestKind, S3FaultProxy
from helpers.scenario.context import this
from steps.hive_partitioning.objects import Lake, collections
from steps.hive_partitioning.queries import from_s3
from steps.hive_partitioning.sources import filled_lake
from steps.shards import remote_servers
from steps.statement_log import finished_statements

CLUSTER = "lakes"
NAMES = ("lake1", "lake2", "lake3")  # 3 variants
HELD_SECONDS = 60.0


@dataclass(frozen=True)
class HiveCluster:
    """Nodes, the proxies that they reach the store by, and what lies there."""

    lake: Lake
    nodes: tuple[Node, ...]
    proxies: dict[str, S3FaultProxy]

    def files_read(self, node: Node, query_id: str) -> tuple[int, int]:
        """The files and rows that a node read for its part of a query, by its own log."""
        parts = finished_statements(
            node,
            "ProfileEvents['EngineFileLikeReadFiles'], read_rows",
            f"initial_query_id = '{query_id}' AND NOT is_initial_query",
        )
        assert len(parts) == 1, f"{node.name} had {len(parts)} parts of the query"
        return int(parts[0][0]), int(parts[0][1])


@contextmanager
def hive_cluster() -> Iterator[HiveCluster]:
    """Three nodes of a cluster over a filled lake."""
    lake = filled_lake()
    with ExitStack() as stack:
        proxies = {name: stack.enter_context(S3FaultProxy(lake.store.url)) for name in NAMES}
        shards = remote_servers(CLUSTER, this().several(NAMES))
        nodes = tuple(
            this().node(
                name,
                config={"cluster": shards},
                collections=collections(lake.store, proxies[name].url),
            )
            for name in NAMES
        )
        yield HiveCluster(lake, nodes, proxies)


def from_cluster(cluster: HiveCluster, path: str) -> str:
    """The table function s3Cluster over a path."""
    return from_s3(cluster.lake, path).replace("s3(", f"s3Cluster('{CLUSTER}', ", 1)


def read_by_all(cluster: HiveCluster, sql: str, query_id: str) -> list[Row]:
    """Read while the first file of each node is held back until every node has asked for one.

    Otherwise a node that is faster than the others might read all files before they begin.
    """
    for proxy in cluster.proxies.values():
        proxy.requests.clear()
    with ExitStack() as stack:
        faults = [
            stack.enter_context(proxy.fault(RequestKind.GET, Delay(HELD_SECONDS)))
            for proxy in cluster.proxies.values()
        ]
        settings = {"max_threads": 1}
        reading = cluster.nodes[0].background(sql, query_id=query_id, settings=settings)
        this().eventually(lambda: all(fault.hits for fault in faults), timeout=30)
    return sorted(reading.wait())


def files_by_node(cluster: HiveCluster) -> dict[str, list[str]]:
    """The files that each node got from the store since the last reading began.

    A request that is held back for long may be made again, so a node counts a file once.
    """
    return {
        name: sorted(
            {
                request.key.removeprefix(f"{cluster.lake.bucket}/{cluster.lake.folder}/")
                for request in proxy.of_kind(RequestKind.GET)
            }
        )
        for name, proxy in cluster.proxies.items()
    }
