"""The catalogue: every requirement as an object that knows its text, scenarios and state, and runs."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from fnmatch import fnmatchcase
from functools import cached_property
from pathlib import Path

from helpers.base.errors import UsageError, nearest
from helpers.base.paths import ROOT, SCENARIOS
from helpers.report.load import load_results
from helpers.report.project import read_tree
from helpers.report.run_results import Results
from helpers.runner.discovery import load
from helpers.scenario.result import ScenarioResult, State, Subject
from helpers.scenario.scenario import Scenario
from requirements.compiler.specification import RequirementText


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

    name: str
    version: str
    specification: str
    section: tuple[str, ...]
    text: str
    state: State
    reason: str | None
    requirement: RequirementText
    scenarios: tuple[LinkedScenario, ...]
    exporter: State | None
    """The state of the exporter, where it was tested in place of ClickHouse."""

    @property
    def heading_path(self) -> tuple[str, ...]:
        return self.requirement.heading_path

    def run(self, *arguments: str) -> int:
        """Runs what verifies it, with further options of a run; returns the exit code."""
        command = [sys.executable, str(ROOT / "regression.py"), "--requirement", self.name]
        return subprocess.run([*command, *arguments], check=False).returncode


class Catalogue:
    """The requirements of the tree with their states in a run: the newest, or the one given.

    States are those of the tree as it stands: a text that changed after the run is suspect here
    though the run verified it.
    """

    def __init__(
        self,
        results: Path | Results | None = None,
        root: Path = ROOT,
        scenarios: Path = SCENARIOS,
    ) -> None:
        self._results = results
        self._root = root
        self._scenarios = scenarios

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
        entries = [entry for entry in self if fnmatchcase(entry.name, pattern)]
        if not entries:
            raise UsageError(f"No requirement fits {pattern!r}." + nearest(pattern, self._entries))
        return entries

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
        scenarios = {scenario.name: scenario for scenario in load(self._scenarios)}
        tree = read_tree(list(scenarios.values()), self._root)
        ended = self.results.scenarios if self.results else ()
        by_name = {scenario.name: scenario for scenario in ended}
        sensitivity = self.results.sensitivity if self.results else None
        verdicts = sensitivity.verdicts if sensitivity else {}
        judged = [
            verdicts[state.name].apply(state) if state.name in verdicts else state
            for state in tree.states(ended)
        ]
        states = {state.name: state for state in judged if state.subject is Subject.CLICKHOUSE}
        of_exporter = {state.name: state for state in judged if state.subject is Subject.EXPORTER}
        entries = {}
        for specification in tree.specifications:
            for text in specification.requirements:
                state, exporter = states[text.name], of_exporter.get(text.name)
                linked = tuple(
                    _linked(name, text.name, by_name.get(name), scenarios.get(name))
                    for name in state.scenarios + (exporter.scenarios if exporter else ())
                )
                entries[text.name] = CatalogueEntry(
                    state.name,
                    state.version,
                    state.specification,
                    state.section,
                    state.text,
                    state.state,
                    state.reason,
                    text,
                    linked,
                    exporter.state if exporter else None,
                )
        return entries


def _linked(
    name: str, requirement: str, result: ScenarioResult | None, scenario: Scenario | None
) -> LinkedScenario:
    """A scenario by what is known of it: its result, its place in the tree, or both."""
    place = result or scenario
    versions = dict(scenario.links) if scenario else {}
    return LinkedScenario(
        name=name,
        file=place.file if place else "",
        line=place.line if place else 0,
        version=versions.get(requirement),
        result=result.result if result else None,
        reason=result.reason if result else None,
    )


catalogue = Catalogue()
