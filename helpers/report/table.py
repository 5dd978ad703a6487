"""The report on the console: aligned text, no colours, the same in a terminal and in a pipe."""

from collections.abc import Sequence

from helpers.report import proof
from helpers.report.model import Counts, Report
from helpers.report.records import Comparison
from helpers.report.states import ACROSS_RUNS

SHOWN = 10


def render_table(report: Report) -> str:
    """Counts by specification and by run, then the holes with their reasons."""
    states = [
        state
        for state in ACROSS_RUNS
        if report.counts.get(state) or any(column.counts.get(state) for column in report.columns)
    ]
    head = [*map(str, states), *(proof.HEAD if report.proof else ())]

    def add(title: str, total: int, counts: Counts, mutants: Counts) -> None:
        cells = proof.cells(mutants) if report.proof else []
        rows.append([title, str(total), *(str(counts.get(state, 0)) for state in states), *cells])

    rows = [["", "total", *head]]
    for one in report.specifications:
        add(f"{one.name} {one.title}"[:60], one.total, one.counts, one.mutants)
    add("all", report.total, report.counts, report.proof.mutants if report.proof else {})
    if len(report.columns) > 1:
        for column in report.columns:
            add(column.label, sum(column.counts.values()), column.counts, column.mutants)
    lines = [f"note: {note}" for note in report.notes] + _aligned(rows)
    if report.comparison:
        lines += ["", *_comparison(report.comparison)]
    if report.proof:
        findings = report.proof.findings
        lines += ["", f"sensitivity: {report.proof}"]
        lines += [f"  {one.word}: {one.name}: {one.reason}" for one in findings[:SHOWN]]
        lines += _rest(findings)
    for state, holes in report.holes:
        lines += ["", f"{state} ({len(holes)})"]
        lines += [f"  {row.name}: {row.reason or ''}".rstrip(": ") for row in holes[:SHOWN]]
        lines += _rest(holes)
    return "\n".join(lines) + "\n"


def _comparison(since: Comparison) -> list[str]:
    lines = [f"since {since.base}:"]
    for title, changes in since.results():
        lines += [f"  {title}: {one.name} ({one.before} → {one.after})" for one in changes]
    for title, names in since.texts():
        lines += [f"  requirement {title}: {name}" for name in names]
    return lines if len(lines) > 1 else [f"since {since.base}: nothing changed"]


def _rest(found: Sequence[object]) -> list[str]:
    return [f"  and {len(found) - SHOWN} more"] if len(found) > SHOWN else []


def _aligned(rows: Sequence[Sequence[str]]) -> list[str]:
    widths = [max(len(row[index]) for row in rows) for index in range(len(rows[0]))]
    return [
        "  ".join(
            cell.ljust(width) if index == 0 else cell.rjust(width)
            for index, (cell, width) in enumerate(zip(row, widths, strict=True))
        ).rstrip()
        for row in rows
    ]
