"""The command line on containers: `up`, `sql`, `down`, and runs side by side, however they end."""

from __future__ import annotations

import json
import os
import re
import signal
import subprocess
import sys
from functools import partial
from pathlib import Path

import docker
import pytest

from helpers.base.errors import ALL_AS_EXPECTED, INTERRUPTED
from helpers.base.paths import ROOT
from helpers.base.time_limits import scaled
from helpers.cluster.docker.cleanup import OWNER, RUN
from helpers.report.load import load_results
from pipelines.system.waiting import poll
from tests.docker.test_leftovers import left
from tests.processes import descendants

pytestmark = pytest.mark.xdist_group("docker")
SCENARIO = "/replace partition/statement/keep data/source keeps rows and parts"
CLIENT = r"^  clickhouse-client --host [\d.]+ --port 9000 --user regression --password "


def command(*arguments: str) -> list[str]:
    return [sys.executable, "-m", "helpers.cli.main", *arguments]


def regression(*arguments: str) -> str:
    """What a command that succeeds prints."""
    done = subprocess.run(command(*arguments), cwd=ROOT, capture_output=True, text=True)
    assert done.returncode == ALL_AS_EXPECTED, done.stdout + done.stderr
    return done.stdout


def runs_of(engine: docker.DockerClient, pid: int) -> set[str]:
    """The runs that a process or those that it has started have containers of."""
    owners = {str(owner) for owner in (pid, *descendants(pid))}
    labels = [
        container.labels
        for container in engine.containers.list(filters={"label": OWNER}, ignore_removed=True)
    ]
    return {each[RUN] for each in labels if each[OWNER].split(":")[1] in owners}


def is_gone(engine: docker.DockerClient, run: str) -> bool:
    return not left(engine, run)


def test_up_ask_and_down(engine: docker.DockerClient, tmp_path: Path) -> None:
    results = ("--results", str(tmp_path))
    up = regression("up", "--env", "docker", "--nodes", "2", "--s3", *results)
    daemon = json.loads((tmp_path / "up" / "environment.json").read_text())["pid"]
    (run,) = runs_of(engine, daemon)
    try:
        assert len(left(engine, run)) >= 4, "two nodes, a store and a network"
        assert len(re.findall(CLIENT, up, re.MULTILINE)) == 2, up
        insert, select = re.findall(r"^  (.* s3\(.*);$", up, re.MULTILINE)
        regression("sql", insert, *results)
        asked = regression("sql", select, "--node", "node2", "--format", "CSV", *results)
        assert asked == "0\n1\n2\n"
    finally:
        down = regression("down", *results)
    assert down == "Down; nothing is left.\n"
    assert left(engine, run) == []
    assert not (tmp_path / "up").exists()


def test_a_killed_daemon_leaves_nothing(engine: docker.DockerClient, tmp_path: Path) -> None:
    results = ("--results", str(tmp_path))
    regression("up", "--env", "docker", *results)
    daemon = json.loads((tmp_path / "up" / "environment.json").read_text())["pid"]
    (run,) = runs_of(engine, daemon)
    os.kill(daemon, signal.SIGKILL)
    assert poll(partial(is_gone, engine, run), scaled(60), pause=0.2), left(engine, run)
    assert regression("down", *results) == "Nothing is up.\n"
    assert not (tmp_path / "up").exists()


@pytest.mark.nightly
def test_runs_side_by_side_leave_nothing_however_they_end(
    engine: docker.DockerClient, tmp_path: Path
) -> None:
    """One is left alone; the others end in the middle of their start, where most is on its way."""

    def start(name: str) -> subprocess.Popen[bytes]:
        arguments = ("--env", "docker", "--only", SCENARIO, "--workers", "1")
        return subprocess.Popen(
            command(*arguments, "--results", str(tmp_path / name)),
            cwd=ROOT,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )

    ends = {signal.SIGINT: INTERRUPTED, signal.SIGTERM: INTERRUPTED, signal.SIGKILL: -9}
    whole, ended = start("whole"), {number: start(number.name) for number in ends}
    runs: dict[int, set[str]] = {}
    for child in (whole, *ended.values()):
        found = poll(partial(runs_of, engine, child.pid), scaled(60), pause=0.1)
        assert found, "it has no containers"
        runs[child.pid] = found
    assert len(set().union(*runs.values())) == 4, "each has a cluster of its own"
    for number, child in ended.items():
        child.send_signal(number)
    assert {number: child.wait() for number, child in ended.items()} == ends
    assert whole.wait() == ALL_AS_EXPECTED
    (scenario,) = load_results(tmp_path / "whole" / "latest").scenarios
    assert (scenario.name, str(scenario.result)) == (SCENARIO, "OK")
    for run in set().union(*runs.values()):
        gone = partial(is_gone, engine, run)
        assert poll(gone, scaled(60), pause=0.2), left(engine, run)
