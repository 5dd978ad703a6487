"""Commands that are killed in their first 15 seconds: no process stays, Java above all.

The next run removes what killed ones have left in folders of results. KILL_TRIES says how many kills of each
command (nightly 20, otherwise one); INTERRUPT_SEED repeats the moments.
"""

from __future__ import annotations

import os
import random
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

from helpers.base.paths import ROOT
from helpers.base.time_limits import scaled
from helpers.runner.folder import LOCK
from pipelines.system.waiting import poll
from tests.processes import with_variable

GIVEN = os.environ.get("KILL_TRIES")
TRIES = int(GIVEN or 1)
# ./test has one fixed moment for each command, so that a change is judged and not the dice.
SEED = os.environ.get("INTERRUPT_SEED") or (None if GIVEN else "1")
FIRST_SECONDS = 15.0
END_SECONDS = 30.0
"""Time for children to notice the end of their parent, and for a signal that is no SIGKILL to be obeyed."""
MARK = "KILLED_COMMAND"
SIGNALS = (signal.SIGKILL, signal.SIGTERM, signal.SIGINT)
SPARK = "/replacing merge tree/rows/oracle/*"
QUICK = "/replace partition/statement/keep data/source keeps rows and parts"
ROWS = 2_000_000


def command(*arguments: str) -> list[str]:
    return [sys.executable, str(ROOT / "regression.py"), *arguments]


def variables(**more: str) -> dict[str, str]:
    return {**os.environ, "REGRESSION_VENV": sys.prefix, **more}


def moments() -> Iterator[tuple[float, signal.Signals]]:
    """Random moments, one in each of as many equal sections of the first seconds."""
    rng = random.Random(SEED)
    section = FIRST_SECONDS / TRIES
    for number in range(TRIES):
        yield section * (number + rng.random()), rng.choice(SIGNALS)


def kill(folder: Path, arguments: list[str], moment: float, number: signal.Signals) -> None:
    """Start a command, send it a signal at a moment, and see that nothing of it stays."""
    # A folder for temporary files that is gone at once: a Java that still starts cannot answer any more.
    temporary = folder / "tmp"
    temporary.mkdir(parents=True, exist_ok=True)
    own = variables(**{MARK: str(folder), "TMPDIR": str(temporary)})
    process = subprocess.Popen(
        command(*arguments),
        env=own,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        start_new_session=True,
    )
    time.sleep(moment)
    process.send_signal(number)
    process.wait(scaled(END_SECONDS))
    mark = f"{MARK}={folder}".encode()

    def running() -> list[str]:
        return list(with_variable(lambda variable: variable == mark).values())

    stays = not poll(lambda: not running(), scaled(END_SECONDS))
    assert not stays, f"{number.name} after {moment:.2f} s left {running()}"


def kill_often(folder: Path, arguments: list[str]) -> None:
    for moment, number in moments():
        print(f"{arguments[0]}: {number.name} after {moment:.2f} s")
        kill(folder, arguments, moment, number)


def check_next_run_tidies_up(results: Path) -> None:
    """The folders of killed runs keep neither their lock nor the data of servers."""
    subprocess.run(
        command("--only", QUICK, "--workers", "1", "--results", str(results)),
        env=variables(),
        check=True,
        capture_output=True,
    )
    left = [*results.glob(f"*/{LOCK}"), *results.glob("*/data"), *results.glob("*/tmp")]
    assert left == []


def test_a_run_with_spark(tmp_path: Path) -> None:
    results = tmp_path / "results"
    kill_often(tmp_path, ["--only", SPARK, QUICK, "--workers", "2", "--results", str(results)])
    check_next_run_tidies_up(results)


def test_a_sensitivity_run(tmp_path: Path) -> None:
    results = tmp_path / "results"
    kill_often(
        tmp_path, ["sensitivity", "--only", QUICK, "--workers", "2", "--results", str(results)]
    )
    check_next_run_tidies_up(results)


def test_an_export(tmp_path: Path) -> None:
    playground = ["--results", str(tmp_path / "results")]
    make = "CREATE TABLE default.big ENGINE = MergeTree ORDER BY i AS "
    make += f"SELECT number AS i, randomPrintableASCII(50) AS text FROM numbers({ROWS})"
    try:
        for arguments in (["up", "--s3", *playground], ["sql", *playground, make]):
            done = subprocess.run(
                command(*arguments), env=variables(), capture_output=True, text=True
            )
            assert done.returncode == 0, done.stderr
        export = ["export", "--source", "default.big", "--all", "--to", "s3://playground/big"]
        kill_often(tmp_path, [*export, "--bandwidth", "1M", *playground])
    finally:
        subprocess.run(command("down", *playground), env=variables(), capture_output=True)
