"""What distinguishes rows that should be the same, in a few lines for people."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from enum import Enum
from typing import Any

MOST_ROWS = 20
LONGEST_VALUE = 60


class DifferenceKind(Enum):
    """How a row differs."""

    MISSING = "missing"
    UNEXPECTED = "unexpected"
    DUPLICATED = "duplicated"
    CHANGED = "changed"


@dataclass(frozen=True)
class RowDifference:
    """A row that is not as expected, and how often it is expected and there.

    `row` is the expected row, or the actual one if none is expected; `actual_row` is the same, except
    if the row was changed.
    """

    kind: DifferenceKind
    row: Mapping[str, Any]
    expected: int
    actual: int
    actual_row: Mapping[str, Any]

    def render(self, key: Iterable[str] = ()) -> str:
        """One line."""
        if self.kind is DifferenceKind.CHANGED:
            pairs = ((name, self.row[name], self.actual_row[name]) for name in self.row)
            # What is not a number does not equal itself.
            changes = (
                _change(name, expected, actual)
                for name, expected, actual in pairs
                if expected is not actual and expected != actual
            )
            where = ", ".join(f"{name} = {_text(self.row[name])}" for name in key)
            return f"{self.kind.value:<10}  {where}: {', '.join(changes)}"
        line = (
            f"{self.kind.value:<10}  {', '.join(f'{n} = {_text(v)}' for n, v in self.row.items())}"
        )
        if self.expected + self.actual > 1:
            line += f"  (expected {_times(self.expected)}, found {_times(self.actual)})"
        return line


@dataclass(frozen=True)
class Difference:
    """The differing rows: all of them, or the first if there are many."""

    name: str
    expected_rows: int
    actual_rows: int
    key: tuple[str, ...]
    rows: tuple[RowDifference, ...]
    # How many differ among those that were looked at; all were, if `complete`.
    differing: int
    complete: bool

    def __str__(self) -> str:
        at_least = "" if self.complete else "at least "
        noun = "row differs" if self.differing == 1 else "rows differ"
        lines = [
            f"{self.name} is not as expected: {self.expected_rows:,} rows expected, "
            f"{self.actual_rows:,} found; {at_least}{self.differing:,} {noun}:",
            *(f"  {row.render(self.key)}" for row in self.rows),
        ]
        if left := self.differing - len(self.rows):
            lines.append(f"  … and {at_least}{left:,} more")
        return "\n".join(lines)


def _times(count: int) -> str:
    return {0: "never", 1: "once", 2: "twice"}.get(count, f"{count:,} times")


def _change(name: str, expected: object, actual: object) -> str:
    ours, theirs = _text(expected), _text(actual)
    if ours == theirs:  # they differ behind the place where a long value is cut
        ours, theirs = repr(expected), repr(actual)
        pairs = enumerate(zip(ours, theirs, strict=False))
        at = next((at for at, (a, b) in pairs if a != b), min(len(ours), len(theirs)))
        start = max(at - 10, 0)
        ours, theirs = (f"…{text[start : start + LONGEST_VALUE]}" for text in (ours, theirs))
    return f"{name} = {theirs} instead of {ours}"


def _text(value: object) -> str:
    if value is None:
        return "NULL"
    text = repr(value) if isinstance(value, str | bytes | list | dict | tuple) else str(value)
    return text if len(text) <= LONGEST_VALUE else f"{text[:LONGEST_VALUE]}…"
