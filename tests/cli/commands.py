"""The command line with a place of its own for what is up, as tests use it."""

from __future__ import annotations

import json
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from helpers.cli import main as cli
from tests.cluster.conftest import ROOT


class Answer(NamedTuple):
    returncode: int
    stdout: str
    stderr: str


@dataclass(frozen=True)
class Regression:
    """The command line, with a place of its own for what is up."""

    results: Path

    def __call__(self, command: str, *arguments: str, stdin: str = "") -> Answer:
        done = subprocess.run(
            [
                sys.executable,
                "-m",
                "helpers.cli.main",
                command,
                "--results",
                self.results,
                *arguments,
            ],
            cwd=ROOT,
            input=stdin,
            capture_output=True,
            text=True,
            timeout=120,
        )
        return Answer(done.returncode, done.stdout, done.stderr)

    def here(self, capsys: pytest.CaptureFixture[str], command: str, *arguments: str) -> Answer:
        """The same in this process, for what starts nothing."""
        code = cli.main([command, "--results", str(self.results), *arguments])
        return Answer(code, *capsys.readouterr())

    @property
    def description(self) -> dict[str, Any]:
        environment: dict[str, Any] = json.loads(
            (self.results / "up" / "environment.json").read_text()
        )
        return environment

    def pids(self) -> list[int]:
        """The daemon and its servers."""
        daemon = int(self.description["pid"])
        children = Path(f"/proc/{daemon}/task").glob("*/children")
        return [daemon, *(int(pid) for file in children for pid in file.read_text().split())]


def refused(answer: Answer, code: int, text: str) -> None:
    """One clear line and the exit code that belongs to it."""
    assert answer.returncode == code, answer
    assert text in answer.stderr
    assert answer.stderr.startswith("regression: ") and answer.stderr.count("\n") == 1
    assert answer.stdout == ""
