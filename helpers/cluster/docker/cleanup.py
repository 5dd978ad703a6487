"""Nothing stays in the engine: every container, network and volume carries the run that it belongs to and
the process that owns it.

A child process (the reaper) waits for the end of its owner and then removes what is left; what a reaper
could not remove, because it was killed too, goes when the next run starts.

    python -m helpers.cluster.docker.cleanup RUN      the reaper: waits until its standard input ends
"""

from __future__ import annotations

import contextlib
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import docker
import requests.exceptions
from docker.errors import APIError, DockerException, NotFound

from helpers.base.errors import EnvironmentFailed
from helpers.base.paths import ROOT
from helpers.cluster.docker.engine import connect
from helpers.cluster.processes import process

RUN, OWNER = "org.regression.run", "org.regression.owner"
QUIET_SWEEPS, PAUSE_SECONDS = 3, 0.5
LONGEST_SECONDS = 120.0


def owner() -> str:
    """An identifier of this process that no other process has, before or after it."""
    pid = os.getpid()
    return f"{_boot()}:{pid}:{process.start_time(pid)}"


def labels_of(run: str) -> dict[str, str]:
    return {RUN: run, OWNER: owner()}


def start_reaper(run: str) -> subprocess.Popen[bytes]:
    """Have everything of this run removed once this process is gone, however it ends."""
    return process.start_survivor([sys.executable, "-m", __name__, run], cwd=ROOT)


def sweep(client: docker.DockerClient) -> list[str]:
    """Remove what belongs to owners that are gone; returns the names of what was there."""
    return [name for run in abandoned(client) for name in remove(client, run)]


def abandoned(client: docker.DockerClient) -> list[str]:
    """The runs whose owners are gone and that still have something in the engine."""
    kinds = (client.containers, client.networks, client.volumes)
    return sorted(
        {
            labels.get(RUN, "")
            for kind in kinds
            for labels in _labels(kind)
            if labels.get(OWNER) and not _lives(labels[OWNER])
        }
    )


def remove(client: docker.DockerClient, run: str) -> list[str]:
    """Remove what belongs to a run; returns the names of what was there.

    Containers first, with their anonymous volumes; networks and volumes are held by them.
    """
    label = f"{RUN}={run}"
    gone = []
    for container in _listed(client.containers, label):
        with contextlib.suppress(APIError):
            container.remove(force=True, v=True)
        gone.append(container.name)
    for kind in (client.networks, client.volumes):
        for resource in _listed(kind, label):
            with contextlib.suppress(APIError):
                resource.remove()
            gone.append(resource.name)
    return gone


def _listed(kind: object, label: str) -> list[docker.models.resource.Model]:
    options = {"all": True, "ignore_removed": True} if hasattr(kind, "run") else {}
    with contextlib.suppress(NotFound):  # gone between two requests
        return list(kind.list(filters={"label": label}, **options))  # type: ignore[attr-defined]
    return []


def _labels(kind: object) -> list[dict[str, str]]:
    return [
        resource.attrs.get("Labels") or resource.attrs.get("Config", {}).get("Labels") or {}
        for resource in _listed(kind, OWNER)
    ]


def _lives(text: str) -> bool:
    """Whether the process that this label names still runs; processes of another boot do not."""
    boot, _, rest = text.partition(":")
    pid, _, started = rest.partition(":")
    try:
        return boot == _boot() and process.process_is(int(pid), float(started))
    except ValueError:
        return False


def _boot() -> str:
    return Path("/proc/sys/kernel/random/boot_id").read_text().strip()


def reap(run: str) -> None:
    """Wait for the end of the owner, then remove everything of its run.

    It looks again until nothing new comes: a request that the engine had taken before may still be
    creating something.
    """
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, signal.SIG_IGN)
    sys.stdin.buffer.read()
    deadline, quiet = time.monotonic() + LONGEST_SECONDS, 0
    while quiet < QUIET_SWEEPS and time.monotonic() < deadline:
        with contextlib.suppress(
            EnvironmentFailed, DockerException, requests.exceptions.RequestException
        ):
            quiet = 0 if remove(connect(), run) else quiet + 1
        time.sleep(PAUSE_SECONDS)


if __name__ == "__main__":
    reap(sys.argv[1])
