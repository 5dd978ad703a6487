"""How two values differ: one line that a person can act on, and at most five rows below it.

The operands are the objects that the scenario compared. TestFlows prints each of them in full; that text
is for failure.txt (helpers/runner/evidence.py).
"""

from __future__ import annotations

import contextlib
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from helpers.base.escaping import counted, shortened

MOST_ROWS = 5
LONGEST_VALUE = 120
ALIKE_SHOWN = 20  # of what two long values begin with
SHORT = 100  # two values that are shown as they are


@dataclass(frozen=True)
class Comparison:
    """What differs, in one line, and examples of it."""

    headline: str
    rows: tuple[str, ...] = ()


def compare(actual: object, expected: object) -> Comparison:
    """Describe how a value differs from the expected one."""
    if len(text_of(actual)) + len(text_of(expected)) <= SHORT:
        return Comparison(_both(actual, expected))
    if isinstance(actual, Mapping) and isinstance(expected, Mapping):
        return _mappings(actual, expected)
    if isinstance(actual, (set, frozenset)) and isinstance(expected, (set, frozenset)):
        return _members(sorted(actual, key=repr), sorted(expected, key=repr))
    if isinstance(actual, (list, tuple)) and type(actual) is type(expected):
        return _lists(actual, expected)
    if isinstance(actual, str) and isinstance(expected, str):
        return _texts(actual, expected)
    kind = f" ({type(expected).__name__})" if type(actual) is not type(expected) else ""
    return Comparison(f"{_both(actual, expected)}{kind}")


def text_of(value: object) -> str:
    """The repr of a value, whatever its class does."""
    try:
        return repr(value)
    except Exception as error:
        return f"<{type(value).__name__}, whose repr raises {type(error).__name__}>"


def _lists(actual: Sequence[Any], expected: Sequence[Any]) -> Comparison:
    """Rows and lists of lists differ at a place; lists of rows or values differ in their members."""
    is_row = isinstance(actual, tuple)
    is_nested = all(isinstance(item, (list, Mapping)) for item in (*actual, *expected))
    place = _first_place(actual, expected)
    if (is_row or is_nested) and len(actual) == len(expected) and place is not None:
        inner = compare(actual[place], expected[place])
        return Comparison(f"item {place + 1} of {len(actual)}: {inner.headline}", inner.rows)
    return _members(actual, expected)


def _first_place(actual: Sequence[Any], expected: Sequence[Any]) -> int | None:
    """The first place at which two lists differ."""
    pairs = zip(actual, expected, strict=False)
    return next((place for place, (one, other) in enumerate(pairs) if one != other), None)


def _members(actual: Sequence[Any], expected: Sequence[Any]) -> Comparison:
    """Members that are missing, and members that are not expected."""
    what = "row" if any(isinstance(item, tuple) for item in (*actual, *expected)) else "value"
    missing, unexpected = _without(expected, actual), _without(actual, expected)
    if not missing and not unexpected:
        place = _first_place(actual, expected) or 0
        first = f"number {place + 1} {_both(actual[place], expected[place])}"
        return Comparison(f"has the {counted(len(actual), what)} in another order: {first}")
    headline = f"has {len(expected) - len(missing)} of {len(expected)} expected {what}s"
    headline += f" and {counted(len(unexpected), 'other')}" if unexpected else ""
    headline = headline if expected else f"has {counted(len(actual), what)}, expected none"
    rows = [f"missing     {_shown(row)}" for row in missing[: MOST_ROWS if not unexpected else 3]]
    rows += [f"unexpected  {_shown(row)}" for row in unexpected[: MOST_ROWS - len(rows)]]
    return Comparison(f"{headline}; {_first(missing, unexpected)}", tuple(rows))


def _without(these: Sequence[Any], others: Sequence[Any]) -> list[Any]:
    """The members of one list that the other has not, or has not as often."""
    ways: tuple[Callable[[Any], Any], ...] = (lambda item: item, _hashable)
    for key in ways:
        with contextlib.suppress(TypeError):  # members that have no hash
            left = Counter(map(key, others))
            return [item for item in these if not _taken(left, key(item))]
    rest = list(others)
    return [item for item in these if not _removed(rest, item)]


def _hashable(value: Any) -> Any:
    """A value that has a hash, and equals what the given one equals."""
    if isinstance(value, (list, tuple)):
        return (list if isinstance(value, list) else tuple, *map(_hashable, value))
    if isinstance(value, Mapping):
        return (dict, frozenset((key, _hashable(value[key])) for key in value))
    return frozenset(value) if isinstance(value, set) else value


def _taken(left: Counter[Any], key: Any) -> bool:
    """Whether there was one more of them, which is counted off now."""
    left[key] -= 1
    return left[key] >= 0


def _removed(rest: list[Any], item: Any) -> bool:
    """Whether the list had this member, which it has lost now."""
    if item not in rest:
        return False
    rest.remove(item)
    return True


def _first(missing: Sequence[Any], unexpected: Sequence[Any]) -> str:
    """The first difference: in one column of a row where two rows are alike in the others."""
    if not missing:
        return f"the first unexpected is {_shown(unexpected[0])}"
    row = missing[0]
    alike = [other for other in unexpected if _columns(row, other)]
    if not alike:
        return f"the first missing is {_shown(row)}"
    other = min(alike, key=lambda each: len(_columns(row, each)))
    column = _columns(row, other)[0]
    key = ", ".join(_shown(value) for value in row[:column]) or _shown(row)
    return (
        f"first difference in row ({key}, …), column {column + 1}: "
        f"{_both(other[column], row[column])}"
    )


def _columns(row: Any, other: Any) -> list[int]:
    """The columns in which two rows differ; none unless the first and half of all are alike."""
    if not isinstance(row, tuple) or not isinstance(other, tuple) or len(row) != len(other):
        return []
    pairs = zip(row, other, strict=True)
    differing = [index for index, (one, two) in enumerate(pairs) if one != two]
    is_alike = 0 not in differing and 2 * len(differing) <= len(row)
    return differing if is_alike else []


def _mappings(actual: Mapping[Any, Any], expected: Mapping[Any, Any]) -> Comparison:
    """Keys whose values differ, or that one of the two has not."""
    keys = [
        key
        for key in dict.fromkeys((*expected, *actual))
        if key not in actual or key not in expected or actual[key] != expected[key]
    ]
    number = len(dict.fromkeys((*expected, *actual)))
    if not keys:
        return Comparison(f"has the {counted(number, 'key')} in another order")
    rows = [_entry(key, actual, expected) for key in keys[:MOST_ROWS]]
    headline = f"{len(keys)} of {counted(number, 'key')} differ; {rows[0]}"
    return Comparison(headline, tuple(rows) if len(rows) > 1 else ())


def _entry(key: Any, actual: Mapping[Any, Any], expected: Mapping[Any, Any]) -> str:
    if key not in actual:
        return f"{_shown(key)} is missing, expected {_shown(expected[key])}"
    if key not in expected:
        return f"{_shown(key)} is unexpected: {_shown(actual[key])}"
    return f"{_shown(key)}: {compare(actual[key], expected[key]).headline}"


def _texts(actual: str, expected: str) -> Comparison:
    """The first line that differs, if there are several."""
    if "\n" not in actual + expected:
        return Comparison(_both(actual, expected))
    lines, wanted = actual.splitlines(keepends=True), expected.splitlines(keepends=True)
    place = _first_place(lines, wanted)
    if place is not None:
        return Comparison(f"line {place + 1} {_both(lines[place], wanted[place])}")
    place = min(len(lines), len(wanted))
    if place == len(lines):
        return Comparison(f"line {place + 1} is missing, expected {_shown(wanted[place])}")
    return Comparison(f"line {place + 1} is {_shown(lines[place])}, expected no such line")


def _both(actual: object, expected: object) -> str:
    """Two values in one line, cut so that their difference is seen."""
    texts = text_of(actual), text_of(expected)
    one, other = (shortened(text, LONGEST_VALUE) for text in texts)
    if one != other:
        return f"is {one}, expected {other}"
    if texts[0] == texts[1]:
        return f"is {one}, expected {other}: not equal, though they look the same"
    pairs = zip(*texts, strict=False)
    alike = next((place for place, (a, b) in enumerate(pairs) if a != b), min(map(len, texts)))
    start = alike - ALIKE_SHOWN
    one, other = (shortened(text[start:], LONGEST_VALUE) for text in texts)
    return f"is … {one}, expected … {other}, after {alike} equal characters"


def _shown(value: object) -> str:
    return shortened(text_of(value), LONGEST_VALUE)
