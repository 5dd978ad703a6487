"""How fast clusters in containers come up and go.

Run it with the environment's Python: .venv/bin/python bench/containers.py [RUNS]
The images have to be there (./regression.py images build). Times are the median of RUNS (3) on an
otherwise idle machine. Ends with exit code 1 if a bar is missed by more than a factor of two, so that a
busy machine is not taken for a slow framework, and if anything is left in the engine.
"""

from __future__ import annotations

import sys
import tempfile
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from bench.times import print_times
from helpers.cluster.docker import cleanup as docker_cleanup
from helpers.cluster.docker.choice import images_of
from helpers.cluster.docker.cluster import DockerCluster
from helpers.cluster.docker.engine import connect
from helpers.cluster.target import Target

BARS = {"three replicas with coordination ready": 15.0, "three 26.9 nodes and S3 ready": 10.0}
NAMES = ("node1", "node2", "node3")


def replicas(cluster: DockerCluster) -> None:
    """Ready is with a session of each with the coordination service."""
    for node in cluster.several(NAMES, fragments=("replication",)):
        assert node.query("SELECT count() FROM system.zookeeper WHERE path = '/'")


def nodes_and_store(cluster: DockerCluster) -> None:
    cluster.object_store()
    for node in cluster.several(NAMES):
        assert node.value("SELECT 1") == 1


CLUSTERS = {
    "three replicas with coordination": ("18.16", replicas),
    "three 26.9 nodes and S3": (None, nodes_and_store),
}


def main() -> int:
    runs = int(sys.argv[1]) if sys.argv[1:] else 3
    times: dict[str, list[float]] = {}
    client, left = connect(), []
    for what, (version, start) in CLUSTERS.items():
        for _ in range(runs):
            with tempfile.TemporaryDirectory() as folder:
                began = time.perf_counter()
                cluster = DockerCluster(
                    Path(folder), images_of(Target("docker", clickhouse_version=version))
                )
                start(cluster)
                ready = time.perf_counter()
                cluster.close()
                ended = time.perf_counter()
            left += docker_cleanup.remove(client, cluster.run)
            times.setdefault(f"{what} ready", []).append(ready - began)
            times.setdefault(f"{what} gone", []).append(ended - ready)
    missed = print_times(times, BARS)
    print(f"| left in the engine | {len(left)} | | 0 |")
    return 1 if missed or left else 0


if __name__ == "__main__":
    sys.exit(main())
