"""How fast servers on this machine come up, come back, and how many fit on it.

Run it with the environment's Python: .venv/bin/python bench/cluster.py [RUNS]
Times are the median of RUNS (5) on an otherwise idle machine; memory is PSS, which counts what
processes share only once. Ends with exit code 1 if a bar is missed by more than a factor of two, so
that a busy machine is not taken for a slow framework.
"""

from __future__ import annotations

import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from bench.times import print_times, seconds
from helpers.cluster.binary.cluster import BinaryCluster
from helpers.cluster.binary.program import find_server
from helpers.cluster.embedded.cluster import EmbeddedCluster
from helpers.cluster.embedded.node import EmbeddedNode

SIDE_BY_SIDE = 20
REPLICAS = "three replicas of a binary and coordination ready"
BARS = {"three nodes and S3 ready": 3.0, REPLICAS: 5.0}


def start(cluster: EmbeddedCluster, nodes: int, *, store: bool = False) -> None:
    """All of them at once; each is ready when it has answered."""
    with ThreadPoolExecutor(nodes + 1) as pool:
        waiting = [pool.submit(cluster.node, f"node{number + 1}") for number in range(nodes)]
        if store:
            waiting.append(pool.submit(cluster.object_store))  # type: ignore[arg-type]
        for future in waiting:
            future.result()


def three_nodes_and_a_store() -> float:
    with tempfile.TemporaryDirectory() as folder, EmbeddedCluster(Path(folder)) as cluster:
        return seconds(lambda: start(cluster, 3, store=True))


def three_replicas(server: Path) -> float:
    """Ready is with a session of each with the coordination service."""

    def start_replicas() -> None:
        for number in (1, 2, 3):
            node = cluster.node(f"node{number}", fragments=("replication",))
            assert node.query("SELECT count() FROM system.zookeeper WHERE path = '/'")

    with tempfile.TemporaryDirectory() as folder, BinaryCluster(Path(folder), server) as cluster:
        return seconds(start_replicas)


def coming_back(runs: int) -> dict[str, list[float]]:
    def killed(node: EmbeddedNode) -> None:
        node.kill()
        node.start()

    with tempfile.TemporaryDirectory() as folder, EmbeddedCluster(Path(folder)) as cluster:
        node = cluster.node()
        times: dict[str, list[float]] = {"restart": [], "kill and start": []}
        for _ in range(runs):
            times["restart"].append(seconds(node.restart))
            times["kill and start"].append(seconds(lambda: killed(node)))
    return times


def side_by_side() -> tuple[float, float]:
    """Seconds to start them, and their memory in MB."""
    with tempfile.TemporaryDirectory() as folder, EmbeddedCluster(Path(folder)) as cluster:
        took = seconds(lambda: start(cluster, SIDE_BY_SIDE))
        assert sum(node.value("SELECT 1") for node in cluster.nodes) == SIDE_BY_SIDE
        pids = [node.pid for node in cluster.nodes if isinstance(node, EmbeddedNode)]
        return took, sum(map(proportional_memory, pids))


def proportional_memory(pid: int | None) -> float:
    for line in Path(f"/proc/{pid}/smaps_rollup").read_text().splitlines():
        if line.startswith("Pss:"):
            return int(line.split()[1]) / 1024
    raise OSError(f"the kernel does not tell the memory of process {pid}")


def main() -> int:
    runs = int(sys.argv[1]) if sys.argv[1:] else 5
    times = {"three nodes and S3 ready": [three_nodes_and_a_store() for _ in range(runs)]}
    server = find_server()
    if server is None:
        print("No clickhouse-server is installed here: replicas are not measured.")
    else:
        times[REPLICAS] = [three_replicas(server) for _ in range(runs)]
    times |= coming_back(runs)
    took, memory = side_by_side()
    missed = print_times(times, BARS)
    print(f"| {SIDE_BY_SIDE} nodes side by side ready | {took:.2f} s | | all answer |")
    print(f"| their memory (PSS) | {memory:.0f} MB, {memory / SIDE_BY_SIDE:.0f} MB each | | |")
    return 1 if missed else 0


if __name__ == "__main__":
    sys.exit(main())
