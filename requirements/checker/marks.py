"""Rules about marks of scenarios: what they record or leave out is exact, and not anything."""

from __future__ import annotations

import re
from collections.abc import Iterator
from fnmatch import fnmatchcase

from requirements.checker.registry import Finding, Project, project_rule

# No server ever answers this: a pattern that matches it matches anything.
NEVER_SEEN = (
    "",
    " ",
    "x",
    "0",
    "jabberwocky",
    "17 borogoves: mimsy; 'frabjous' (day) [1, 2]\ncallooh",
)
OPERATORS = (
    "drop",
    "omit[x]",
    "lose-row",
    "double-row",
    "change-value",
    "swap-values",
    "stale",
    "skip",
)
KEYWORDS = """
    ALTER TABLE INSERT INTO VALUES SELECT FROM WHERE CREATE DROP DATABASE SYSTEM AND OR NOT AS IN BY SET
    ENGINE ORDER PARTITION MERGETREE SETTINGS COUNT OPTIMIZE FINAL DELETE UPDATE
"""


@project_rule("error", "add kind= and severity= to the mark (helpers/scenario/deviation.py)")
def not_judged(project: Project) -> Iterator[Finding]:
    """A deviation does not say whose fault it is and how bad."""
    for mark in project.marks.deviations:
        if mark.kind is None:
            yield Finding(mark.file, mark.line, 1, f"the deviation {mark.id} is not judged")


@project_rule("error", "write what is observed; a pattern may leave open what varies, and no more")
def observed_anything(project: Project) -> Iterator[Finding]:
    """What a deviation records as observed is empty, or a pattern that matches anything."""
    for mark in project.marks.deviations:
        for cell, seen in mark.observed.items():
            if isinstance(seen, str):
                wrong = "" if seen.strip() else "is empty"
            else:
                wrong = next(
                    (_matching(seen, text) for text in NEVER_SEEN if seen.fullmatch(text)), ""
                )
            if wrong:
                message = f"the deviation {mark.id}: what is observed in {cell!r} {wrong}"
                yield Finding(mark.file, mark.line, 1, message)


@project_rule("error", "name the operator and enough of the statement to tell it from others")
def equivalent_anything(project: Project) -> Iterator[Finding]:
    """An equivalent mutant is any mutant, or a mutant of any statement."""
    for mark in project.marks.equivalents:
        pattern = mark.mutant.replace("[", "[[]")
        operators = sum(fnmatchcase(operator, pattern) for operator in OPERATORS)
        words = re.findall(r"\w+", mark.statement)
        # `omit[mutations_sync]` names a setting, which is enough of the statement.
        named = re.fullmatch(r"omit\[\W*\w{3,}.*", mark.mutant)
        everywhere = mark.file.endswith(".toml")
        if operators > len(OPERATORS) // 2 and everywhere:
            message = f"the equivalent mutant {mark.mutant!r} is any mutant"
        elif not named and all(word.upper() in KEYWORDS.split() or len(word) < 3 for word in words):
            message = f"the equivalent mutant {mark.mutant!r} is one of any {mark.statement!r}"
        else:
            continue
        yield Finding(mark.file, mark.line, 1, message)


def _matching(seen: re.Pattern[str], text: str) -> str:
    return f"is a pattern that matches {text!r}: {seen.pattern}"
