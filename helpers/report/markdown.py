"""coverage.md: the report in short, for a pull request or a job summary."""

import re
from collections.abc import Iterable, Sequence

from helpers.report import proof
from helpers.report.model import Counts, Report
from helpers.report.records import Comparison
from helpers.report.states import ACROSS_RUNS, MEANINGS

SHOWN = 20
"""Holes of one state that are listed; a job summary is read, not searched."""


def render_markdown(report: Report) -> str:
    """Verdict, runs, specifications, what changed, then the holes with their reasons."""
    states = [str(state) for state in ACROSS_RUNS if report.counts.get(state)]
    lines = [f"# Coverage: {report.counts.get('verified', 0)} of {report.total} verified", ""]
    lines += [f"> {_safe(note)}\n" for note in report.notes]
    mutants = proof.HEAD if report.proof else ()
    lines += _table(
        ["specification", "total", *states, *mutants],
        [
            *(
                [
                    _safe(f"{one.name} {one.title}"),
                    one.total,
                    *_row(one.counts, states),
                    *(proof.cells(one.mutants) if report.proof else ()),
                ]
                for one in report.specifications
            ),
            [
                "**all**",
                report.total,
                *_row(report.counts, states),
                *(proof.cells(report.proof.mutants) if report.proof else ()),
            ],
        ],
    )
    in_runs = [s for s in ACROSS_RUNS if any(column.counts.get(s) for column in report.columns)]
    lines += _table(
        ["run", "started", "seconds", "scenarios", *in_runs, *mutants],
        [
            [
                _safe(column.label),
                _safe(column.facts.get("started") or ""),
                _safe(column.facts.get("seconds") or ""),
                ", ".join(f"{count} {name}" for name, count in column.results.items()) or "none",
                *_row(column.counts, in_runs),
                *(proof.cells(column.mutants) if report.proof else ()),
            ]
            for column in report.columns
        ],
    )
    if report.comparison:
        lines += _comparison(report.comparison)
    if report.proof:
        lines += _sensitivity(report.proof)
    for state, rows in report.holes:
        lines += [f"## {state.capitalize()}: {len(rows)}", "", f"{MEANINGS[state].capitalize()}."]
        lines += ["", *(f"- `{row.name}` {_safe(row.reason or '')}" for row in rows[:SHOWN])]
        lines += [f"- and {len(rows) - SHOWN} more"] if len(rows) > SHOWN else []
        lines += [""]
    return "\n".join(lines).rstrip() + "\n"


def _sensitivity(found: proof.Proof) -> list[str]:
    told = [f"- {one.word}: `{one.name}` {_safe(one.reason)}" for one in found.findings[:SHOWN]]
    more = len(found.findings) - SHOWN
    return ["## Sensitivity", "", f"{found}.", "", *told] + (
        [f"- and {more} more", ""] if more > 0 else [""]
    )


def _comparison(since: Comparison) -> list[str]:
    lines = [f"## Since {_safe(since.base)}", ""]
    for title, changes in since.results():
        for change in changes[:SHOWN]:
            lines.append(f"- {title}: `{change.name}` {change.before} → {change.after}")
        lines += [f"- {title}: {len(changes) - SHOWN} more"] if len(changes) > SHOWN else []
    for title, names in since.texts():
        lines += [f"- requirement {title}: {_safe(name)}" for name in names[:SHOWN]]
        lines += (
            [f"- requirements {title}: {len(names) - SHOWN} more"] if len(names) > SHOWN else []
        )
    return [*(lines if len(lines) > 2 else [*lines, "Nothing changed."]), ""]


def _row(counts: Counts, states: Iterable[str]) -> list[object]:
    return [counts.get(state, 0) for state in states]


def _table(head: Sequence[str], rows: Iterable[Sequence[object]]) -> list[str]:
    lines = [f"| {' | '.join(head)} |", f"|{'---|' * len(head)}"]
    return [*lines, *(f"| {' | '.join(map(str, row))} |" for row in rows), ""]


def _safe(text: object) -> str:
    """One line in which nothing is taken for markup; names and reasons come from anywhere."""
    return re.sub(r"([\\|<>`*_\[\]])", r"\\\1", " ".join(str(text).split()))
