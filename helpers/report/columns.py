"""The columns of a report: what one run showed of one subject, ClickHouse or the exporter."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from helpers.report.run_results import Results
from helpers.report.states import ACROSS_RUNS
from helpers.scenario.result import RequirementState, Result, ScenarioResult, State, Subject
from helpers.sensitivity.mutant_ends import Sensitivity, Verdict, tally
from helpers.sensitivity.summary import mutant_counts
from helpers.sensitivity.systematic import Systematic

Counts = Mapping[str, int]

NEEDS_ATTENTION = (State.FAILING, State.OUTDATED, State.SUSPECT)
"""States of the exporter that a requirement has over all columns; its proof is not ClickHouse's."""


@dataclass(frozen=True)
class Column:
    """One run and one subject."""

    id: str
    label: str
    subject: Subject
    environment: str
    clickhouse: str
    facts: Mapping[str, Any]
    scenarios: tuple[ScenarioResult, ...]
    counts: Counts
    results: Counts
    sensitivity: Sensitivity | None
    systematic: Systematic | None
    states: Mapping[str, RequirementState]
    verdicts: Mapping[str, Verdict]

    @cached_property
    def by_name(self) -> dict[str, ScenarioResult]:
        """The scenarios by their names."""
        return {scenario.name: scenario for scenario in self.scenarios}

    @property
    def mutants(self) -> Counts:
        """The counts of how its mutants ended; empty for a run without mutants."""
        return mutant_counts(self.verdicts.values())


def columns_of(runs: Sequence[Results]) -> tuple[Column, ...]:
    """A column for each run, and another one where it tested the exporter."""
    places = list(map(label_of, runs))
    return tuple(
        _column(run, subject, place if places.count(place) == 1 else f"{place} ({run.id})")
        for run, place in zip(runs, places, strict=True)
        for subject in _subjects(run)
    )


def label_of(run: Results) -> str:
    """What a run ran on: the environment and the version."""
    return f"{run.run.get('environment') or 'unknown'} {run.run.get('clickhouse') or ''}".strip()


def overall(states: Iterable[str]) -> State:
    """One state over several runs, by the precedence between runs."""
    present = set(states)
    return next(state for state in ACROSS_RUNS if state in present)


def over_columns(cells: Iterable[RequirementState | None]) -> RequirementState:
    """The cell whose state a requirement has over all columns.

    What ClickHouse proved counts, and everything of the exporter that needs attention; where nothing was
    seen of ClickHouse, all of the exporter.
    """
    present = [cell for cell in cells if cell]
    of_server = any(cell.subject is Subject.CLICKHOUSE for cell in present)
    counting = [
        cell
        for cell in present
        if cell.subject is Subject.CLICKHOUSE or not of_server or cell.state in NEEDS_ATTENTION
    ]
    state = overall(cell.state for cell in counting)
    return next(cell for cell in counting if cell.state == state)


def _subjects(run: Results) -> Iterator[Subject]:
    seen = {state.subject for state in run.requirements}
    yield from (subject for subject in Subject if subject in seen or not seen)


def _column(run: Results, subject: Subject, place: str) -> Column:
    by_server = subject is Subject.CLICKHOUSE
    states = {state.name: state for state in run.requirements if state.subject is subject}
    others = {state.name for state in run.requirements if state.subject is not subject}
    # Mutants of what tested the exporter are the exporter's.
    left_out = others if by_server else set()
    of_run = run.sensitivity.verdicts if run.sensitivity else {}
    scenarios = tuple(scenario for scenario in run.scenarios if scenario.subject is subject)
    return Column(
        id=run.id if by_server else f"{run.id}:{subject}",
        label=place if by_server else f"{subject} on {place}",
        subject=subject,
        environment=str(run.run.get("environment") or "unknown"),
        clickhouse=str(run.run.get("clickhouse") or ""),
        facts={key: value for key, value in run.run.items() if key != "id"},
        scenarios=scenarios,
        counts=tally((state.state for state in states.values()), ACROSS_RUNS),
        results=tally((scenario.result for scenario in scenarios), Result),
        sensitivity=run.sensitivity,
        systematic=run.systematic if by_server else None,
        states=states,
        verdicts={
            name: verdict
            for name, verdict in of_run.items()
            if name not in left_out and (by_server or name in states)
        },
    )
