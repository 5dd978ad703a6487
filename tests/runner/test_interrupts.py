"""Signals at random moments of a run, from its first line to its last: none is lost, nothing is left.

INTERRUPT_TRIES=200 makes as many tries of each kind, the nightly workflow 50; otherwise there are a few.
INTERRUPT_SEED repeats the moments of an earlier time.
"""

from __future__ import annotations

import json
import os
import random
import signal
import subprocess
import sys
import time
from collections import Counter
from pathlib import Path

import pytest

from helpers.base.paths import ROOT
from helpers.base.time_limits import scaled
from helpers.cluster.processes.process import RUN_MARK
from helpers.runner.folder import LOCK
from pipelines.system.waiting import poll
from tests.processes import with_variable
from tests.runner.suite import Suite
from tests.terminal import CTRL_C, Terminal

TRIES = int(os.environ.get("INTERRUPT_TRIES") or 3)
END_SECONDS = 60.0
INTERRUPTED = 4
BODY = """
@TestScenario
def slow(self):
    with Then("it waits"):
        assert this().node().query(
            "SELECT sleepEachRow(1) FROM numbers(60) SETTINGS max_block_size = 1"
        ), error()
"""
SHORT = BODY.replace("numbers(60)", "numbers(1)")


def start(suite: Suite, ignoring: signal.Signals | None = None) -> Terminal:
    """Start a run by the launcher, as a user does."""
    command = [sys.executable, str(ROOT / "regression.py"), *suite.command("--workers", "1")[3:]]
    return Terminal(command, ROOT, {**os.environ, "REGRESSION_VENV": sys.prefix}, ignoring)


def send(run: Terminal, number: signal.Signals) -> None:
    if number == signal.SIGINT:
        run.press(CTRL_C)
    else:
        run.process.send_signal(number)


@pytest.fixture(scope="module")
def seconds_until_slow(tmp_path_factory: pytest.TempPathFactory) -> float:
    """How long it takes to the first statement of the scenario here and now."""
    suite = Suite(tmp_path_factory.mktemp("slow"))
    suite.write(BODY)
    started = time.monotonic()
    run = start(suite)
    pattern = "*/scenarios/*-slow/statements.jsonl"
    assert poll(lambda: list(suite.results.glob(pattern)), scaled(END_SECONDS))
    took = time.monotonic() - started
    run.press(CTRL_C)
    assert run.ended(END_SECONDS)[0] == INTERRUPTED
    return took


@pytest.fixture(scope="module")
def seconds_of_all(tmp_path_factory: pytest.TempPathFactory) -> float:
    """How long a short run takes here and now."""
    suite = Suite(tmp_path_factory.mktemp("short"))
    suite.write(SHORT)
    started = time.monotonic()
    assert start(suite).ended(END_SECONDS)[0] == 0
    return time.monotonic() - started


def left_running(results: Path) -> list[int]:
    """Processes of runs with these results."""
    mark = f"{RUN_MARK}={results}/".encode()
    return list(with_variable(lambda variable: variable.startswith(mark)))


def check_nothing_is_left(suite: Suite, moment: float) -> None:
    """Servers end with their worker, in a moment; folders are tidied up before the command ends."""
    assert poll(lambda: not left_running(suite.results), scaled(10)), (moment, suite.results)
    left = [*suite.results.glob(f"*/{LOCK}"), *suite.results.glob("*/data")]
    assert not left, (moment, left)


def moments(longest: float, least: float = 0.0) -> list[float]:
    """Random moments of a run, one in each of as many equal sections of it."""
    rng = random.Random(os.environ.get("INTERRUPT_SEED") or None)
    section = (longest - least) / TRIES
    return [least + section * (number + rng.random()) for number in range(TRIES)]


@pytest.mark.parametrize("name", ["SIGINT", "SIGTERM", "SIGHUP"])
def test_an_interrupt_is_never_lost(suite: Suite, name: str, seconds_until_slow: float) -> None:
    number, longest = signal.Signals[name], seconds_until_slow
    suite.write(BODY)
    codes: Counter[int] = Counter()
    for moment in moments(1.1 * longest):
        run = start(suite)
        time.sleep(moment)
        runs = len(list(suite.results.glob("*")))
        send(run, number)
        code, written = run.ended(END_SECONDS)
        # Before the first line of the launcher Python has its own way of ending, and its own words.
        by_python = code == -number or "Fatal Python error: init_import_site" in written
        early = by_python and runs == len(list(suite.results.glob("*")))
        assert code == INTERRUPTED or early, (moment, code, written)
        assert early or "Traceback" not in written, (moment, written)
        check_nothing_is_left(suite, moment)
        codes[code] += 1
    print(f"{name}: {dict(codes)}, at most {longest:.1f} s after the start")
    assert codes[INTERRUPTED] > TRIES / 2


def test_an_interrupt_at_the_end_of_a_run(suite: Suite, seconds_of_all: float) -> None:
    """While results are written: they are complete, whether the interrupt was in time or not."""
    suite.write(SHORT)
    suite.results.mkdir()
    total = seconds_of_all
    codes: Counter[int] = Counter()
    for moment in moments(1.05 * total, total - 1.0):
        before = set(suite.results.iterdir())
        run = start(suite)
        time.sleep(moment)
        send(run, signal.SIGINT)
        code, written = run.ended(END_SECONDS)
        assert code in (0, INTERRUPTED), (moment, code, written)
        assert "Traceback" not in written, (moment, written)
        [folder] = {path for path in suite.results.iterdir() if not path.is_symlink()} - before
        missing = [
            name
            for name in ("results.json", "coverage.html", "coverage.md", "junit.xml")
            if not (folder / name).exists()
        ]
        assert not missing, (moment, code, missing, written)
        check_nothing_is_left(suite, moment)
        codes[code] += 1
    print(f"at the end: {dict(codes)}, in the last second of {total:.1f} s")


def test_an_interrupt_in_code_that_is_made_from_text(tmp_path: Path) -> None:
    """As that of dataclasses, whose modules are imported all the time: the exit code is still ours."""
    (tmp_path / "interrupted.py").write_text(
        "import os, signal, sys\n"
        "from helpers.base.signals import SIGNALS, raising\n"
        "with raising():\n"
        "    try:\n"
        "        exec('os.kill(os.getpid(), signal.SIGTERM)\\nwhile True: pass')\n"
        "    except KeyboardInterrupt:\n"
        "        signal.pthread_sigmask(signal.SIG_BLOCK, SIGNALS)\n"
        f"sys.exit({INTERRUPTED})\n"
    )
    done = subprocess.run(
        [sys.executable, "-m", "interrupted"],
        env={**os.environ, "PYTHONPATH": f"{tmp_path}:{ROOT}"},
        timeout=scaled(END_SECONDS),
    )
    assert done.returncode == INTERRUPTED


@pytest.mark.parametrize(
    "command",
    [
        ["reproduce", "--all"],
        ["explore"],
        ["--list", "--scenarios", "examples"],
        ["sensitivity", "--list", "--scenarios", "examples"],
    ],
    ids=" ".join,
)
def test_an_interrupt_while_scenario_files_are_loaded(tmp_path: Path, command: list[str]) -> None:
    """Python turns one in __set_name__ into a RuntimeError, which looked like a broken file: exit code 2."""
    place = tmp_path / "examples" / "feature"
    place.mkdir(parents=True)
    (place / "mutants").mkdir()
    for name in ("topic.py", "mutants/rows.py"):
        (place / name).write_text(
            "import os, signal\n"
            "class Property:\n"
            "    def __set_name__(self, owner, name):\n"
            "        os.kill(os.getpid(), signal.SIGINT)\n"
            "class Owner:\n"
            "    property = Property()\n"
        )
    (tmp_path / "loading.py").write_text(
        "import pathlib, sys\n"
        "from helpers.cli import main as cli\n"
        "from helpers.cli import explore, reproduce\n"
        "from helpers.runner.discovery import load\n"
        "for module in explore, reproduce:\n"
        f"    module.known_deviations = lambda: load(pathlib.Path({str(place.parent)!r}))\n"
        "sys.exit(cli.program())\n"
    )
    done = subprocess.run(
        [sys.executable, "-m", "loading", *command],
        env={**os.environ, "PYTHONPATH": f"{tmp_path}:{ROOT}"},
        cwd=tmp_path,
        capture_output=True,
        text=True,
        timeout=scaled(END_SECONDS),
    )
    assert (done.returncode, done.stderr) == (INTERRUPTED, "regression: interrupted\n")


def test_an_interrupt_of_explore_that_has_just_made_its_folder(tmp_path: Path) -> None:
    (tmp_path / "interrupted.py").write_text(
        "import os, signal, sys\n"
        "from helpers.cli import main as cli\n"
        "from helpers.cli import explore\n"
        "class Folder(explore.RunFolder):\n"
        "    def __init__(self, parent):\n"
        "        super().__init__(parent)\n"
        "        os.kill(os.getpid(), signal.SIGINT)\n"
        "explore.RunFolder = Folder\n"
        "sys.exit(cli.program())\n"
    )
    done = subprocess.run(
        [sys.executable, "-m", "interrupted", "explore", "--results", str(tmp_path / "results")],
        env={**os.environ, "PYTHONPATH": f"{tmp_path}:{ROOT}"},
        capture_output=True,
        text=True,
        timeout=scaled(END_SECONDS),
    )
    assert done.returncode == INTERRUPTED, done.stderr
    assert "Traceback" not in done.stderr
    [folder] = (tmp_path / "results" / "explore").glob("*-*-*")
    assert [file.name for file in folder.iterdir() if file.suffix != ".out"] == []


def test_a_terminal_that_is_closed(suite: Suite) -> None:
    """There is nowhere to write to any more: the run ends in order, with its results."""
    suite.write(BODY)
    run = start(suite)
    pattern = "*/scenarios/*-slow/statements.jsonl"
    assert poll(lambda: list(suite.results.glob(pattern)), scaled(END_SECONDS))
    run.close()
    assert run.ended(END_SECONDS)[0] == INTERRUPTED
    document = json.loads((suite.results / "latest/results.json").read_text())
    assert document["run"]["interrupted"] == "interrupted by SIGHUP"
    assert (suite.results / "latest/coverage.html").stat().st_size > 1000
    check_nothing_is_left(suite, 0)


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGHUP], ids=["in a script", "nohup"])
def test_a_signal_that_is_ignored_from_the_start_stays_so(
    suite: Suite, number: signal.Signals, seconds_of_all: float
) -> None:
    """At any moment: a run in the background of a script, or under nohup, is not ended by it."""
    suite.write(SHORT)
    tried = moments(seconds_of_all)
    for moment in tried if TRIES > 5 else tried[1:2]:
        run = start(suite, ignoring=number)
        time.sleep(moment)
        send(run, number)
        code, written = run.ended(END_SECONDS)
        assert code == 0, (moment, code, written)
        check_nothing_is_left(suite, moment)
