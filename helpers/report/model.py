"""The coverage model: requirements × runs with states and counts; renderings read only this."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from helpers.base.errors import UsageError
from helpers.report.run_results import Results
from helpers.report.states import ACROSS_RUNS, HOLES
from helpers.scenario.result import (
    UNEXPECTED,
    Change,
    RequirementState,
    Result,
    ScenarioResult,
    State,
)
from helpers.sensitivity.mutant_ends import Sensitivity, Verdict, tally, worst
from helpers.sensitivity.score import Score, compute_score, mutant_counts
from helpers.sensitivity.systematic import Systematic

Counts = Mapping[str, int]


@dataclass(frozen=True)
class Column:
    """One run."""

    id: str
    label: str
    environment: str
    clickhouse: str
    facts: Mapping[str, Any]
    scenarios: tuple[ScenarioResult, ...]
    counts: Counts
    results: Counts
    sensitivity: Sensitivity | None
    systematic: Systematic | None

    @property
    def mutants(self) -> Counts:
        """The counts of how its mutants ended; empty for a run without mutants."""
        return mutant_counts(self.sensitivity.requirements if self.sensitivity else ())


@dataclass(frozen=True, kw_only=True)
class Row(RequirementState):
    """One requirement: its text in the newest run and its state over all runs, then its state in each;
    a run whose specifications lack it has None."""

    columns: tuple[RequirementState | None, ...]
    verdicts: tuple[Verdict | None, ...]

    @property
    def verdict(self) -> Verdict | None:
        """What mutants say of it over all runs."""
        return worst(self.verdicts)


@dataclass(frozen=True)
class SpecificationCounts:
    """The counts of states of one specification, over all runs and in each."""

    name: str
    title: str
    total: int
    counts: Counts
    columns: tuple[Counts, ...]
    mutants: Counts


@dataclass(frozen=True)
class Difference:
    """A scenario that ended differently in the runs, and how in each; a run that lacks it has None."""

    name: str
    results: tuple[Result | None, ...]

    @property
    def unexpected(self) -> bool:
        return not UNEXPECTED.isdisjoint(self.results)

    def text(self, columns: Sequence[Column]) -> str:
        """How it ended in each run that has it."""
        pairs = zip(columns, self.results, strict=True)
        return ", ".join(f"{result} on {column.label}" for column, result in pairs if result)


@dataclass(frozen=True)
class Comparison:
    """The changes since a base run, as a report shows them."""

    base: str
    """What it is compared with, in words."""
    added: tuple[str, ...]
    changed: tuple[str, ...]
    removed: tuple[str, ...]
    new: tuple[Change, ...] = ()
    fixed: tuple[Change, ...] = ()
    regressed: tuple[Change, ...] = ()
    not_compared: tuple[str, ...] = ()
    """Columns that only one of the two has."""

    @property
    def regressed_causes(self) -> tuple[Change, ...]:
        """What regressed, without the requirements that did so because a scenario did."""
        causes = tuple(change for change in self.regressed if change.kind != "requirement")
        return causes or self.regressed

    def results(self) -> Iterable[tuple[str, tuple[Change, ...]]]:
        """The lists of results, worst first."""
        return (("regressed", self.regressed), ("fixed", self.fixed), ("new", self.new))

    def texts(self) -> Iterable[tuple[str, tuple[str, ...]]]:
        """The lists of requirements."""
        return (("added", self.added), ("changed", self.changed), ("removed", self.removed))


@dataclass(frozen=True)
class Report:
    """Everything a report shows. A report in the folder of its run can link to the files there."""

    columns: tuple[Column, ...]
    rows: tuple[Row, ...]
    specifications: tuple[SpecificationCounts, ...]
    counts: Counts
    score: Score | None = None
    notes: tuple[str, ...] = ()
    comparison: Comparison | None = None
    in_run_folder: bool = False

    @property
    def total(self) -> int:
        return len(self.rows)

    @property
    def failures(self) -> list[tuple[Column, ScenarioResult]]:
        """Scenarios that failed or broke, with their run; many verify no requirement, so that no state
        of a requirement tells of them."""
        return [
            (column, scenario)
            for column in self.columns
            for scenario in column.scenarios
            if scenario.unexpected
        ]

    @property
    def fixed(self) -> list[tuple[Column, ScenarioResult]]:
        """Deviations that a server lacks which is newer than the recorded ones, with their run."""
        return [
            (column, scenario)
            for column in self.columns
            for scenario in column.scenarios
            if scenario.result == Result.FIXED
        ]

    @property
    def differences(self) -> list[Difference]:
        """Scenarios that passed in one run and not in another, those that failed somewhere first.

        One that a run could not execute says nothing about the product there.
        """
        by_run = [
            {scenario.name: scenario.result for scenario in column.scenarios}
            for column in self.columns
        ]
        differing = []
        for name in dict.fromkeys(name for results in by_run for name in results):
            results = tuple(of_run.get(name) for of_run in by_run)
            if len(set(results) - {None, Result.SKIP, Result.NOT_RUN}) > 1:
                differing.append(Difference(name, results))
        return sorted(differing, key=lambda difference: not difference.unexpected)

    @property
    def holes(self) -> list[tuple[State, list[Row]]]:
        """The rows that are not verified, by state, in the order in which reports list them."""
        by_state = ((state, [row for row in self.rows if row.state == state]) for state in HOLES)
        return [(state, rows) for state, rows in by_state if rows]


def build_report(runs: Sequence[Results], notes: Iterable[str] = ()) -> Report:
    """The report over these runs, a column each, in the order given."""
    _check(runs)
    newest = sorted(range(len(runs)), key=lambda i: str(runs[i].run.get("started")), reverse=True)
    by_run = [{state.name: state for state in run.requirements} for run in runs]
    verdicts = [run.sensitivity.verdicts if run.sensitivity else {} for run in runs]
    rows = tuple(_row(name, by_run, verdicts, newest) for name in _ordered_names(by_run, newest))
    return Report(
        columns=tuple(_columns(runs)),
        rows=rows,
        specifications=tuple(_specifications(rows, runs)),
        counts=_counts(row.state for row in rows),
        score=compute_score(
            (run.sensitivity for run in runs),
            {row.name: row.verdict for row in rows if row.verdict},
            (row.name for row in rows if row.state == State.VERIFIED),
        ),
        notes=(*notes, *_interrupted(runs)),
    )


def _check(runs: Sequence[Results]) -> None:
    if not runs:
        raise UsageError("no results were given; name at least one results.json")
    repeated = [id for id, times in Counter(run.id for run in runs).items() if times > 1]
    if repeated:
        raise UsageError(f"the run {repeated[0]} was given twice; name each results.json once")


def overall(states: Iterable[str]) -> State:
    """One state over several runs, by the precedence between runs."""
    present = set(states)
    return next(state for state in ACROSS_RUNS if state in present)


def _ordered_names(
    by_run: Sequence[Mapping[str, RequirementState]], newest: Sequence[int]
) -> list[str]:
    """The newest run's order; what only older runs know goes after its specification's others."""
    known = {name: state for i in reversed(newest) for name, state in by_run[i].items()}
    names = dict.fromkeys(name for i in newest for name in by_run[i])
    specifications = dict.fromkeys(known[name].specification for name in names)
    place = {specification: index for index, specification in enumerate(specifications)}
    return sorted(names, key=lambda name: place[known[name].specification])


def _row(
    name: str,
    by_run: Sequence[Mapping[str, RequirementState]],
    verdicts: Sequence[Mapping[str, Verdict]],
    newest_first: Sequence[int],
) -> Row:
    newest = next(by_run[i][name] for i in newest_first if name in by_run[i])
    cells = tuple(states.get(name) for states in by_run)
    state = overall(cell.state for cell in cells if cell)
    reason = next(cell.reason for cell in cells if cell and cell.state == state)
    return Row(
        **{**vars(newest), "state": state, "reason": reason},
        columns=cells,
        verdicts=tuple(of_run.get(name) for of_run in verdicts),
    )


def _interrupted(runs: Sequence[Results]) -> Iterable[str]:
    for run in runs:
        if run.run.get("interrupted"):
            yield f"The run {run.id} was interrupted: what it says is only a part."
        if run.run.get("incomplete"):
            yield f"{label_of(run)} is incomplete: {', '.join(map(str, run.run['incomplete']))}."


def label_of(run: Results) -> str:
    """What a run ran on: the environment and the version."""
    return f"{run.run.get('environment') or 'unknown'} {run.run.get('clickhouse') or ''}".strip()


def _columns(runs: Sequence[Results]) -> Iterable[Column]:
    labels = list(map(label_of, runs))
    for run, label in zip(runs, labels, strict=True):
        yield Column(
            id=run.id,
            label=label if labels.count(label) == 1 else f"{label} ({run.id})",
            environment=str(run.run.get("environment") or "unknown"),
            clickhouse=str(run.run.get("clickhouse") or ""),
            facts={key: value for key, value in run.run.items() if key != "id"},
            scenarios=run.scenarios,
            counts=_counts(state.state for state in run.requirements),
            results=tally((scenario.result for scenario in run.scenarios), Result),
            sensitivity=run.sensitivity,
            systematic=run.systematic,
        )


def _specifications(rows: Sequence[Row], runs: Sequence[Results]) -> Iterable[SpecificationCounts]:
    titles = {r.specification: r.title for run in runs for r in run.requirements if r.title}
    for name in dict.fromkeys(row.specification for row in rows):
        own = [row for row in rows if row.specification == name]
        yield SpecificationCounts(
            name=name,
            title=titles.get(name, ""),
            total=len(own),
            counts=_counts(row.state for row in own),
            columns=tuple(
                _counts(cell.state for row in own if (cell := row.columns[index]))
                for index in range(len(runs))
            ),
            mutants=mutant_counts(verdict for row in own for verdict in row.verdicts),
        )


def _counts(states: Iterable[str]) -> Counts:
    """How many of each state, in the order of precedence."""
    return tally(states, ACROSS_RUNS)
