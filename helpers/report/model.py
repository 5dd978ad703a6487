"""The coverage model: requirements × runs with states and counts; renderings read only this."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from helpers.errors import UsageError
from helpers.report.load import RESULTS, Results
from helpers.report.proof import Proof, mutant_counts, prove
from helpers.report.records import Comparison, RequirementState, ScenarioResult
from helpers.report.sensitivity import Sensitivity, Verdict, worst
from helpers.report.states import ACROSS_RUNS, HOLES, State

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

    @property
    def mutants(self) -> Counts:
        """What became of its mutants; empty where nothing was sabotaged."""
        return mutant_counts(self.sensitivity.requirements if self.sensitivity else ())


@dataclass(frozen=True)
class Row:
    """One requirement over all runs; a run whose specifications lack it has None."""

    name: str
    version: str
    specification: str
    section: tuple[str, ...]
    file: str
    line: int
    text: str
    state: str
    reason: str | None
    columns: tuple[RequirementState | None, ...]
    verdicts: tuple[Verdict | None, ...]

    @property
    def verdict(self) -> Verdict | None:
        """What sabotage says of it over all runs."""
        return worst(self.verdicts)


@dataclass(frozen=True)
class SpecificationCounts:
    """How far one specification has come, over all runs and in each."""

    name: str
    title: str
    total: int
    counts: Counts
    columns: tuple[Counts, ...]
    mutants: Counts


@dataclass(frozen=True)
class Report:
    """Everything a report shows."""

    columns: tuple[Column, ...]
    rows: tuple[Row, ...]
    specifications: tuple[SpecificationCounts, ...]
    counts: Counts
    proof: Proof | None = None
    notes: tuple[str, ...] = ()
    comparison: Comparison | None = None

    @property
    def total(self) -> int:
        return len(self.rows)

    @property
    def holes(self) -> list[tuple[State, list[Row]]]:
        """The rows a reader has to see first, by state."""
        found = ((state, [row for row in self.rows if row.state == state]) for state in HOLES)
        return [(state, rows) for state, rows in found if rows]


def build_report(runs: Sequence[Results], notes: Iterable[str] = ()) -> Report:
    """The report over these runs, a column each, in the order given."""
    if not runs:
        raise UsageError("no results were given; name at least one results.json")
    repeated = [id for id, times in Counter(run.id for run in runs).items() if times > 1]
    if repeated:
        raise UsageError(f"the run {repeated[0]} was given twice; name each results.json once")

    newest = sorted(range(len(runs)), key=lambda i: str(runs[i].run.get("started")), reverse=True)
    by_run = [{state.name: state for state in run.requirements} for run in runs]
    verdicts = [run.sensitivity.verdicts if run.sensitivity else {} for run in runs]
    rows = tuple(_row(name, by_run, verdicts, newest) for name in _ordered_names(by_run, newest))
    return Report(
        columns=tuple(_columns(runs)),
        rows=rows,
        specifications=tuple(_specifications(rows, runs)),
        counts=_counts(row.state for row in rows),
        proof=prove(
            (run.sensitivity for run in runs),
            {row.name: row.verdict for row in rows if row.verdict},
            (row.name for row in rows if row.state == State.VERIFIED),
        ),
        notes=(*notes, *_interrupted(runs)),
    )


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
        name=name,
        version=newest.version,
        specification=newest.specification,
        section=newest.section,
        file=newest.file,
        line=newest.line,
        text=newest.text,
        state=state,
        reason=reason,
        columns=cells,
        verdicts=tuple(told.get(name) for told in verdicts),
    )


def _interrupted(runs: Sequence[Results]) -> Iterable[str]:
    for run in runs:
        if run.run.get("interrupted"):
            yield f"The run {run.id} was interrupted: what it says is only a part."


def _columns(runs: Sequence[Results]) -> Iterable[Column]:
    labels = [
        f"{run.run.get('environment') or 'unknown'} {run.run.get('clickhouse') or ''}".strip()
        for run in runs
    ]
    for run, label in zip(runs, labels, strict=True):
        ended = Counter(scenario.result for scenario in run.scenarios)
        yield Column(
            id=run.id,
            label=label if labels.count(label) == 1 else f"{label} ({run.id})",
            environment=str(run.run.get("environment") or "unknown"),
            clickhouse=str(run.run.get("clickhouse") or ""),
            facts={key: value for key, value in run.run.items() if key != "id"},
            scenarios=run.scenarios,
            counts=_counts(state.state for state in run.requirements),
            results={result: ended[result] for result in RESULTS if ended[result]},
            sensitivity=run.sensitivity,
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
    """How many of each state, in the order of precedence, none left out that occurs."""
    found = Counter(states)
    return {str(state): found[state] for state in ACROSS_RUNS if found[state]}
