"""The report on the console: aligned text, no colours, the same in a terminal and in a pipe."""

from collections.abc import Sequence

from helpers.base.escaping import printable
from helpers.report.columns import Column, Counts
from helpers.report.deviations import NOT_JUDGED, SeenDeviation, headline
from helpers.report.report import Comparison, Report
from helpers.report.states import ACROSS_RUNS
from helpers.scenario.deviation import DeviationKind
from helpers.scenario.result import ScenarioResult, State
from helpers.sensitivity import summary

SHOWN = 10


def render_table(report: Report) -> str:
    """Counts by specification and by run, then the holes with their reasons."""
    lines = [f"note: {note}" for note in report.notes] + _aligned(_rows(report))
    if report.deviations:
        lines += ["", f"known deviations: {headline(report.deviations)}"]
    lines += _listed("fixed?", report.fixed, report)
    lines += _differences(report)
    lines += _listed("scenarios not as expected", report.failures, report)
    if report.comparison:
        lines += ["", *_comparison(report.comparison)]
    if report.score:
        findings = report.score.findings
        lines += ["", f"sensitivity: {report.score}"]
        lines += [
            f"  {finding.word}: {finding.name}: {finding.reason}" for finding in findings[:SHOWN]
        ]
        lines += _rest(findings)
    for state, holes in report.holes:
        if state == State.DEVIATES:
            lines += _deviations(report.deviations)
            continue
        lines += ["", f"{state} ({len(holes)})"]
        lines += [f"  {row.name}: {row.reason or ''}".rstrip(": ") for row in holes[:SHOWN]]
        lines += _rest(holes)
    return "".join(printable(line.replace("\n", " ")) + "\n" for line in lines)


def _rows(report: Report) -> list[list[str]]:
    """The counts of specifications, of all of them, and of runs if there are several."""
    states = [
        state
        for state in ACROSS_RUNS
        if report.counts.get(state) or any(column.counts.get(state) for column in report.columns)
    ]

    def add(title: str, total: int, counts: Counts, mutants: Counts) -> None:
        cells = summary.cells(mutants) if report.score else []
        rows.append([title, str(total), *(str(counts.get(state, 0)) for state in states), *cells])

    rows = [["", "total", *states, *(summary.HEAD if report.score else ())]]
    for specification in report.specifications:
        title = f"{specification.name} {specification.title}"[:60]
        add(title, specification.total, specification.counts, specification.mutants)
    add("all", report.total, report.counts, report.score.mutants if report.score else {})
    if len(report.columns) > 1:
        for column in report.columns:
            add(column.label, sum(column.counts.values()), column.counts, column.mutants)
    return rows


def _differences(report: Report) -> list[str]:
    differences = report.differences
    if not differences:
        return []
    shown = [
        f"  {difference.name}: {difference.text(report.columns)}"
        for difference in differences[:SHOWN]
    ]
    head = f"scenarios that differ between the runs ({len(differences)})"
    return ["", head, *shown, *_rest(differences)]


def _listed(
    title: str, scenarios: Sequence[tuple[Column, ScenarioResult]], report: Report
) -> list[str]:
    """Scenarios with their results and reasons."""
    if not scenarios:
        return []
    several = len(report.columns) > 1
    lines = ["", f"{title} ({len(scenarios)})"]
    for column, scenario in scenarios:
        run = f" [{column.label}]" if several else ""
        lines.append(
            f"  {scenario.result}  {scenario.name}{run}: {scenario.reason or ''}".rstrip(": ")
        )
    return lines


def _comparison(since: Comparison) -> list[str]:
    lines = [f"since {since.base}:"]
    lines += [f"  not compared: {name}" for name in since.not_compared]
    for title, changes in since.results():
        lines += [f"  {title}: {change.name} ({change.what})" for change in changes]
    for title, names in since.texts():
        lines += [f"  requirement {title}: {name}" for name in names]
    return lines if len(lines) > 1 else [f"since {since.base}: nothing changed"]


def _deviations(found: Sequence[SeenDeviation]) -> list[str]:
    """Bugs by severity; the rest is in the other forms."""
    lines = []
    for kind in (DeviationKind.BUG, NOT_JUDGED):
        own = [one for one in found if one.kind == kind]
        lines += ["", f"{kind} ({len(own)})"] if own else []
        lines += [
            f"  {one.severity or 'no severity'}: {one.id}: {one.reason}" for one in own[:SHOWN]
        ]
        lines += _rest(own)
    return lines


def _rest(entries: Sequence[object]) -> list[str]:
    return [f"  and {len(entries) - SHOWN} more"] if len(entries) > SHOWN else []


def _aligned(rows: Sequence[Sequence[str]]) -> list[str]:
    widths = [max(len(row[index]) for row in rows) for index in range(len(rows[0]))]
    return [
        "  ".join(
            cell.ljust(width) if index == 0 else cell.rjust(width)
            for index, (cell, width) in enumerate(zip(row, widths, strict=True))
        ).rstrip()
        for row in rows
    ]
