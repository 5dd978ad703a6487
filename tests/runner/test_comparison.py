"""A failed comparison says in one line what differs, and shows five rows at most."""

from __future__ import annotations

import time
from collections import OrderedDict

import pytest

from helpers.runner.worker.comparison import LONGEST_VALUE, MOST_ROWS, compare

ROWS = [(1, number, f"source {number}") for number in range(20)]
OTHERS = [(1, number, f"destination {number}") for number in range(20)]


@pytest.mark.parametrize(
    ("actual", "expected", "headline"),
    [
        (3, 7, "is 3, expected 7"),
        ([1, 2], [2, 1], "is [1, 2], expected [2, 1]"),
        (
            OTHERS,
            ROWS,
            "has 0 of 20 expected rows and 20 others; first difference in row (1, 0, …), column 3: "
            "is 'destination 0', expected 'source 0'",
        ),
        (
            ROWS[:-1],
            ROWS,
            "has 19 of 20 expected rows; the first missing is (1, 19, 'source 19')",
        ),
        (
            [*ROWS, ROWS[3]],
            ROWS,
            "has 20 of 20 expected rows and 1 other; the first unexpected is (1, 3, 'source 3')",
        ),
        (ROWS, [], "has 20 rows, expected none; the first unexpected is (1, 0, 'source 0')"),
        (
            [*ROWS[1:], ROWS[0]],
            ROWS,
            "has the 20 rows in another order: number 1 is (1, 1, 'source 1'), expected (1, 0, 'source 0')",
        ),
        (
            [ROWS, ROWS[:19]],
            [ROWS, ROWS],
            "item 2 of 2: has 19 of 20 expected rows; the first missing is (1, 19, 'source 19')",
        ),
        (
            dict.fromkeys(range(30), 1),
            {**dict.fromkeys(range(30), 1), 7: 2},
            "1 of 30 keys differ; 7: is 1, expected 2",
        ),
        (
            dict.fromkeys(range(30), 1),
            dict.fromkeys(range(31), 1),
            "1 of 31 keys differ; 30 is missing, expected 1",
        ),
        (
            set(range(40)),
            set(range(1, 41)),
            "has 39 of 40 expected values and 1 other; the first missing is 40",
        ),
        ("a\n" * 60 + "b", "a\n" * 60 + "c", "line 61 is 'b', expected 'c'"),
        ("a\n" * 60, "a\n" * 61, "line 61 is missing, expected 'a\\n'"),
        ("a\n" * 61, "a\n" * 60, "line 61 is 'a\\n', expected no such line"),
        ("a\n" * 60, "a\n" * 59 + "a", "line 60 is 'a\\n', expected 'a'"),
        (
            b"a" * 300 + b"x",
            b"a" * 300 + b"y",
            f"is … {'a' * 20}x', expected … {'a' * 20}y', after 302 equal characters",
        ),
        (
            OrderedDict.fromkeys(range(60)),
            OrderedDict.fromkeys(reversed(range(60))),
            "has the 60 keys in another order",
        ),
        (float("nan"), float("nan"), "is nan, expected nan: not equal, though they look the same"),
        (
            [[number] for number in range(40)],
            [[number] for number in range(41)],
            "has 40 of 41 expected values; the first missing is [40]",
        ),
    ],
)
def test_the_first_line(actual: object, expected: object, headline: str) -> None:
    assert compare(actual, expected).headline == headline


def test_lists_of_another_type_are_told_apart() -> None:
    assert compare(tuple(ROWS), ROWS).headline.endswith("… (list)")


def test_values_that_equal_nothing() -> None:
    headline = compare([float("nan")] * 60, [float("nan")] * 60).headline
    assert headline == "has 0 of 60 expected values and 60 others; the first missing is nan"


def test_many_rows_without_a_hash_take_no_minutes() -> None:
    rows, others = ([(number, [value]) for number in range(20_000)] for value in (1, 2))
    started = time.monotonic()
    assert "0 of 20000 expected rows" in compare(rows, others).headline
    assert time.monotonic() - started < 10


def test_few_rows_and_short_values() -> None:
    long = [(number, "x" * 1000) for number in range(50)]
    found = compare(long, [(number, "y" * 1000) for number in range(50)])
    assert len(found.rows) == MOST_ROWS
    assert {row.split()[0] for row in found.rows} == {"missing", "unexpected"}
    assert all(len(row) < LONGEST_VALUE + 20 for row in found.rows)
    assert len(found.headline) < 4 * LONGEST_VALUE
