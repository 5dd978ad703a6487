"""Interrupts of `up` once its servers run: nothing is left of them, or they are up and it was said how."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from helpers.base.errors import ALL_AS_EXPECTED, INTERRUPTED
from helpers.base.paths import ROOT
from helpers.base.time_limits import scaled
from pipelines.system.waiting import poll
from tests.processes import with_variable

MARK = "INTERRUPTED_UP"
SECONDS = 60.0
HOOK = """
import os, signal, sys
from helpers.base import signals
from helpers.cli import main as cli
from helpers.cluster import daemon

def interrupted(function, when=lambda answer: True):
    def call(*arguments):
        answer = function(*arguments)
        if when(answer):
            os.kill(os.getpid(), signal.{name})
        return answer
    return call

{hook}
sys.exit(cli.program())
"""
STARTED = "daemon.find = interrupted(daemon.find, bool)"
ANNOUNCED = "sys.stdout.write = interrupted(sys.stdout.write)"
DONE = "signals.done = interrupted(signals.done)"


def command(folder: Path, module: str, *arguments: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", module, *arguments, "--results", str(folder / "results")],
        env={**os.environ, "PYTHONPATH": f"{folder}:{ROOT}", MARK: str(folder)},
        capture_output=True,
        text=True,
        timeout=scaled(SECONDS),
    )


def left_running(folder: Path) -> dict[int, str]:
    mark = f"{MARK}={folder}".encode()
    return with_variable(lambda variable: variable == mark)


@pytest.mark.parametrize("name", ["SIGINT", "SIGTERM", "SIGHUP"])
@pytest.mark.parametrize("hook", [STARTED, ANNOUNCED], ids=["started", "announced"])
def test_it_is_not_up_and_nothing_is_left(tmp_path: Path, hook: str, name: str) -> None:
    (tmp_path / "interrupted.py").write_text(HOOK.format(hook=hook, name=name))
    done = command(tmp_path, "interrupted", "up", "--s3")
    assert done.returncode == INTERRUPTED, done.stderr
    assert done.stderr == "regression: interrupted\n"
    assert poll(lambda: not left_running(tmp_path), scaled(10)), left_running(tmp_path)
    assert not (tmp_path / "results" / "up").exists()
    assert command(tmp_path, "helpers.cli.main", "down").stdout == "Nothing is up.\n"


def test_it_is_up_once_that_was_said(tmp_path: Path) -> None:
    (tmp_path / "interrupted.py").write_text(HOOK.format(hook=DONE, name="SIGINT"))
    done = command(tmp_path, "interrupted", "up")
    try:
        assert (done.returncode, done.stderr) == (ALL_AS_EXPECTED, "")
        asked = command(tmp_path, "helpers.cli.main", "sql", "SELECT 1", "--format", "TSV")
        assert asked.stdout == "1\n", asked.stderr
    finally:
        command(tmp_path, "helpers.cli.main", "down")
    assert poll(lambda: not left_running(tmp_path), scaled(10)), left_running(tmp_path)
