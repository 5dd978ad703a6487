"""Runs that are cut short: by time, by signals, by a crash. Nothing is lost, nothing is left running."""

from __future__ import annotations

import json
import os
import re
import signal
import subprocess
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from helpers.runner.supervisor import stacks
from pipelines.system.waiting import poll
from tests.processes import descendants, is_alive
from tests.runner.suite import Suite

ANSWERS = """
@TestScenario
def {name}(self):
    with Then("{title}"):
        assert this().node().value("SELECT 1") == {expected}, error()

"""
QUICK = ANSWERS.format(name="quick", title="it answers", expected=1)
SLOW = f"""{QUICK}
@TestScenario
def slow(self):
    with When("I wait long"):
        print("here", flush=True)
        this().node().query("SELECT sleepEachRow(1) FROM numbers(60) SETTINGS max_block_size = 1")
    with Then("it answers"):
        assert this().node().value("SELECT 1") == 1, error()


@TestScenario
def slow_too(self):
    with When("I wait in Python, where no server could end it"):
        import time
        time.sleep(60)
    with Then("it answers"):
        assert this().node().value("SELECT 1") == 1, error()

{ANSWERS.format(name="last", title="it answers", expected=1)}"""


def until(condition: Callable[[], object], seconds: float = 120) -> None:
    """Wait for the outside world to get there."""
    assert poll(condition, seconds, pause=0.05), "it never happened"


def in_a_slow_step(suite: Suite, run: subprocess.Popen[str]) -> list[int]:
    """Wait for it; returns the pids of everything below the run."""
    until(lambda: run.poll() is not None or list(suite.results.glob("*/scenarios/*-slow")))
    assert run.poll() is None, run.communicate()
    time.sleep(0.5)
    below = descendants(run.pid)
    assert any("python" in name for name in below.values())
    return list(below)


def test_time_limit_ends_a_scenario_and_the_rest_goes_on(suite: Suite) -> None:
    suite.write(SLOW)
    ended = suite.run("--timeout", "3", "--workers", "1")
    assert ended.code == 1
    results = {
        scenario["name"].rpartition("/")[2]: scenario["result"]
        for scenario in ended.document["scenarios"]
    }
    assert results == {"quick": "OK", "slow": "Error", "slow too": "Error", "last": "OK"}
    entry = ended.scenario("slow")
    assert "ran out of time" in entry["reason"]
    assert entry["step"] == "When I wait long"
    assert "time.sleep" not in entry["message"] and "Thread" in entry["message"]
    assert "Stack of the scenario" in entry["message"]
    assert any("sleepEachRow" in statement for statement in entry["statements"]), (
        "though it never returned"
    )
    folder = ended.results / "latest" / entry["folder"]
    assert "sleepEachRow" in (folder / "node1.log").read_text()
    script = (folder / "repro.sql").read_text()
    assert re.search(r"no answer \*/ SELECT sleepEachRow\(1\) FROM numbers", script)
    # The scenario's own line comes first, also on the console; the whole stack follows.
    lines = entry["message"].splitlines()
    assert re.fullmatch(r"At .*/feature/topic\.py:\d+ in slow:", lines[2]), lines
    assert lines[3].strip().startswith('this().node().query("SELECT sleepEachRow(1)')
    assert lines[2] in ended.out and lines[3].strip() in ended.out
    assert any("session.py" in line for line in lines) and "runner/worker.py" not in lines[5]
    too = ended.scenario("slow too")["message"].splitlines()
    assert too[3].strip() == "time.sleep(60)"
    # Running it again means with the same limit.
    assert entry["rerun"].startswith('./regression.py --only "/feature/topic/slow" --seed ')
    assert entry["rerun"].endswith(f" --timeout 3 --scenarios {suite.folder}")


def test_the_line_of_a_scenario_in_an_awkward_path(tmp_path: Path) -> None:
    """faulthandler escapes such characters; the scenario's own line comes first nevertheless."""
    file = tmp_path / 'pr\u00fcfung \u20ac "x" it\'s' / "topic.py"
    file.parent.mkdir()
    file.write_text("it_hangs()\n")
    escaped = str(file).encode("ascii", "backslashreplace").decode()
    stack = (
        "Current thread 0x1 (most recent call first):\n"
        f'  File "{escaped}", line 1 in hangs\n'
        '  File "<frozen runpy>", line 198 in _run_module_as_main\n'
    )
    assert stacks.readable(stack, tmp_path).splitlines()[:2] == [
        f"At {file}:1 in hangs:",
        "    it_hangs()",
    ]


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_interrupted(suite: Suite, number: signal.Signals) -> None:
    suite.write(SLOW)
    run = suite.start("--workers", "1")
    pids = in_a_slow_step(suite, run)
    run.send_signal(number)
    out, err = run.communicate(timeout=30)
    assert run.returncode == 4, (out, err)
    assert "Traceback" not in err
    assert not any(map(is_alive, pids))
    document = json.loads((suite.results / "latest/results.json").read_text())
    results = {
        scenario["name"].rpartition("/")[2]: scenario["result"]
        for scenario in document["scenarios"]
    }
    assert results == {"quick": "OK", "slow": "NotRun", "slow too": "NotRun", "last": "NotRun"}
    assert document["run"]["interrupted"] == f"interrupted by {number.name}"
    assert number.name in out and "3 scenarios did not run" in out
    run_folder = suite.results / "latest"
    assert not (run_folder / "data").exists()
    assert not (run_folder / "running.lock").exists()
    assert (run_folder / "coverage.html").stat().st_size > 1000


def test_a_worker_that_is_killed_loses_only_its_scenario(suite: Suite) -> None:
    suite.write(SLOW.replace("numbers(60)", "numbers(4)").replace("sleep(60)", "sleep(1)"))
    run = suite.start("--workers", "1")
    pids = in_a_slow_step(suite, run)
    workers = [pid for pid in pids if b"helpers.runner.worker.program" in cmdline(pid)]
    assert len(workers) == 1
    os.kill(workers[0], signal.SIGKILL)
    until(lambda: not any(map(is_alive, pids)), 10)  # its servers went with it
    out, err = run.communicate(timeout=60)
    assert run.returncode == 1, (out, err)
    document = json.loads((suite.results / "latest/results.json").read_text())
    entries = {scenario["name"].rpartition("/")[2]: scenario for scenario in document["scenarios"]}
    assert entries["slow"]["result"] == "Error"
    assert "killed by SIGKILL" in entries["slow"]["reason"]
    assert entries["slow too"]["result"] == entries["last"]["result"] == "OK"


def test_a_parent_that_is_killed_takes_everything_with_it(suite: Suite) -> None:
    suite.write(SLOW)
    run = suite.start("--workers", "2")
    pids = in_a_slow_step(suite, run)
    run.kill()
    run.communicate()
    until(lambda: not any(map(is_alive, pids)), 10)
    left = next(path for path in suite.results.iterdir() if path.is_dir())
    assert (left / "data").is_dir()
    # The next run sweeps up.
    suite.write(QUICK)
    assert suite.run().code == 0
    assert not (left / "data").exists()


def test_two_runs_side_by_side(suite: Suite) -> None:
    suite.write(QUICK)
    runs = [suite.start() for _ in range(2)]
    ended = [run.communicate(timeout=60) for run in runs]
    assert [run.returncode for run in runs] == [0, 0], ended
    assert len([path for path in suite.results.iterdir() if not path.is_symlink()]) == 2


def test_fail_fast(suite: Suite) -> None:
    failing = ANSWERS.format(name="first", title="it fails", expected=2)
    failing += ANSWERS.format(name="second", title="it answers", expected=1)
    suite.write(failing)
    ended = suite.run("--fail-fast", "--workers", "1")
    assert ended.code == 1
    assert ended.scenario("first")["result"] == "Fail"
    assert (ended.scenario("second")["result"], ended.scenario("second")["reason"]) == (
        "NotRun",
        "fail-fast",
    )


def test_keep_keeps_the_data_of_a_good_run(suite: Suite) -> None:
    suite.write(QUICK)
    assert suite.run("--keep").code == 0
    assert list((suite.results / "latest/data").glob("*/node1/data"))


def cmdline(pid: int) -> bytes:
    try:
        return Path(f"/proc/{pid}/cmdline").read_bytes()
    except OSError:
        return b""
