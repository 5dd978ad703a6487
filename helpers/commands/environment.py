"""`up`, `down` and `sql`: an environment to play with, without scenarios.

`up` leaves a keeper behind: a process of its own session that holds the servers until `down` ends it.
What it holds is told in `environment.json`, readable by its owner only, because passwords are in it.
"""

from __future__ import annotations

import argparse
import json
import os
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

from helpers.cluster import environments, process
from helpers.cluster.cluster import Cluster
from helpers.cluster.embedded import EmbeddedCluster, EmbeddedNode
from helpers.cluster.failures import QueryFailed
from helpers.cluster.object_store import ADMIN
from helpers.cluster.queries import Endpoint
from helpers.errors import ALL_AS_EXPECTED, FAILURES, EnvironmentFailed, UsageError
from helpers.paths import RESULTS, ROOT
from helpers.timeouts import scaled

PLACE = RESULTS / "up"
START_SECONDS = 60.0
MOST_NODES = 20


def parser(command: str) -> argparse.ArgumentParser:
    made = argparse.ArgumentParser(prog=f"./regression.py {command}")
    if command == "up":
        made.description = "Start servers and leave them running until ./regression.py down."
        made.add_argument("--nodes", metavar="N", default="1", help="how many (default: 1)")
        made.add_argument("--s3", action="store_true", help="an object store beside them")
        made.add_argument("--clickhouse-version", metavar="V", help="another engine, e.g. 26.7")
        made.add_argument("--port", metavar="N", help="the first node's native port; HTTP is N + 1")
        made.set_defaults(func=up)
    elif command == "down":
        made.description = "End what ./regression.py up started, and remove its data."
        made.set_defaults(func=down)
    else:
        made.description = (
            "Ask the environment that is up, or a server that is started for this one question."
        )
        made.add_argument("query", help="the statement, or - for standard input")
        made.add_argument("--node", metavar="N", default="node1", help="which one (default: node1)")
        made.add_argument("--format", metavar="F", default="PrettyCompact", help="of the answer")
        made.add_argument("--clickhouse-version", metavar="V", help="another engine, e.g. 26.7")
        made.set_defaults(func=sql)
    return made


def up(given: argparse.Namespace) -> int:
    if _keeper() is not None:
        raise UsageError("An environment is up already; ./regression.py down ends it.")
    if not given.nodes.isdigit() or not 1 <= int(given.nodes) <= MOST_NODES:
        raise UsageError(f"--nodes {given.nodes!r} is not a number from 1 to {MOST_NODES}.")
    if given.port and (not given.port.isdigit() or not 1024 <= int(given.port) <= 65534):
        raise UsageError(f"--port {given.port!r} is not a port from 1024 to 65534.")
    environments.check(environments.DEFAULT, given.clickhouse_version, print)
    shutil.rmtree(PLACE, ignore_errors=True)
    PLACE.mkdir(parents=True, mode=0o700)
    wishes = {
        "nodes": int(given.nodes),
        "s3": given.s3,
        "version": given.clickhouse_version,
        "port": int(given.port) if given.port else None,
    }
    keeper = subprocess.Popen(
        [sys.executable, "-m", "helpers.commands.environment", json.dumps(wishes)],
        cwd=ROOT,
        stdin=subprocess.DEVNULL,
        stdout=(PLACE / "keeper.log").open("w"),
        stderr=subprocess.STDOUT,
        start_new_session=True,
    )
    deadline = time.monotonic() + scaled(START_SECONDS)
    while not (PLACE / "environment.json").exists():
        if keeper.poll() is not None or time.monotonic() > deadline:
            keeper.kill()
            told = (PLACE / "keeper.log").read_text().strip()
            shutil.rmtree(PLACE, ignore_errors=True)
            raise EnvironmentFailed(told.removeprefix("regression: ") or "It did not come up.")
        time.sleep(0.02)
    print(_how_to_connect(_keeper() or {}))
    return ALL_AS_EXPECTED


def down(given: argparse.Namespace) -> int:
    keeper = _keeper()
    if keeper is None:
        shutil.rmtree(PLACE, ignore_errors=True)
        print("Nothing is up.")
        return ALL_AS_EXPECTED
    os.kill(keeper["pid"], signal.SIGTERM)
    if not process.wait_until_gone(keeper["pid"], keeper["started"], 20):
        os.kill(keeper["pid"], signal.SIGKILL)
    shutil.rmtree(PLACE, ignore_errors=True)
    print("Down; nothing is left.")
    return ALL_AS_EXPECTED


def sql(given: argparse.Namespace) -> int:
    query = sys.stdin.read() if given.query == "-" else given.query
    keeper = _keeper()
    if keeper is not None:
        nodes = {one["name"]: one for one in keeper["nodes"]}
        if given.node not in nodes:
            raise UsageError(f"No node {given.node!r} is up: there is {', '.join(nodes)}.")
        facts = nodes[given.node]
        endpoint = Endpoint(**{name: facts[name] for name in Endpoint.__dataclass_fields__})
        return _answer(query, given.format, endpoint)
    environments.check(environments.DEFAULT, given.clickhouse_version, print)
    with (
        tempfile.TemporaryDirectory(prefix="regression-sql-") as folder,
        EmbeddedCluster(Path(folder), version=given.clickhouse_version) as cluster,
    ):
        return _answer(query, given.format, cluster.node(given.node).endpoint)


def _answer(query: str, format_name: str, endpoint: Endpoint) -> int:
    from helpers.cluster import http

    try:
        answer = http.post(
            endpoint,
            query,
            endpoint.user,
            endpoint.password,
            "",
            None,
            {"default_format": format_name},
        )
    except http.Refused as refused:
        print(f"Code {refused.code}: {refused.message.strip()}", file=sys.stderr)
        return FAILURES
    sys.stdout.buffer.write(answer)
    return ALL_AS_EXPECTED


def _keeper() -> dict[str, Any] | None:
    """What is up, or None; a keeper that was killed is not."""
    try:
        told: dict[str, Any] = json.loads((PLACE / "environment.json").read_text())
    except (OSError, ValueError):
        return None
    return told if process.process_is(told["pid"], told["started"]) else None


def _how_to_connect(keeper: dict[str, Any]) -> str:
    lines = []
    for one in keeper["nodes"]:
        lines += [
            f"{one['name']}: ClickHouse {one['version']}",
            f"  clickhouse-client --host {one['host']} --port {one['tcp_port']} "
            f"--user {one['user']} --password {one['password']}",
            f"  http://{one['user']}:{one['password']}@{one['host']}:{one['http_port']}/?query=SELECT+1",
        ]
    if keeper["s3"]:
        s3 = keeper["s3"]
        lines += [f"S3: {s3['url']}", f"  access key {s3['access_key']}, secret {s3['secret_key']}"]
    lines += ['Ask:  ./regression.py sql "SELECT version()"', "End:  ./regression.py down"]
    return "\n".join(lines)


def keep(wishes: dict[str, Any]) -> None:
    """The keeper's life: start, tell, wait for the signal, end."""
    with EmbeddedCluster(PLACE / "data", version=wishes["version"]) as cluster:
        ports = (wishes["port"], wishes["port"] + 1) if wishes["port"] else None
        nodes = [
            cluster.node(f"node{number}", ports=ports if number == 1 else None)
            for number in range(1, wishes["nodes"] + 1)
        ]
        told = _told(nodes, cluster, wishes["s3"])
        partial = PLACE / "environment.partial"
        partial.touch(mode=0o600)
        partial.write_text(json.dumps(told))
        partial.rename(PLACE / "environment.json")
        signal.sigwait({signal.SIGTERM, signal.SIGINT})


def _told(nodes: list[EmbeddedNode], cluster: Cluster, s3: bool) -> dict[str, Any]:
    store = cluster.object_store() if s3 else None
    return {
        "pid": os.getpid(),
        "started": process.start_time(os.getpid()),
        "nodes": [
            {"name": one.name, "version": one.version, **vars(one.endpoint)} for one in nodes
        ],
        "s3": store
        and {
            "url": store.url,
            "access_key": store.identities[ADMIN].access_key,
            "secret_key": store.identities[ADMIN].secret_key,
        },
    }


if __name__ == "__main__":
    # Blocked from the start: a `down` that comes early is answered once everything is up.
    signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGTERM, signal.SIGINT})
    try:
        keep(json.loads(sys.argv[1]))
    except (EnvironmentFailed, UsageError, QueryFailed) as error:
        sys.exit(f"regression: {error}")
