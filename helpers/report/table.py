"""The report on the console: aligned text, no colours, the same in a terminal and in a pipe."""

from collections.abc import Mapping, Sequence

from helpers.report.model import Report
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
    rows = [["", "total", *map(str, states)]]
    for one in report.specifications:
        rows.append([f"{one.name} {one.title}"[:60], str(one.total), *_row(one.counts, states)])
    rows.append(["all", str(report.total), *_row(report.counts, states)])
    if len(report.columns) > 1:
        for column in report.columns:
            total = str(sum(column.counts.values()))
            rows.append([column.label, total, *_row(column.counts, states)])
    lines = [f"note: {note}" for note in report.notes] + _aligned(rows)
    if report.comparison:
        lines += ["", *_comparison(report.comparison)]
    for state, holes in report.holes:
        lines += ["", f"{state} ({len(holes)})"]
        lines += [f"  {row.name}: {row.reason or ''}".rstrip(": ") for row in holes[:SHOWN]]
        lines += [f"  and {len(holes) - SHOWN} more"] if len(holes) > SHOWN else []
    return "\n".join(lines) + "\n"


def _comparison(since: Comparison) -> list[str]:
    lines = [f"since {since.base}:"]
    for title, changes in since.results():
        lines += [f"  {title}: {one.name} ({one.before} → {one.after})" for one in changes]
    for title, names in since.texts():
        lines += [f"  requirement {title}: {name}" for name in names]
    return lines if len(lines) > 1 else [f"since {since.base}: nothing changed"]


def _row(counts: Mapping[str, int], states: Sequence[str]) -> list[str]:
    return [str(counts.get(state, 0)) for state in states]


def _aligned(rows: Sequence[Sequence[str]]) -> list[str]:
    widths = [max(len(row[index]) for row in rows) for index in range(len(rows[0]))]
    return [
        "  ".join(
            cell.ljust(width) if index == 0 else cell.rjust(width)
            for index, (cell, width) in enumerate(zip(row, widths, strict=True))
        ).rstrip()
        for row in rows
    ]
