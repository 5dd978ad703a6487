"""The coverage model: requirements × runs with states and counts; renderings read only this."""

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from helpers.base.errors import UsageError
from helpers.report.columns import Column, Counts, columns_of, label_of, over_columns
from helpers.report.deviations import SeenDeviation, seen_deviations
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
from helpers.sensitivity.mutant_ends import Verdict, tally, worst
from helpers.sensitivity.summary import Summary, mutant_counts, summarize

DID_NOT_RUN = "did not run"


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
class DifferingScenario:
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
    def gone(self) -> tuple[str, ...]:
        """The environments that the base has and these runs have not: nothing can have regressed there."""
        return tuple(name for name in self.not_compared if name.endswith(DID_NOT_RUN))

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
    score: Summary | None = None
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
    def deviations(self) -> list[SeenDeviation]:
        """The known deviations that were seen, the worst first."""
        return seen_deviations(self.columns)

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
    def differences(self) -> list[DifferingScenario]:
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
                differing.append(DifferingScenario(name, results))
        return sorted(differing, key=lambda difference: not difference.unexpected)

    @property
    def holes(self) -> list[tuple[State, list[Row]]]:
        """The rows that are not verified, by state, in the order in which reports list them."""
        by_state = ((state, [row for row in self.rows if row.state == state]) for state in HOLES)
        return [(state, rows) for state, rows in by_state if rows]


def build_report(runs: Sequence[Results], notes: Iterable[str] = ()) -> Report:
    """The report over these runs, in the order given."""
    _check(runs)
    columns = columns_of(runs)
    newest = sorted(columns, key=lambda column: str(column.facts.get("started")), reverse=True)
    rows = tuple(_row(name, columns, newest) for name in _ordered_names(newest))
    return Report(
        columns=columns,
        rows=rows,
        specifications=tuple(_specifications(rows, columns)),
        counts=_counts(row.state for row in rows),
        score=summarize(
            (run.sensitivity for run in runs),
            {row.name: row.verdict for row in rows if row.verdict},
            (
                row.name
                for row in rows
                if any(cell and cell.state == State.VERIFIED for cell in row.columns)
            ),
        ),
        notes=(*notes, *_interrupted(runs)),
    )


def _check(runs: Sequence[Results]) -> None:
    if not runs:
        raise UsageError("no results were given; name at least one results.json")
    repeated = [id for id, times in Counter(run.id for run in runs).items() if times > 1]
    if repeated:
        raise UsageError(f"the run {repeated[0]} was given twice; name each results.json once")


def _ordered_names(newest_first: Sequence[Column]) -> list[str]:
    """The newest run's order; what only older runs know goes after its specification's others."""
    known = {
        name: state for column in reversed(newest_first) for name, state in column.states.items()
    }
    names = dict.fromkeys(name for column in newest_first for name in column.states)
    specifications = dict.fromkeys(known[name].specification for name in names)
    place = {specification: index for index, specification in enumerate(specifications)}
    return sorted(names, key=lambda name: place[known[name].specification])


def _row(name: str, columns: Sequence[Column], newest_first: Sequence[Column]) -> Row:
    newest = next(column.states[name] for column in newest_first if name in column.states)
    cells = tuple(column.states.get(name) for column in columns)
    decides = over_columns(cells)
    return Row(
        **{**vars(newest), "state": decides.state, "reason": decides.reason},
        columns=cells,
        verdicts=tuple(column.verdicts.get(name) for column in columns),
    )


def _interrupted(runs: Sequence[Results]) -> Iterable[str]:
    for run in runs:
        if run.run.get("interrupted"):
            yield f"The run {run.id} was interrupted: what it says is only a part."
        if run.run.get("incomplete"):
            yield f"{label_of(run)} is incomplete: {', '.join(map(str, run.run['incomplete']))}."


def _specifications(
    rows: Sequence[Row], columns: Sequence[Column]
) -> Iterable[SpecificationCounts]:
    for name in dict.fromkeys(row.specification for row in rows):
        own = [row for row in rows if row.specification == name]
        yield SpecificationCounts(
            name=name,
            title=next((row.title for row in own if row.title), ""),
            total=len(own),
            counts=_counts(row.state for row in own),
            columns=tuple(
                _counts(cell.state for row in own if (cell := row.columns[index]))
                for index in range(len(columns))
            ),
            mutants=mutant_counts(verdict for row in own for verdict in row.verdicts),
        )


def _counts(states: Iterable[str]) -> Counts:
    """How many of each state, in the order of precedence."""
    return tally(states, ACROSS_RUNS)
