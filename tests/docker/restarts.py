"""Starts a node, restarts it, kills it and starts it again.

`restarts FOLDER IMAGE` prints what it saw as JSON. A program of its own, so that another user can execute it.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path

from helpers.cluster.docker.node import DockerNode
from tests.docker.clusters import docker_cluster

IP_ADDRESS_NOT_ALLOWED = 195
AUTHENTICATION_FAILED = 516  # servers of today do not say that it is the address
CHECKSUM = "SELECT count(), sum(n) FROM t.numbers"


def executed(node: DockerNode, *command: str) -> str:
    """What a command prints in the container."""
    assert node.container is not None
    return str(node.container.container.exec_run(list(command)).output.decode().strip())


def as_default(node: DockerNode, sql: str) -> str:
    """What the user `default` is answered inside of the container."""
    user = ["--user", "default", "--password", node.endpoint.password]
    return executed(node, "clickhouse-client", *user, "--query", sql)


def main(folder: str, image: str) -> None:
    with docker_cluster(Path(folder), image) as cluster:
        node = cluster.node()
        node.query("CREATE DATABASE t")
        node.query("CREATE TABLE t.numbers (n UInt64) ENGINE = MergeTree ORDER BY n")
        node.query("INSERT INTO t.numbers SELECT number FROM system.numbers LIMIT 30")
        seen = [node.query(CHECKSUM)]
        node.restart()
        seen.append(node.query(CHECKSUM))
        node.kill()
        node.start()
        seen.append(node.query(CHECKSUM))
        node._passwords["default"] = node.endpoint.password
        is_old = node.version.startswith("18.")
        refused = IP_ADDRESS_NOT_ALLOWED if is_old else AUTHENTICATION_FAILED
        node.fails("SELECT 1", code=refused, user="default")
        (file,) = node.folder.glob("data/data/t/numbers/*/checksums.txt")
        assert node.pid is not None
        told = {
            "seen": seen,
            "server": Path(f"/proc/{node.pid}").stat().st_uid,
            "owner": file.stat().st_uid,
            "called": executed(node, "id", "-un"),
        }
        if is_old:  # the wheel has no client, and its own session is the user `default`
            create = "CREATE TABLE t.x (n UInt8) ENGINE = Memory"
            told |= {"reads": as_default(node, "SELECT 1"), "writes": as_default(node, create)}
        print(json.dumps(told))


if __name__ == "__main__":
    main(*sys.argv[1:])
