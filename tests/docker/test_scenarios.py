"""Scenarios end in containers as they have to end on a server of that version, and none is left out."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import docker
import pytest

from helpers.base.paths import ROOT
from helpers.cluster.docker import recipes as docker_recipes
from helpers.report.load import load_results
from tests.docker.conftest import build

pytestmark = pytest.mark.xdist_group("docker")
# On every change: one that looks at rows, one that uses the object store.
CHEAP = (
    "/replace partition/statement/keep data/*",
    "/replace partition/storage/s3/objects of both tables",
)
# Of every feature a few that look into files, end servers, use an object store, or are known deviations.
SLICE = (
    *CHEAP,
    "/replacing merge tree/rows/restart/*",
    "/table parts/life/names/*",
    "/hive partitioning/reads/virtual columns/*",
    "/hive partitioning/spark/writes/*",
    "/export part/refused/parts that are not there",
)
# The wheel as the project starts it, and as the official image would.
IMAGES = ("clickhouse", "official")
REPLICAS = "/replace partition/replica*"


def verdicts(
    engine: docker.DockerClient, folder: Path, image: str, *options: str
) -> dict[str, str]:
    """How scenarios ended in containers of one of our images, all of them as expected."""
    build(engine, [image])
    ended = subprocess.run(
        [
            sys.executable,
            "-m",
            "helpers.cli.main",
            "--env",
            "docker",
            "--clickhouse-image",
            docker_recipes.find(image).reference,
            "--results",
            str(folder),
            *options,
        ],
        cwd=ROOT,
        capture_output=True,
        text=True,
    )
    assert ended.returncode == 0, ended.stdout + ended.stderr
    results = load_results(folder / "latest")
    return {scenario.name: str(scenario.result) for scenario in results.scenarios}


@pytest.mark.parametrize("image", IMAGES)
def test_scenarios_run_in_containers(
    engine: docker.DockerClient, tmp_path: Path, image: str
) -> None:
    found = verdicts(engine, tmp_path, image, "--workers", "1", "--only", *CHEAP)
    assert len(found) >= 3 and set(found.values()) == {"OK"}, found


@pytest.mark.nightly
@pytest.mark.parametrize("image", IMAGES)
def test_a_slice_of_every_feature(engine: docker.DockerClient, tmp_path: Path, image: str) -> None:
    found = verdicts(engine, tmp_path, image, "--only", *SLICE)
    assert {name.split("/")[1] for name in found} == {pattern.split("/")[1] for pattern in SLICE}
    assert set(found.values()) == {"OK", "XFail"}, found


@pytest.mark.nightly
def test_every_scenario_of_replicas(
    engine_for_replicas: docker.DockerClient, tmp_path: Path
) -> None:
    """Killed, frozen, cut off from each other and from coordination, they converge: none is skipped."""
    found = verdicts(engine_for_replicas, tmp_path, "clickhouse-18", "--only", REPLICAS)
    assert len(found) >= 16 and any("cut off" in name for name in found)
    assert set(found.values()) <= {"OK", "XFail"}, found


@pytest.mark.nightly
def test_keeper_by_option(engine_for_replicas: docker.DockerClient, tmp_path: Path) -> None:
    """At Keeper's port; the service is our ZooKeeper there, because no package index has a Keeper."""
    image = docker_recipes.find("zookeeper").reference
    options = ["--coordination", "keeper", "--coordination-image", image, "--only"]
    only = "/replace partition/replicas/agreement/source with replicas"
    found = verdicts(engine_for_replicas, tmp_path, "clickhouse-18", *options, only)
    assert found == {only: "OK"}
