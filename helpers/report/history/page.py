"""The page of a history: one file without scripts that needs no network."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from html import escape

from helpers.base.escaping import counted
from helpers.report.history.heat_map import STYLE as HEAT_MAP_STYLE
from helpers.report.history.heat_map import render_heat_map
from helpers.report.history.runs import Regression, RunHistory, RunPoint
from helpers.report.page import asset
from helpers.scenario.result import State

BAR_HEIGHT = 160
STYLE = """
.card { overflow-x: auto; }
.trend { display: flex; gap: .5rem; } .trend svg { flex: 1; } .trend rect { fill: var(--f); }
.trend .axis { display: flex; flex-direction: column; justify-content: space-between; text-align: right; }
.dates { display: flex; justify-content: space-between; margin-left: 2.5rem; }
.legend span { margin-right: .8rem; } .mono { white-space: pre; } td.number { text-align: right; }
"""


def render_history(history: RunHistory) -> str:
    """The whole page."""
    title = f"History of {len(history.runs)} runs"
    body = [
        f"<h1>{title}</h1>",
        f'<p class="verdict">{escape(_verdict(history))}</p>',
        _section("What is broken, and since when", _regressions(history.regressions)),
        *_heat_maps(history),
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
        f"<style>{asset('page.css')}{STYLE}{HEAT_MAP_STYLE}</style></head>\n"
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


def _heat_maps(history: RunHistory) -> list[str]:
    sections = []
    if history.nights:
        content = "".join(map(render_heat_map, history.nights))
        sections.append(_section("Scenarios by run", content))
    if history.versions:
        content = render_heat_map(history.versions)
        sections.append(_section("Scenarios by environment and version", content))
    return sections


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
                f"{escape(regression.reason)}<br><b>{escape(regression.triage)}</b>",
            )
        )
    headings = (
        "scenario",
        "on",
        "first bad run",
        "last good run",
        "bad runs",
        "why, and whose fault",
    )
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
    """A stacked bar for each run, over the full width: the states of the requirements that were run."""
    states = [
        {state: count for state, count in point.states.items() if state != State.NOT_RUN}
        for point in points
    ]
    highest = max((sum(counts.values()) for counts in states), default=0) or 1
    width = 100 / len(points)
    bars = [
        _bar(point, counts, index * width, width, highest)
        for index, (point, counts) in enumerate(zip(points, states, strict=True))
    ]
    legend = "".join(
        f'<span class="pill {state.replace(" ", "-")}">{state} {states[-1].get(state, 0)}</span>'
        for state in State
        if any(state in counts for counts in states)
    )
    return (
        f'<div class="trend"><div class="axis soft"><span>{highest}</span><span>{highest // 2}</span>'
        f'<span>0</span></div><svg role="img" aria-label="states of requirements, a bar for each run" '
        f'height="{BAR_HEIGHT}" viewBox="0 0 100 {BAR_HEIGHT}" preserveAspectRatio="none">'
        f"{''.join(bars)}</svg></div>"
        f'<p class="dates soft"><span>{escape(_when(points[0]))}</span>'
        f"<span>{escape(_when(points[-1]))}</span></p>"
        f'<p class="legend">newest: {legend}</p>'
    )


def _bar(
    point: RunPoint, counts: Mapping[str, int], left: float, width: float, highest: int
) -> str:
    """The bar of a run; what it did not run is not drawn."""
    shown = ", ".join(f"{count} {state}" for state, count in counts.items())
    pieces, top = [], float(BAR_HEIGHT)
    for state, count in counts.items():
        height = BAR_HEIGHT * count / highest
        top -= height
        pieces.append(
            f'<rect class="{state.replace(" ", "-")}" x="{left + width * 0.08:.2f}" y="{top:.1f}" '
            f'width="{width * 0.84:.2f}" height="{height:.1f}"/>'
        )
    return f"<g><title>{escape(f'{_when(point)}: {shown}')}</title>{''.join(pieces)}</g>"


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
