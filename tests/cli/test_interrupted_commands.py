"""Signals at random moments of the commands beside the run: exit code 4, no traceback, nothing is left.

INTERRUPT_TRIES and INTERRUPT_SEED mean what they mean in test_interrupts.py.
"""

from __future__ import annotations

import itertools
import os
import signal
import subprocess
import sys
import time
from collections import Counter
from dataclasses import dataclass
from pathlib import Path

import pytest

from helpers.base.paths import ROOT
from helpers.base.signals import SIGNALS
from helpers.base.time_limits import scaled
from helpers.runner.folder import LOCK
from pipelines.system.waiting import poll
from tests.processes import with_variable
from tests.runner.test_interrupts import END_SECONDS, INTERRUPTED, moments, send
from tests.terminal import Terminal

pytestmark = pytest.mark.nightly

MARK = "INTERRUPTED_COMMAND"
# What Python writes about an exception that it could not hand to anybody.
UNHANDLED = ("Traceback", "Exception ignored")
UP = ["up", "--nodes", "2", "--s3", "--results"]
DOWN = ["down", "--results"]
LONG = {
    "reproduce": ["reproduce", "--all"],
    "explore": ["explore", "--results"],
    "sensitivity": ["sensitivity", "--only", "/replace partition/statement/keep data", "--results"],
}


@dataclass(frozen=True)
class Place:
    """A folder for results, and one for temporary files, of commands that can be told from others."""

    folder: Path

    @property
    def results(self) -> str:
        return str(self.folder / "results")

    @property
    def temporary(self) -> Path:
        return self.folder / "tmp"

    def start(self, arguments: list[str]) -> Terminal:
        if arguments[-1] == "--results":
            arguments = [*arguments, self.results]
        return Terminal(
            [sys.executable, str(ROOT / "regression.py"), *arguments],
            ROOT,
            {
                **os.environ,
                "REGRESSION_VENV": sys.prefix,
                "TMPDIR": str(self.temporary),
                MARK: str(self.folder),
            },
        )

    def finish(self, arguments: list[str]) -> float:
        """Execute a command to its end; how long it took."""
        started = time.monotonic()
        code, written = self.start(arguments).ended(scaled(END_SECONDS))
        assert code == 0, written
        return time.monotonic() - started

    def left_running(self) -> list[str]:
        mark = f"{MARK}={self.folder}".encode()
        return list(with_variable(lambda variable: variable == mark).values())

    def check_nothing_is_left(self, moment: float) -> None:
        assert poll(lambda: not self.left_running(), scaled(10)), (moment, self.left_running())
        left = [*self.temporary.iterdir(), *Path(self.results).rglob(LOCK)]
        assert not left, (moment, left)


@pytest.fixture
def place(tmp_path: Path) -> Place:
    made = Place(tmp_path)
    made.temporary.mkdir()
    return made


def interrupted(place: Place, command: list[str], moment: float, number: signal.Signals) -> int:
    """Send the signal at this moment of a command; how it ended."""
    run = place.start(command)
    time.sleep(moment)
    send(run, number)
    try:
        code, written = run.ended(scaled(END_SECONDS))
    except subprocess.TimeoutExpired:
        pytest.fail(f"{number.name} after {moment:.2f} s was lost")
    # Before the first line of the launcher Python has its own way of ending, and its own words.
    assert code in (0, INTERRUPTED, -number), (number.name, moment, code, written)
    unhandled = code != -number and any(word in written for word in UNHANDLED)
    assert not unhandled, (number.name, moment, written)
    return code


def tries(longest: float) -> list[tuple[float, signal.Signals]]:
    return list(zip(moments(longest), itertools.cycle(SIGNALS), strict=False))


@pytest.mark.parametrize("name", LONG)
def test_a_command_that_takes_long(place: Place, name: str) -> None:
    longest = 2 * place.finish(UP)
    place.finish(DOWN)
    codes: Counter[int] = Counter()
    for moment, number in tries(longest):
        code = interrupted(place, LONG[name], moment, number)
        assert code != 0, f"{number.name} after {moment:.2f} s was lost"
        codes[code] += 1
        place.check_nothing_is_left(moment)
    print(f"{name}: {dict(codes)}, at most {longest:.1f} s after the start")
    assert codes[INTERRUPTED]


def test_up(place: Place) -> None:
    """Servers are up only if the command had ended before."""
    longest = place.finish(UP)
    place.finish(DOWN)
    codes: Counter[int] = Counter()
    for moment, number in tries(longest):
        code = interrupted(place, UP, moment, number)
        codes[code] += 1
        if code == 0:
            place.finish(DOWN)
        place.check_nothing_is_left(moment)
    print(f"up: {dict(codes)}, at most {longest:.1f} s after the start")
    assert codes[INTERRUPTED]


def test_down(place: Place) -> None:
    """It can be repeated, whenever it was interrupted."""
    place.finish(UP)
    longest = place.finish(DOWN)
    codes: Counter[int] = Counter()
    for moment, number in tries(longest):
        place.finish(UP)
        codes[interrupted(place, DOWN, moment, number)] += 1
        place.finish(DOWN)
        place.check_nothing_is_left(moment)
    print(f"down: {dict(codes)}, at most {longest:.1f} s after the start")
