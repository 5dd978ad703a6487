"""docs/deviations.md: every known deviation of ClickHouse, generated from the marks of the scenarios."""

from __future__ import annotations

import re
from collections.abc import Sequence

from helpers.deviations.known import KnownDeviation

MOST_CELLS = 12
INTRODUCTION = """\
# Known deviations of ClickHouse

What ClickHouse does otherwise than a requirement says, generated from the `@deviates` marks of the
scenarios (`./regression.py reproduce --document`; do not edit). Every run checks each of them to the cell:
a server that does something else, or what the requirement says, fails the run.

`./regression.py reproduce <deviation>` runs the SQL of an entry on a bare server and prints what is
expected and what the server does. The scripts are plain SQL: comments say what the statement below them
should answer (`expected`) and answers (`observed`), and which one goes on in the background."""


def render(deviations: Sequence[KnownDeviation]) -> str:
    """The whole document."""
    features: dict[str, list[KnownDeviation]] = {}
    for deviation in deviations:
        features.setdefault(deviation.scenario.feature, []).append(deviation)
    parts = [INTRODUCTION, _contents(features)]
    for feature, entries in features.items():
        parts += [f"## {_title(feature)}", *map(_entry, entries)]
    return "\n\n".join(parts) + "\n"


def _contents(features: dict[str, list[KnownDeviation]]) -> str:
    lines = ["| deviation | requirements | reproduction |", "|---|---|---|"]
    for entries in features.values():
        for entry in entries:
            names = ", ".join(name.rpartition(".ClickHouse.")[2] for name in entry.requirements)
            lines.append(f"| [{entry.id}](#{_anchor(entry.id)}) | {names} | {_kind(entry)} |")
    return "\n".join(lines)


def _kind(entry: KnownDeviation) -> str:
    if entry.no_sql:
        return "scenario"
    return "SQL" if entry.reproduction else "**missing**"


def _entry(entry: KnownDeviation) -> str:
    deviation, scenario = entry.deviation, entry.scenario
    facts = [
        *(f"- requirement: `{name}`" for name in entry.requirements),
        f"- versions: {deviation.when or 'all that were tried'}",
        *([f"- environments: those with {deviation.where.value}"] if deviation.where else ()),
        f"- scenario: [{scenario.name}](../{scenario.file})",
    ]
    if deviation.upstream:
        facts.append(f"- upstream: <{deviation.upstream}>")
    return "\n\n".join(
        [
            f"### {entry.id}",
            f"{deviation.reason[0].upper()}{deviation.reason[1:]}.",
            "\n".join(facts),
            _cells(entry),
            _reproduction(entry),
        ]
    )


def _cells(entry: KnownDeviation) -> str:
    cells = [
        f"| {_cell(name)} | {_cell(seen.pattern if isinstance(seen, re.Pattern) else seen)} |"
        for name, seen in entry.deviation.observed.items()
    ]
    more = len(cells) - MOST_CELLS
    rest = [f"| … and {more} more | |"] if more > 0 else []
    return "\n".join(["| where | observed |", "|---|---|", *cells[:MOST_CELLS], *rest])


def _cell(text: str) -> str:
    return " ".join(text.split()).replace("|", "\\|")


def _reproduction(entry: KnownDeviation) -> str:
    script = entry.reproduction
    rerun = f"`{entry.rerun}`"
    if entry.no_sql:
        return f"Not in SQL: {entry.no_sql}. The scenario shows it: {rerun}"
    if script is None:
        return f"No reproduction in SQL yet; the scenario shows it: {rerun}"
    text = script.file.read_text(encoding="utf-8").strip()
    return f"`./regression.py reproduce {entry.id}`\n\n```sql\n{text}\n```"


def _anchor(name: str) -> str:
    return re.sub(r"[^\w -]", "", name.lower()).replace(" ", "-")


def _title(feature: str) -> str:
    return feature[0].upper() + feature[1:]
