"""Nothing stays in the engine, however a run ends."""

from __future__ import annotations

import secrets
import signal
import subprocess
import sys
from pathlib import Path

import docker
import pytest

from helpers.base.paths import ROOT
from helpers.base.time_limits import scaled
from helpers.cluster.docker import cleanup as docker_cleanup
from helpers.cluster.docker import images as docker_images
from helpers.cluster.docker import recipes as docker_recipes
from helpers.cluster.docker.cleanup import OWNER, RUN
from pipelines.system.waiting import poll
from tests.processes import ENDS

pytestmark = pytest.mark.xdist_group("docker")
DEAD = "0-0-0:1:1.0"
CLUSTER = """
import sys, time
from pathlib import Path
from helpers.cluster.docker.choice import image_of
from tests.docker.clusters import docker_cluster
cluster = docker_cluster(Path({folder!r}), image_of(None))
cluster.node()
print(cluster.run, flush=True)
time.sleep(600)
"""


def new_run() -> str:
    """A name that no other run on this machine has: they share one engine."""
    return f"regression-test-{secrets.token_hex(4)}"


def left(engine: docker.DockerClient, run: str) -> list[str]:
    filters = {"label": f"{RUN}={run}"}
    return [
        resource.name
        for kind, options in (
            (engine.containers, {"all": True}),
            (engine.networks, {}),
            (engine.volumes, {}),
        )
        for resource in kind.list(filters=filters, **options)
    ]


@pytest.mark.parametrize("end", ENDS)
def test_a_killed_run_leaves_nothing(
    engine: docker.DockerClient, tmp_path: Path, end: signal.Signals
) -> None:
    child = subprocess.Popen(
        [sys.executable, "-c", CLUSTER.format(folder=str(tmp_path))],
        cwd=ROOT,
        stdout=subprocess.PIPE,
        text=True,
    )
    assert child.stdout is not None
    run = child.stdout.readline().strip()
    assert len(left(engine, run)) >= 2, "a container and a network"
    child.send_signal(end)
    child.wait()
    assert poll(lambda: not left(engine, run), scaled(60), pause=0.2), left(engine, run)


def test_leftovers_of_a_dead_owner_are_swept(engine: docker.DockerClient) -> None:
    """As after a kill -9 of the run and of its reaper."""
    living, dead = new_run(), new_run()
    ours, theirs = docker_cleanup.labels_of(living), {RUN: dead, OWNER: DEAD}
    try:
        for labels in (ours, theirs):
            engine.networks.create(f"{labels[RUN]}-network", labels=labels)
            engine.volumes.create(f"{labels[RUN]}-volume", labels=labels)
        docker_cleanup.sweep(engine)
        assert left(engine, dead) == []
        assert len(left(engine, living)) == 2, "its owner is this process"
    finally:
        docker_cleanup.remove(engine, living)
    assert left(engine, living) == []


def test_down_all_sweeps(engine: docker.DockerClient, tmp_path: Path) -> None:
    def is_told() -> bool:
        """False if another run on this machine has swept the volume first."""
        run = new_run()
        engine.volumes.create(f"{run}-volume", labels={RUN: run, OWNER: DEAD})
        ended = subprocess.run(
            [sys.executable, "-m", "helpers.cli.main", "down", "--all", "--results", str(tmp_path)],
            cwd=ROOT,
            capture_output=True,
            text=True,
        )
        assert ended.returncode == 0, ended.stderr
        assert left(engine, run) == []
        return f"{run}-volume: removed" in ended.stdout

    assert any(is_told() for _ in range(5))


def test_what_is_started_by_hand_is_left_alone(engine: docker.DockerClient) -> None:
    run = new_run()
    volume = engine.volumes.create(f"{run}-volume", labels={RUN: run, OWNER: ""})
    try:
        docker_cleanup.sweep(engine)
        assert left(engine, run) == [f"{run}-volume"]
    finally:
        volume.remove()


def test_images_are_no_leftovers(engine: docker.DockerClient) -> None:
    names = [recipe.name for recipe in docker_recipes.all_recipes()]
    missing = docker_images.missing(engine, names)
    assert len(missing) < len(names)
    docker_cleanup.sweep(engine)
    assert docker_images.missing(engine, names) == missing
