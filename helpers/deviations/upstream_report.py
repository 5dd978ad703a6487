"""A report of a bug, ready to be filed upstream: title, versions, SQL, expected, observed, severity."""

from __future__ import annotations

import re

from helpers.deviations.known import KnownDeviation
from helpers.deviations.reproduction import Command, Script
from helpers.report.deviations import versions

LONGEST_TITLE = 120


def render_report(known: KnownDeviation, seen: str = "") -> str:
    """The report in Markdown; `seen` says which versions were seen to deviate."""
    deviation, script = known.deviation, known.reproduction
    sentence = f"{deviation.reason[0].upper()}{deviation.reason[1:]}."
    parts = [
        f"# {_title(deviation.reason)}",
        sentence,
        f"- Versions: ClickHouse {seen or versions(deviation.when)}\n"
        f"- Severity: {deviation.severity or 'not judged'}\n"
        f"- Required by: {', '.join(known.requirements)} ({known.origin})",
    ]
    if deviation.upstream:
        parts.append(f"Already reported: {deviation.upstream}")
    parts += _by_sql(script) if script else _by_scenario(known)
    return "\n\n".join(parts)


def _title(reason: str) -> str:
    first = re.split(r"[:;.] ", reason, maxsplit=1)[0]
    title = (
        first if len(first) <= LONGEST_TITLE else first[:LONGEST_TITLE].rpartition(" ")[0] + " …"
    )
    return title[0].upper() + title[1:]


def _by_sql(script: Script) -> list[str]:
    checked = [command for command in script.commands if command.expected is not None]
    return [
        "## How to reproduce",
        f"```sql\n{script.file.read_text(encoding='utf-8').strip()}\n```",
        *(
            [f"It is a race; it shows within {script.attempts} attempts."]
            if script.attempts > 1
            else ()
        ),
        "## Expected and observed",
        *(
            _answer(command)
            for command in checked
            if command.observed not in (None, command.expected)
        ),
    ]


def _answer(command: Command) -> str:
    return (
        f"```sql\n{command.statement.shown}\n```\n"
        f"- expected: {_one_line(command.expected)}\n- observed: {_one_line(command.observed)}"
    )


def _by_scenario(known: KnownDeviation) -> list[str]:
    cells = [
        f"- {cell}: {seen.pattern if isinstance(seen, re.Pattern) else seen}"
        for cell, seen in known.deviation.observed.items()
    ]
    why = f"SQL alone does not show it: {known.no_sql}. " if known.no_sql else ""
    return [
        "## How to reproduce",
        f"{why}`{known.rerun}`",
        "## Observed",
        "\n".join(cells),
        f"Expected: {known.deviation.step}.",
    ]


def _one_line(answer: str | None) -> str:
    return (answer or "").replace("\n", " / ")
