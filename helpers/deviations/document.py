"""docs/deviations.md: every known deviation of ClickHouse, generated from the marks of the scenarios."""

from __future__ import annotations

import re
from collections.abc import Sequence

from helpers.base.versions import RECORDED_UP_TO
from helpers.deviations.known import KnownDeviation
from helpers.report.deviations import KINDS, NOT_JUDGED, versions
from helpers.report.seen_versions import read_seen, seen_on

MOST_CELLS = 12
INTRODUCTION = f"""\
# Known deviations of ClickHouse

What ClickHouse does differently from a requirement, generated from the `@deviates` marks of the
scenarios (`./regression.py reproduce --document`; do not edit). Every run checks each of them to the cell:
a server that does something else, or what the requirement says, fails the run. They are recorded up to
ClickHouse {RECORDED_UP_TO}. Deviations of the exporter are not listed.

`./regression.py reproduce <deviation>` runs the SQL of an entry on a bare server and prints what is
expected and what the server does; with `--report` it prints a report to file upstream. The scripts are plain
SQL: comments say what the statement below them should answer (`expected`) and answers (`observed`), and
which one goes on in the background.

*origin* says who wrote the requirement: `source` is the specification this project was given, `ours` is
this project. *tried in SQL* says what the script showed on each version of ClickHouse that PyPI has
(`reproduce --all --record --clickhouse-version V`)."""


def render(deviations: Sequence[KnownDeviation]) -> str:
    """The whole document."""
    seen = read_seen()
    kinds: dict[str, list[KnownDeviation]] = {}
    for entry in sorted(deviations, key=lambda entry: entry.order):
        if not entry.of_exporter:
            kinds.setdefault(str(entry.deviation.kind or NOT_JUDGED), []).append(entry)
    parts = [INTRODUCTION]
    for kind, entries in kinds.items():
        parts += [
            f"## {_title(kind)}: {len(entries)}",
            f"{_title(KINDS[kind])}.",
            _contents(entries),
        ]
    for entries in kinds.values():
        parts += [_entry(entry, seen_on(entry.id, seen)) for entry in entries]
    return "\n\n".join(parts) + "\n"


def _contents(entries: Sequence[KnownDeviation]) -> str:
    lines = ["| severity | deviation | requirements | origin | upstream | shown by |"]
    lines += ["|---|---|---|---|---|---|"]
    for entry in entries:
        names = ", ".join(name.rpartition(".ClickHouse.")[2] for name in entry.requirements)
        upstream = f"[link]({entry.deviation.upstream})" if entry.deviation.upstream else ""
        lines.append(
            f"| {entry.deviation.severity or NOT_JUDGED} | [{entry.id}](#{_anchor(entry.id)}) | {names} "
            f"| {entry.origin} | {upstream} | {_shown_by(entry)} |"
        )
    return "\n".join(lines)


def _shown_by(entry: KnownDeviation) -> str:
    if entry.no_sql:
        return "scenario"
    return "SQL" if entry.reproduction else "**missing**"


def _entry(entry: KnownDeviation, seen: str) -> str:
    deviation = entry.deviation
    judged = f"{deviation.kind}, {deviation.severity}" if deviation.kind else NOT_JUDGED
    facts = [
        f"- verdict: {judged}",
        *(f"- requirement: `{name}` ({entry.origin})" for name in entry.requirements),
        f"- versions: {versions(deviation.when)}",
        *([f"- tried in SQL: {seen}"] if seen else ()),
        *([f"- environments: those with {deviation.where.value}"] if deviation.where else ()),
        *(f"- scenario: [{each.name}](../{each.file})" for each in entry.scenarios),
    ]
    if deviation.upstream:
        facts.append(f"- upstream: <{deviation.upstream}>")
    return "\n\n".join(
        [
            f"### {entry.id}",
            f"{_title(deviation.reason)}.",
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


def _title(text: str) -> str:
    return text[0].upper() + text[1:]
