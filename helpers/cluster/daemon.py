"""A cluster without scenarios: a process in the background that holds the servers until it is ended.

It describes what it holds in `environment.json`, readable by its owner only because passwords are in it.
It holds a lock on the folder above as long as it runs, so that there is one of it.
"""

from __future__ import annotations

import json
import os
import shutil
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from helpers.base import signals as interrupts
from helpers.base.errors import EnvironmentFailed, RegressionError, UsageError
from helpers.base.files import write_whole
from helpers.base.paths import ROOT
from helpers.base.time_limits import scaled
from helpers.cluster import FIRST_NODE, environments
from helpers.cluster.client.failures import QueryFailed
from helpers.cluster.client.session import Endpoint
from helpers.cluster.object_store import ADMIN
from helpers.cluster.processes import process
from helpers.cluster.target import Target
from pipelines.system.waiting import poll

START_SECONDS = 60.0
STOP_SECONDS = 20.0
DESCRIPTION = "environment.json"
LOG = "daemon.log"
BUCKET = "playground"


@dataclass(frozen=True)
class Wanted:
    """What a daemon is asked to start, and where."""

    folder: str
    target: Target
    nodes: int
    port: int | None
    s3: bool


@dataclass(frozen=True)
class RunningNode:
    """A node that is up."""

    name: str
    version: str
    endpoint: Endpoint


@dataclass(frozen=True)
class RunningStore:
    """An object store that is up, and a bucket that exists in it."""

    url: str
    bucket: str
    access_key: str
    secret_key: str


@dataclass(frozen=True)
class Running:
    """A daemon that is up, and what it holds."""

    pid: int
    started: float
    nodes: list[RunningNode]
    s3: RunningStore | None


def find(folder: Path) -> Running | None:
    """The daemon of this folder, or None; one that was killed is none.

    One that another version of this program describes cannot be used: a UsageError.
    """
    try:
        described: dict[str, Any] = json.loads((folder / DESCRIPTION).read_text())
        pid, started = described["pid"], described["started"]
    except (OSError, ValueError, LookupError, TypeError):
        return None
    if not process.process_is(pid, started):
        return None
    try:
        nodes = [
            RunningNode(node["name"], node["version"], Endpoint(**node["endpoint"]))
            for node in described["nodes"]
        ]
        store = RunningStore(**described["s3"]) if described["s3"] else None
    except (LookupError, TypeError):
        raise UsageError(
            f"The environment in {folder} was started by another version of this program, which "
            f"describes it in another way; end its process with: kill {pid}."
        ) from None
    return Running(pid, started, nodes, store)


@contextmanager
def started(wanted: Wanted, lock: int) -> Iterator[Running]:
    """A daemon whose servers are up, which holds the lock from now on; it stays unless the block is left
    by an exception: whoever was interrupted has not been told how to connect."""
    folder = Path(wanted.folder)
    try:
        shutil.rmtree(folder, ignore_errors=True)
        folder.mkdir(mode=0o700)
    except OSError as error:
        raise UsageError(f"{folder} cannot be used: {error.strerror}.") from None
    child = None
    try:
        # A signal between the start of the process and the assignment would leave it running.
        with (folder / LOG).open("w") as log, interrupts.waiting():
            child = subprocess.Popen(
                [sys.executable, "-m", "helpers.cluster.daemon", json.dumps(asdict(wanted))],
                cwd=ROOT,
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=subprocess.STDOUT,
                start_new_session=True,
                pass_fds=[lock],
            )
        running = poll(
            lambda: find(folder),
            scaled(START_SECONDS),
            give_up=lambda: child.poll() is not None,
        )
        if running is None:
            output = (folder / LOG).read_text().strip()
            raise EnvironmentFailed(output.removeprefix("regression: ") or "It did not come up.")
        yield running
    except BaseException:  # Ctrl-C as well: nothing half-started stays behind
        if child is not None:
            child.kill()
            child.wait()
        shutil.rmtree(folder, ignore_errors=True)
        raise


def stop(running: Running, folder: Path) -> None:
    """End a daemon and its servers, and remove their data."""
    os.kill(running.pid, signal.SIGTERM)
    if not process.wait_until_gone(running.pid, running.started, STOP_SECONDS):
        os.kill(running.pid, signal.SIGKILL)
    shutil.rmtree(folder, ignore_errors=True)


def run(wanted: Wanted) -> None:
    """Start the servers, describe them, wait for the signal, end them."""
    folder = Path(wanted.folder)
    with environments.open_cluster(wanted.target, folder / "data") as cluster:
        if wanted.port:
            cluster.node(FIRST_NODE, ports=(wanted.port, wanted.port + 1))
        nodes = cluster.several([f"node{number}" for number in range(1, wanted.nodes + 1)])
        store = None
        if wanted.s3:
            s3 = cluster.object_store()
            s3.make_bucket(BUCKET)
            admin = s3.identities[ADMIN]
            store = RunningStore(s3.url, BUCKET, admin.access_key, admin.secret_key)
        running = Running(
            os.getpid(),
            process.start_time(os.getpid()),
            [RunningNode(node.name, node.version, node.endpoint) for node in nodes],
            store,
        )
        write_whole(folder / DESCRIPTION, json.dumps(asdict(running)).encode(), mode=0o600)
        signal.sigwait({signal.SIGTERM, signal.SIGINT})


if __name__ == "__main__":
    # Blocked from the start: a `down` that comes early is answered once everything is up.
    signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGTERM, signal.SIGINT})
    try:
        given = json.loads(sys.argv[1])
        run(Wanted(**{**given, "target": Target(**given["target"])}))
    except (RegressionError, QueryFailed) as error:
        sys.exit(f"regression: {error}")
