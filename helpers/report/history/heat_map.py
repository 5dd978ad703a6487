"""Tables of results in which a glance finds the day or the version that a scenario broke on."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from html import escape
from typing import NamedTuple

from helpers.scenario.result import UNEXPECTED, Result

NIGHTS = 14
MOST_ROWS = 60
SAYS_NOTHING = frozenset({Result.SKIP, Result.NOT_RUN})
CELLS: Mapping[Result, tuple[str, str]] = {
    Result.OK: ("verified", "✓"),
    Result.FIXED: ("verified", "f"),
    Result.XFAIL: ("deviates", "x"),
    Result.SKIP: ("blocked", "s"),
    Result.NOT_RUN: ("not-run", "–"),
    Result.FAIL: ("failing", "F"),
    Result.ERROR: ("failing", "E"),
    Result.XPASS: ("failing", "X"),
    Result.FLAKY: ("suspect", "~"),
}
"""The colour and the letter of each result."""
STYLE = """
.heat { overflow-x: auto; } .heat table { width: auto; }
.heat th { padding: 0 .2rem .35rem; white-space: nowrap; font-variant-numeric: tabular-nums; }
.heat th:first-child, .heat td:first-child { padding-right: 1rem; }
.heat td.result { padding: .15rem .1rem; border: 0; text-align: center; }
.heat td.result span { display: block; min-width: 2rem; border-radius: 4px; }
.heat td.result span { background: var(--t); color: var(--c); }
"""


class HeatMap(NamedTuple):
    """The results of scenarios in several runs; a run without the scenario has None."""

    title: str
    columns: tuple[str, ...]
    rows: tuple[tuple[str, tuple[Result | None, ...]], ...]


def heat_map(title: str, runs: Sequence[tuple[str, Mapping[str, Result]]]) -> HeatMap:
    """The scenarios that failed in one of these runs, or that ended differently; the worst first."""
    names = dict.fromkeys(name for _, results in runs for name in results)
    rows = [(name, tuple(results.get(name) for _, results in runs)) for name in names]
    shown = [row for row in rows if _is_telling(row[1])]
    shown.sort(key=lambda row: -sum(result in UNEXPECTED for result in row[1]))
    return HeatMap(title, tuple(label for label, _ in runs), tuple(shown))


def _is_telling(results: Iterable[Result | None]) -> bool:
    ends = set(results) - SAYS_NOTHING - {None}
    return len(ends) > 1 or not UNEXPECTED.isdisjoint(ends)


def render_heat_map(found: HeatMap) -> str:
    """The table, with a legend of what is in it."""
    if not found.rows:
        return (
            f'<p class="soft">{escape(found.title)}: every scenario ended alike in all of them.</p>'
        )
    head = "".join(f'<th scope="col">{escape(label)}</th>' for label in found.columns)
    body = "".join(
        f"<tr><td>{escape(name)}</td>{''.join(map(_cell, results))}</tr>"
        for name, results in found.rows[:MOST_ROWS]
    )
    more = len(found.rows) - MOST_ROWS
    rest = f'<p class="soft">and {more} more scenarios</p>' if more > 0 else ""
    present = {result for _, results in found.rows for result in results if result}
    legend = "".join(
        f'<span class="pill {colour}">{letter} {escape(result)}</span>'
        for result, (colour, letter) in CELLS.items()
        if result in present
    )
    return (
        f'<h3>{escape(found.title)}</h3><div class="heat"><table><thead><tr><th scope="col">scenario</th>'
        f'{head}</tr></thead><tbody>{body}</tbody></table></div>{rest}<p class="legend">{legend}</p>'
    )


def _cell(result: Result | None) -> str:
    if result is None:
        return '<td class="result" title="not there"></td>'
    colour, letter = CELLS[result]
    return (
        f'<td class="result" title="{escape(result)}"><span class="{colour}">{letter}</span></td>'
    )
