"""The catalogue: every requirement as an object that knows its text, scenarios and state, and runs."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass, replace
from fnmatch import fnmatchcase
from functools import cached_property
from pathlib import Path

from helpers.errors import UsageError, nearest
from helpers.paths import ROOT
from helpers.report.load import Results, load_results
from helpers.report.project import project_states, specifications
from helpers.report.records import RequirementState
from helpers.report.sensitivity import Verdict
from requirements.compiler.model import RequirementText
from requirements.links import read_links


@dataclass(frozen=True)
class LinkedScenario:
    """A scenario that verifies a requirement: where it stands and how it last ended."""

    name: str
    file: str
    line: int
    version: str | None
    result: str | None
    reason: str | None


@dataclass(frozen=True)
class CatalogueEntry:
    """One requirement of the project."""

    requirement: RequirementText
    status: RequirementState
    scenarios: tuple[LinkedScenario, ...]

    @property
    def name(self) -> str:
        return self.requirement.name

    @property
    def version(self) -> str:
        return self.requirement.version

    @property
    def specification(self) -> str:
        return self.requirement.specification

    @property
    def text(self) -> str:
        return self.requirement.text

    @property
    def heading_path(self) -> tuple[str, ...]:
        return self.requirement.heading_path

    @property
    def state(self) -> str:
        return self.status.state

    @property
    def reason(self) -> str | None:
        return self.status.reason

    @property
    def last_results(self) -> dict[str, str]:
        """How each of its scenarios ended in the run the catalogue looks at."""
        return {one.name: one.result for one in self.scenarios if one.result}

    def run(self, *arguments: str) -> int:
        """Runs what verifies it, with further options of a run; returns the exit code."""
        command = [sys.executable, str(ROOT / "regression.py"), "--requirement", self.name]
        return subprocess.run([*command, *arguments], check=False).returncode


class Catalogue:
    """The requirements of the tree with their states in a run: the newest, or the one given.

    States are those of the tree as it stands: a text that changed after the run is suspect here
    though the run verified it.
    """

    def __init__(self, results: Path | Results | None = None, root: Path = ROOT) -> None:
        self._results = results
        self._root = root

    def __getitem__(self, name: str) -> CatalogueEntry:
        if name not in self._entries:
            raise UsageError(f"There is no requirement {name!r}." + nearest(name, self._entries))
        return self._entries[name]

    def __iter__(self) -> Iterator[CatalogueEntry]:
        return iter(self._entries.values())

    def __len__(self) -> int:
        return len(self._entries)

    def __contains__(self, name: object) -> bool:
        return name in self._entries

    def find(self, pattern: str) -> list[CatalogueEntry]:
        """The requirements whose names fit the pattern (`*` stands for anything); never none."""
        found = [entry for entry in self if fnmatchcase(entry.name, pattern)]
        if not found:
            raise UsageError(f"No requirement fits {pattern!r}." + nearest(pattern, self._entries))
        return found

    @cached_property
    def results(self) -> Results | None:
        """The run it looks at; None where nothing ever ran."""
        if isinstance(self._results, Results):
            return self._results
        latest = self._root / "results" / "latest"
        if self._results is None and not (latest / "results.json").exists():
            return None
        return load_results(self._results or latest)

    @cached_property
    def _entries(self) -> dict[str, CatalogueEntry]:
        ended = self.results.scenarios if self.results else ()
        by_name = {scenario.name: scenario for scenario in ended}
        sabotage = self.results.sensitivity if self.results else None
        verdicts = sabotage.verdicts if sabotage else {}
        states = {
            state.name: _marked(state, verdicts.get(state.name))
            for state in project_states(ended, self._root)
        }
        links = {(link.python_name, link.scenario): link for link in read_links(self._root).links}
        entries = {}
        for specification in specifications(self._root):
            for text in specification.requirements:
                scenarios = []
                for name in states[text.name].scenarios:
                    result, link = by_name.get(name), links.get((text.python_name, name))
                    scenarios.append(
                        LinkedScenario(
                            name=name,
                            file=result.file if result else link.file if link else "",
                            line=result.line if result else link.line if link else 0,
                            version=link.version if link else None,
                            result=result.result if result else None,
                            reason=result.reason if result else None,
                        )
                    )
                entries[text.name] = CatalogueEntry(text, states[text.name], tuple(scenarios))
        return entries


def _marked(status: RequirementState, verdict: Verdict | None) -> RequirementState:
    """What a run without sabotage would say, and what the sabotage makes of it."""
    if verdict is None:
        return status
    state, reason = verdict.marked(status.state, status.reason)
    return replace(status, state=state, reason=reason)


catalogue = Catalogue()
