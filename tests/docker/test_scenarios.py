"""Scenarios end in containers as they have to end on a server of that version, and none is left out."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import docker
import pytest

from helpers.base.paths import ROOT
from helpers.report.load import load_results

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
    "/export part/refused/parts that are not there",
)
REPLICAS = "/replace partition/replica*"


def verdicts(folder: Path, *options: str) -> dict[str, str]:
    """How scenarios ended in containers, all of them as expected."""
    ended = subprocess.run(
        [
            sys.executable,
            "-m",
            "helpers.cli.main",
            "--env",
            "docker",
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


def test_scenarios_run_in_containers(engine: docker.DockerClient, tmp_path: Path) -> None:
    found = verdicts(tmp_path, "--workers", "1", "--only", *CHEAP)
    assert len(found) >= 3 and set(found.values()) == {"OK"}, found


@pytest.mark.nightly
def test_a_slice_of_every_feature(engine: docker.DockerClient, tmp_path: Path) -> None:
    found = verdicts(tmp_path, "--only", *SLICE)
    assert {name.split("/")[1] for name in found} == {pattern.split("/")[1] for pattern in SLICE}
    assert set(found.values()) == {"OK", "XFail"}, found


@pytest.mark.nightly
def test_every_scenario_of_replicas(
    engine_for_replicas: docker.DockerClient, tmp_path: Path
) -> None:
    """Killed, frozen, cut off from each other and from coordination, they converge: none is skipped."""
    found = verdicts(tmp_path, "--clickhouse-version", "18.16", "--only", REPLICAS)
    assert len(found) >= 16 and any("cut off" in name for name in found)
    assert set(found.values()) <= {"OK", "XFail"}, found
