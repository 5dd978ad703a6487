"""`up`, `down` and `sql`: an environment to play with, without scenarios.

`up` leaves a keeper behind: a process of its own session that holds the servers until `down` ends it.
What it holds is told in `environment.json`, readable by its owner only, because passwords are in it.
"""

from __future__ import annotations

import argparse
import contextlib
import fcntl
import json
import os
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from helpers.cluster import environments, process
from helpers.cluster.cluster import FIRST_NODE, Cluster
from helpers.cluster.embedded import EmbeddedCluster
from helpers.cluster.embedded_node import EmbeddedNode
from helpers.cluster.failures import QueryFailed
from helpers.cluster.object_store import ADMIN
from helpers.cluster.session import Endpoint
from helpers.errors import ALL_AS_EXPECTED, FAILURES, EnvironmentFailed, UsageError
from helpers.paths import RESULTS, ROOT
from helpers.timeouts import scaled

START_SECONDS = 60.0
UNKNOWN_FORMAT = 73
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
        made.add_argument(
            "--node", metavar="N", default=FIRST_NODE, help="which one (default: node1)"
        )
        made.add_argument("--format", metavar="F", default="PrettyCompact", help="of the answer")
        made.add_argument("--clickhouse-version", metavar="V", help="another engine, e.g. 26.7")
        made.set_defaults(func=sql)
    made.add_argument(
        "--results", metavar="DIR", default=str(RESULTS), help="where it is kept (default: results)"
    )
    return made


def up(given: argparse.Namespace) -> int:
    if not given.nodes.isdigit() or not 1 <= int(given.nodes) <= MOST_NODES:
        raise UsageError(f"--nodes {given.nodes!r} is not a number from 1 to {MOST_NODES}.")
    if given.port and (not given.port.isdigit() or not 1024 <= int(given.port) <= 65534):
        raise UsageError(f"--port {given.port!r} is not a port from 1024 to 65534.")
    with _lock(given) as lock:
        if lock is None:
            raise UsageError("An environment is up already; ./regression.py down ends it.")
        environments.check(environments.DEFAULT, given.clickhouse_version, print)
        print(_how_to_connect(_start_keeper(given, lock)))
    return ALL_AS_EXPECTED


def _start_keeper(given: argparse.Namespace, lock: int) -> dict[str, Any]:
    """Leave a keeper behind that holds our lock from now on; what it says about itself."""
    place = _place(given)
    shutil.rmtree(place, ignore_errors=True)
    place.mkdir(mode=0o700)
    wishes = {
        "place": str(place),
        "nodes": int(given.nodes),
        "s3": given.s3,
        "version": given.clickhouse_version,
        "port": int(given.port) if given.port else None,
    }
    keeper = subprocess.Popen(
        [sys.executable, "-m", "helpers.commands.environment", json.dumps(wishes)],
        cwd=ROOT,
        stdin=subprocess.DEVNULL,
        stdout=(place / "keeper.log").open("w"),
        stderr=subprocess.STDOUT,
        start_new_session=True,
        pass_fds=[lock],
    )
    deadline = time.monotonic() + scaled(START_SECONDS)
    try:
        while (told := _keeper(place)) is None:
            if keeper.poll() is not None or time.monotonic() > deadline:
                last_words = (place / "keeper.log").read_text().strip()
                raise EnvironmentFailed(
                    last_words.removeprefix("regression: ") or "It did not come up."
                )
            time.sleep(0.02)
    except BaseException:  # Ctrl-C as well: nothing half-started stays behind
        keeper.kill()
        keeper.wait()
        shutil.rmtree(place, ignore_errors=True)
        raise
    return told


def down(given: argparse.Namespace) -> int:
    place = _place(given)
    keeper = _keeper(place)
    if keeper is None:
        with _lock(given) as lock:
            if lock is None:
                raise UsageError("An environment is just starting; try again when it is up.")
            shutil.rmtree(place, ignore_errors=True)
        print("Nothing is up.")
        return ALL_AS_EXPECTED
    os.kill(keeper["pid"], signal.SIGTERM)
    if not process.wait_until_gone(keeper["pid"], keeper["started"], 20):
        os.kill(keeper["pid"], signal.SIGKILL)
    shutil.rmtree(place, ignore_errors=True)
    print("Down; nothing is left.")
    return ALL_AS_EXPECTED


def sql(given: argparse.Namespace) -> int:
    query = sys.stdin.read() if given.query == "-" else given.query
    keeper = _keeper(_place(given))
    if keeper is not None:
        nodes = {one["name"]: one for one in keeper["nodes"]}
        if given.node not in nodes:
            raise UsageError(f"No node {given.node!r} is up: there is {', '.join(nodes)}.")
        facts = nodes[given.node]
        endpoint = Endpoint(**{name: facts[name] for name in Endpoint.__dataclass_fields__})
        return _answer(query, given.format, endpoint)
    if given.node != FIRST_NODE:
        raise UsageError(f"Nothing is up, so there is no {given.node!r} to ask.")
    environments.check(environments.DEFAULT, given.clickhouse_version, print)
    with (
        tempfile.TemporaryDirectory(prefix="regression-sql-") as folder,
        EmbeddedCluster(Path(folder), version=given.clickhouse_version) as cluster,
    ):
        return _answer(query, given.format, cluster.node().endpoint)


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
    except OSError as error:
        raise EnvironmentFailed(f"The server did not answer: {error}.") from None
    except http.Refused as refused:
        if refused.code == UNKNOWN_FORMAT and f"Unknown format {format_name}" in refused.message:
            raise UsageError(f"--format {format_name!r} is none that this server knows.") from None
        print(f"Code {refused.code}: {refused.message.strip()}", file=sys.stderr)
        return FAILURES
    sys.stdout.buffer.write(answer)
    return ALL_AS_EXPECTED


def _place(given: argparse.Namespace) -> Path:
    return Path(given.results).resolve() / "up"


@contextlib.contextmanager
def _lock(given: argparse.Namespace) -> Iterator[int | None]:
    """The lock that a keeper holds as long as it lives, or None where one lives already."""
    folder = _place(given).parent
    try:
        folder.mkdir(parents=True, exist_ok=True)
        lock = os.open(folder, os.O_RDONLY)
    except OSError as error:
        raise UsageError(f"--results {given.results} cannot be used: {error.strerror}.") from None
    try:
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            yield None
        else:
            yield lock
    finally:
        os.close(lock)


def _keeper(place: Path) -> dict[str, Any] | None:
    """What is up, or None; a keeper that was killed is not."""
    try:
        told: dict[str, Any] = json.loads((place / "environment.json").read_text())
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
    place = Path(wishes["place"])
    with EmbeddedCluster(place / "data", version=wishes["version"]) as cluster:
        ports = (wishes["port"], wishes["port"] + 1) if wishes["port"] else None
        nodes = [
            cluster.node(f"node{number}", ports=ports if number == 1 else None)
            for number in range(1, wishes["nodes"] + 1)
        ]
        told = _told(nodes, cluster, wishes["s3"])
        partial = place / "environment.partial"
        partial.touch(mode=0o600)
        partial.write_text(json.dumps(told))
        partial.rename(place / "environment.json")
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
