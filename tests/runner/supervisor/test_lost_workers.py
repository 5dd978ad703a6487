"""A worker that fails outside of a scenario costs that scenario; a full disk ends the run."""

from __future__ import annotations

from pathlib import Path

import pytest

from helpers.base.paths import ROOT
from tests.runner.suite import Suite, scenario_text

# The longest time limit: it starts first, and the others need another worker.
BREAKS = """
import errno, os

@TestScenario
@time_limit(300)
def breaks(self):
    def close():
        raise {error}
    with Then("the scenario itself ends well"):
        assert this().node().value("SELECT 1") == 1
    this().close = close
"""
# In place of the second worker's cluster.
NO_CLUSTER = """
import helpers.cluster.environments

real = helpers.cluster.environments.open_cluster

def open_cluster(target, folder):
    if folder.name in {folders!r}:
        raise {error}
    return real(target, folder)

helpers.cluster.environments.open_cluster = open_cluster
"""


@pytest.mark.parametrize(
    ("error", "told"),
    [
        ("ConnectionResetError(104, 'reset by peer')", "ConnectionResetError: [Errno 104] reset"),
        ("ValueError('first line\\nsecond line')", "ValueError: first line"),
        ("SystemExit(3)", "SystemExit: 3"),
    ],
)
def test_it_costs_one_scenario(suite: Suite, error: str, told: str) -> None:
    suite.write(BREAKS.format(error=error) + scenario_text("one", "it is so", "assert this()"))
    ended = suite.run("--workers", "1")
    assert ended.code == 1, ended.err
    assert ended.scenario("one")["result"] == "OK"
    broken = ended.scenario("breaks")
    assert broken["result"] == "Error"
    assert broken["reason"].startswith(f"failed outside of the scenario: {told}"), broken["reason"]
    assert "second line" not in broken["reason"]
    assert "in close" in broken["message"] and "Traceback" in broken["message"]
    assert broken["step"] is None
    assert broken["seconds"] < 60, "nobody waited for the time limit"
    assert (ended.results / "latest" / broken["folder"] / "failure.txt").exists()


@pytest.mark.parametrize("number", ["ENOSPC", "EDQUOT"])
def test_a_full_disk_ends_the_run(suite: Suite, number: str) -> None:
    error = f"OSError(errno.{number}, os.strerror(errno.{number}))"
    suite.write(BREAKS.format(error=error) + scenario_text("one", "it is so", "assert this()"))
    ended = suite.run("--workers", "1")
    assert ended.code == 3, ended.out
    (line,) = ended.err.splitlines()
    assert line.startswith("regression: Could not write in ") and "Make room" in line
    assert ended.scenario("one")["result"] == "NotRun"


def started(tmp_path: Path, folders: list[str], error: str) -> Suite:
    """A suite of which some workers cannot open their cluster."""
    (tmp_path / "sitecustomize.py").write_text(NO_CLUSTER.format(folders=folders, error=error))
    suite = Suite(tmp_path)
    suite.write(
        BREAKS.format(error="KeyError('x')") + scenario_text("one", "it is so", "assert this()")
    )
    return suite


def test_a_worker_that_cannot_start_costs_one_scenario(tmp_path: Path) -> None:
    """It takes the place of the first one, which had a cluster."""
    suite = started(tmp_path, ["worker-2-1"], "ConnectionRefusedError(111, 'refused')")
    body = "".join(scenario_text(name, "it is so", "assert this()") for name in ("two", "three"))
    suite.write(body, topic="other")
    ended = suite.run("--workers", "1", PYTHONPATH=f"{tmp_path}:{ROOT}")
    assert ended.code == 1, ended.err
    results = [scenario["result"] for scenario in ended.document["scenarios"]]
    assert sorted(results) == ["Error", "Error", "OK", "OK"], ended.out
    reasons = [scenario.get("reason") or "" for scenario in ended.document["scenarios"]]
    assert any(reason.startswith("A worker ended before it was ready") for reason in reasons)


def test_without_any_worker_the_run_ends(tmp_path: Path) -> None:
    suite = started(tmp_path, ["worker-1-1", "worker-2-1"], "ValueError('no')")
    ended = suite.run("--workers", "2", PYTHONPATH=f"{tmp_path}:{ROOT}")
    assert ended.code == 3, ended.out
    assert "A worker ended before it was ready" in ended.err and "ValueError: no" in ended.err
    assert {scenario["result"] for scenario in ended.document["scenarios"]} == {"NotRun"}
