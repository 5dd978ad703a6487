"""Scenarios end in containers as they end on embedded servers of the same version."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import docker
import pytest

from helpers.paths import ROOT
from helpers.report.load import load_results

pytestmark = [pytest.mark.xdist_group("docker"), pytest.mark.nightly]
# Of every feature a few that look into files, end servers, use an object store, or are known deviations.
SLICE = (
    "/replace partition/keep data/*",
    "/replace partition/s3/objects of both tables",
    "/replacing merge tree/restart/*",
    "/table parts/names/*",
    "/hive partitioning/virtual columns/*",
    "/export part/refused/parts that are not there",
)
REPLICAS = "/replace partition/replica*"


def verdicts(folder: Path, *options: str) -> dict[str, str]:
    ended = subprocess.run(
        [sys.executable, "-m", "helpers.cli", "--results", str(folder), *options],
        cwd=ROOT,
        capture_output=True,
        text=True,
    )
    assert ended.returncode in (0, 1), ended.stdout + ended.stderr
    results = load_results(folder / "latest")
    return {scenario.name: str(scenario.result) for scenario in results.scenarios}


def test_verdicts_are_those_of_embedded_servers(
    engine: docker.DockerClient, tmp_path: Path
) -> None:
    there = verdicts(tmp_path / "docker", "--env", "docker", "--only", *SLICE)
    here = verdicts(tmp_path / "embedded", "--only", *SLICE)
    features = {name.split("/")[1] for name in here}
    assert features == {pattern.split("/")[1] for pattern in SLICE}
    assert set(here.values()) <= {"OK", "XFail"}, here
    assert there == here


def test_every_scenario_of_replicas_runs(engine: docker.DockerClient, tmp_path: Path) -> None:
    """Killed, frozen, cut off from each other and from coordination, they converge: none is skipped."""
    found = verdicts(
        tmp_path, "--env", "docker", "--clickhouse-version", "18.16", "--only", REPLICAS
    )
    assert len(found) >= 16 and any("cut off" in name for name in found)
    assert set(found.values()) <= {"OK", "XFail"}, found
