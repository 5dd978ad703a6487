"""One finding of the checker, and how it is shown: on a terminal, to GitHub, as JSON."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import NamedTuple

SCHEMA = 1


class Diagnostic(NamedTuple):
    """What is wrong, where, by which rule, and what to do about it."""

    file: str
    line: int
    column: int
    rule: str
    level: str
    message: str
    hint: str
    source: str = ""
    width: int = 1


def as_text(diagnostic: Diagnostic) -> str:
    """`file:line:col: level: text [rule]`, the source line with a caret, and the hint."""
    place = f"{diagnostic.file}:{diagnostic.line}:{diagnostic.column}"
    lines = [f"{place}: {diagnostic.level}: {diagnostic.message} [{diagnostic.rule}]"]
    if diagnostic.source.strip():
        shown, caret = _excerpt(diagnostic)
        lines += [f"    {shown}", f"    {caret}"]
    lines.append(f"    hint: {diagnostic.hint}")
    return "\n".join(lines)


def as_github(diagnostic: Diagnostic) -> str:
    """An annotation on the changed line of a pull request."""
    message = _escape(f"{diagnostic.message}. {diagnostic.hint}")
    file = _escape(diagnostic.file).replace(",", "%2C").replace(":", "%3A")
    return (
        f"::{diagnostic.level} file={file},line={diagnostic.line},col={diagnostic.column},"
        f"title={diagnostic.rule}::{message}"
    )


def as_json(diagnostics: Sequence[Diagnostic]) -> str:
    """All findings for other tools, with the counts."""
    errors = count(diagnostics, "error")
    report = {
        "schema": SCHEMA,
        "errors": errors,
        "warnings": len(diagnostics) - errors,
        "diagnostics": [
            {
                key: value
                for key, value in diagnostic._asdict().items()
                if key not in ("source", "width")
            }
            for diagnostic in diagnostics
        ],
    }
    return json.dumps(report, indent=2, ensure_ascii=False)


def count(diagnostics: Sequence[Diagnostic], level: str) -> int:
    """How many findings of a level there are."""
    return sum(1 for diagnostic in diagnostics if diagnostic.level == level)


def _excerpt(diagnostic: Diagnostic, length: int = 96) -> tuple[str, str]:
    """The part of the source line around the column, with a caret line below it."""
    source = "".join(char if char.isprintable() else " " for char in diagnostic.source)
    start = max(0, min(diagnostic.column - 1 - length // 2, len(source) - length))
    shown = source[start : start + length]
    if start:
        shown = "…" + shown[1:]
    at = diagnostic.column - 1 - start
    return shown, " " * at + "^" + "~" * (min(diagnostic.width, length - at) - 1)


def _escape(text: str) -> str:
    return text.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")
