"""A folder of small scenarios, made for a test, and the runner executed on it."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from helpers.base.paths import ROOT
from tests.runner.forked import forker

SECONDS = 300.0
HEADER = """\
from testflows.asserts import error
from testflows.core import And, Given, Name, Requirement, Requirements, TestScenario, Then, When
from helpers.cluster.capabilities import Capability
from helpers.scenario.context import this
from helpers.scenario.marks import deviates, needs, time_limit
"""


def scenario_text(name: str, step: str, check: str, requirement: str = "RQ.One") -> str:
    """The text of a scenario with this check in one step."""
    return f'''
@TestScenario
@Requirements(Requirement("{requirement}", "1.0"))
def {name}(self):
    with Then("{step}"):
        {check}
'''


@dataclass(frozen=True)
class Ended:
    """A run that is over."""

    code: int
    out: str
    err: str
    results: Path

    @property
    def document(self) -> dict[str, Any]:
        document: dict[str, Any] = json.loads((self.results / "latest/results.json").read_text())
        return document

    def scenario(self, title: str) -> dict[str, Any]:
        """The entry of the scenario with this title."""
        scenarios = [
            scenario
            for scenario in self.document["scenarios"]
            if scenario["name"].endswith(f"/{title}")
        ]
        assert len(scenarios) == 1, [scenario["name"] for scenario in self.document["scenarios"]]
        entry: dict[str, Any] = scenarios[0]
        return entry


class Suite:
    """A folder of scenarios: topics with bodies."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder / "examples"
        self.results = folder / "results"

    def write(self, body: str, *, feature: str = "feature", topic: str = "topic") -> None:
        place = self.folder / feature
        place.mkdir(parents=True, exist_ok=True)
        (place / f"{topic}.py").write_text(HEADER + body)

    def command(self, *options: str) -> list[str]:
        given = ["--scenarios", str(self.folder), "--results", str(self.results), *options]
        return [sys.executable, "-m", "helpers.cli.main", *given]

    def run(self, *options: str, **environment: str) -> Ended:
        """Execute it; with variables of its own in a process that is started with them."""
        command = self.command(*options)
        if not environment:
            out, err = (self.folder.parent / f"{name}.txt" for name in ("out", "err"))
            code = forker().execute(command[3:], out, err, SECONDS)
            return Ended(code, out.read_text(), err.read_text(), self.results)
        done = subprocess.run(
            command,
            cwd=ROOT,
            capture_output=True,
            text=True,
            timeout=SECONDS,
            env={**os.environ, **environment},
        )
        return Ended(done.returncode, done.stdout, done.stderr, self.results)

    def start(self, *options: str) -> subprocess.Popen[str]:
        """Start a run and go on."""
        return subprocess.Popen(
            self.command(*options),
            cwd=ROOT,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )
