"""The page of a history: one file without scripts that needs no network."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from html import escape

from helpers.base.escaping import counted
from helpers.report.history.runs import Regression, RunHistory, RunPoint
from helpers.report.page import asset
from helpers.scenario.result import State

BAR_WIDTH, BAR_HEIGHT, GAP = 18, 160, 4
STYLE = """
.trend { overflow-x: auto; } .trend svg { display: block; } .trend rect { fill: var(--f); }
.legend span { margin-right: .8rem; } .mono { white-space: pre; } td.number { text-align: right; }
"""


def render_history(history: RunHistory) -> str:
    """The whole page."""
    title = f"History of {len(history.runs)} runs"
    body = [
        f"<h1>{title}</h1>",
        f'<p class="verdict">{escape(_verdict(history))}</p>',
        _section("What is broken, and since when", _regressions(history.regressions)),
        *(
            _section(f"Requirements on {environment}", _trend(points))
            for environment, points in _by_environment(history.runs).items()
        ),
        _section("Flaky scenarios", _flaky(history)),
        _section("Slowest scenarios", _slowest(history)),
        _section("Runs", _runs(history.runs)),
    ]
    return (
        f'<!doctype html>\n<html lang="en"><head><meta charset="utf-8"><title>{title}</title>'
        '<meta name="viewport" content="width=device-width, initial-scale=1">'
        f"<style>{asset('page.css')}{STYLE}</style></head>\n"
        f"<body><main>{''.join(body)}</main></body></html>\n"
    )


def _verdict(history: RunHistory) -> str:
    newest = history.runs[-1]
    broken, flaky = len(history.regressions), len(history.flaky)
    return (
        f"{_when(history.runs[0])} to {_when(newest)}: "
        f"{counted(broken, 'scenario')} broken, {flaky} flaky."
    )


def _section(heading: str, content: str) -> str:
    return f'<section class="card"><h2>{escape(heading)}</h2>{content}</section>'


def _table(headings: Sequence[str], rows: Iterable[Sequence[str]], empty: str) -> str:
    """A table of cells that are HTML already."""
    body = "".join(f"<tr>{''.join(f'<td>{cell}</td>' for cell in row)}</tr>" for row in rows)
    if not body:
        return f'<p class="soft">{escape(empty)}</p>'
    head = "".join(f'<th scope="col">{escape(heading)}</th>' for heading in headings)
    return f"<table><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>"


def _regressions(regressions: Sequence[Regression]) -> str:
    rows = []
    for regression in regressions:
        result, last_good = escape(regression.result), regression.last_good
        rows.append(
            (
                f'<span class="pill failing">{result}</span> {escape(regression.scenario)}',
                escape(regression.environment),
                _run(regression.first_bad),
                _run(last_good) if last_good else "never seen good",
                str(regression.bad_runs),
                escape(regression.reason),
            )
        )
    headings = ("scenario", "on", "first bad run", "last good run", "bad runs", "why")
    return _table(headings, rows, "Nothing: every scenario ended as expected when it last ran.")


def _run(point: RunPoint) -> str:
    commit = f" at <code>{escape(point.commit[:12])}</code>" if point.commit else ""
    return f"{escape(_when(point))}{commit}"


def _when(point: RunPoint) -> str:
    """As the page of coverage writes it: 2026-11-17 02:00 UTC."""
    return f"{point.started[:16].replace('T', ' ')} UTC"


def _by_environment(runs: Sequence[RunPoint]) -> dict[str, list[RunPoint]]:
    groups: dict[str, list[RunPoint]] = {}
    for point in runs:
        groups.setdefault(point.target, []).append(point)
    return groups


def _trend(points: Sequence[RunPoint]) -> str:
    """A stacked bar for each run: the states of all requirements."""
    bars = []
    for index, point in enumerate(points):
        total = sum(point.states.values())
        x, y = index * (BAR_WIDTH + GAP), 0.0
        counts = ", ".join(f"{count} {state}" for state, count in point.states.items())
        pieces = []
        for state, count in point.states.items():
            height = BAR_HEIGHT * count / total
            pieces.append(
                f'<rect class="{state.replace(" ", "-")}" x="{x}" y="{y:.1f}" '
                f'width="{BAR_WIDTH}" height="{height:.1f}"/>'
            )
            y += height
        bars.append(f"<g><title>{escape(f'{_when(point)}: {counts}')}</title>{''.join(pieces)}</g>")
    width = len(points) * (BAR_WIDTH + GAP)
    present = [state for state in State if any(state in point.states for point in points)]
    legend = "".join(
        f'<span class="pill {state.replace(" ", "-")}">{state} '
        f"{points[-1].states.get(state, 0)}</span>"
        for state in present
    )
    return (
        f'<div class="trend"><svg role="img" aria-label="states of requirements, a bar for each run" '
        f'width="{width}" height="{BAR_HEIGHT}">{"".join(bars)}</svg></div>'
        f'<p class="soft">A bar for each run, {escape(_when(points[0]))} to {escape(_when(points[-1]))}.</p>'
        f'<p class="legend">newest: {legend}</p>'
    )


def _flaky(history: RunHistory) -> str:
    rows = (
        (
            escape(flaky.scenario),
            escape(flaky.environment),
            f"{flaky.bad} of {flaky.runs}",
            f'<span class="mono">{flaky.sequence}</span>',
        )
        for flaky in history.flaky
    )
    ends = "oldest to newest: . good, F bad, ~ flaky in a run"
    return _table(("scenario", "on", "bad of runs", ends), rows, "None.")


def _slowest(history: RunHistory) -> str:
    rows = []
    for slow in history.slowest:
        before = f"{slow.before:.1f}" if slow.before is not None else ""
        where = escape(slow.scenario), escape(slow.environment)
        rows.append((*where, f"{slow.seconds:.1f}", before))
    return _table(("scenario", "on", "seconds now", "before"), rows, "Nothing ran.")


def _runs(runs: Sequence[RunPoint]) -> str:
    return _table(
        ("started", "run", "on", "seconds", "scenarios", "commit"),
        (
            (
                escape(_when(point)) + (" (interrupted)" if point.interrupted else ""),
                escape(point.id),
                escape(point.target),
                f"{point.seconds:.0f}",
                escape(", ".join(f"{count} {result}" for result, count in point.results.items())),
                f"<code>{escape(point.commit[:12])}</code>",
            )
            for point in reversed(runs)
        ),
        "None.",
    )
