"""A difference in words, without an engine."""

from __future__ import annotations

import datetime
import math
from typing import Any

import pytest

from pipelines.compare.difference import Difference, DifferenceKind, RowDifference
from pipelines.compare.differing_rows import _plain, judge


def changed(row: dict[str, Any], actual: dict[str, Any]) -> str:
    return RowDifference(DifferenceKind.CHANGED, row, 1, 1, actual).render(["k"])


@pytest.mark.parametrize(
    ("expected", "actual", "line"),
    [
        (1, 0, "missing     k = 1, v = NULL"),
        (2, 0, "missing     k = 1, v = NULL  (expected twice, found never)"),
        (3, 1, "missing     k = 1, v = NULL  (expected 3 times, found once)"),
    ],
)
def test_how_often_is_told_where_it_is_not_plain(expected: int, actual: int, line: str) -> None:
    row = {"k": 1, "v": None}
    assert RowDifference(DifferenceKind.MISSING, row, expected, actual, row).render() == line


def test_only_what_changed_is_told() -> None:
    row = {"k": 1, "v": "a", "w": math.nan}
    assert (
        changed(row, {"k": 1, "v": "b", "w": math.nan})
        == "changed     k = 1: v = 'b' instead of 'a'"
    )
    text = changed({"k": 1, "v": b"\xff", "w": 1}, {"k": 1, "v": "", "w": None})
    assert text == r"changed     k = 1: v = '' instead of b'\xff', w = NULL instead of 1"


def test_long_values_are_cut_but_show_where_they_differ() -> None:
    text = changed({"k": 1, "v": "x" * 500 + "a"}, {"k": 1, "v": "x" * 500 + "b"})
    assert "xxxb' instead of …" in text and text.endswith("xxxa'") and len(text) < 200
    longer = changed({"k": 1, "v": ["x"] * 100}, {"k": 1, "v": ["x"] * 101})
    assert len(longer) < 200 and longer.partition(" instead of ")[0] != longer.partition(" of ")[2]
    other = changed({"k": "y" * 500, "v": 1}, {"k": "y" * 500, "v": 2})
    assert other == f"changed     k = '{'y' * 59}…: v = 2 instead of 1"


@pytest.mark.parametrize(
    ("differing", "complete", "first", "last"),
    [
        (1, True, "5,000 rows expected, 4,999 found; 1 row differs:", "missing     k = 1"),
        (3, True, "found; 3 rows differ:", "… and 2 more"),
        (3000, False, "found; at least 3,000 rows differ:", "… and at least 2,999 more"),
        (1, False, "found; at least 1 row differs:", "missing     k = 1"),
    ],
)
def test_what_was_not_looked_at_is_told(
    differing: int, complete: bool, first: str, last: str
) -> None:
    row = RowDifference(DifferenceKind.MISSING, {"k": 1}, 1, 0, {"k": 1})
    lines = str(Difference("t", 5000, 4999, ("k",), (row,), differing, complete)).splitlines()
    assert lines[0].startswith("t is not as expected: ") and lines[0].endswith(first)
    assert lines[1] == "  missing     k = 1" and lines[-1].strip() == last


@pytest.mark.parametrize(
    ("expected", "actual", "kinds"),
    [
        ({11: 1}, {12: 1}, ["changed"]),
        ({11: 1}, {}, ["missing"]),
        ({}, {11: 1}, ["unexpected"]),
        ({11: 1}, {11: 2}, ["duplicated"]),
        ({11: 2}, {11: 1}, ["missing"]),
        ({11: 2}, {12: 2}, ["missing", "unexpected"]),
        ({11: 1}, {12: 2}, ["missing", "unexpected"]),
        ({11: 1}, {12: 1, 13: 1}, ["missing", "unexpected", "unexpected"]),
        ({11: 1, 12: 1}, {13: 1}, ["missing", "missing", "unexpected"]),
    ],
    ids=str,
)
def test_only_one_row_for_another_is_a_change(
    expected: dict[int, int], actual: dict[int, int], kinds: list[str]
) -> None:
    ours, theirs = (
        {(1, row): count for row, count in counts.items()} for counts in (expected, actual)
    )
    differing = sorted(ours.keys() | theirs.keys())
    assert [difference.kind.value for difference in judge(differing, ours, theirs, True)] == kinds
    without = [difference.kind.value for difference in judge(differing, ours, theirs, False)]
    assert "changed" not in without and len(without) == len(differing)


def test_rows_of_different_keys_are_no_change() -> None:
    ours, theirs = {(1, 11): 1}, {(2, 12): 1}
    kinds = [difference.kind for difference in judge([(1, 11), (2, 12)], ours, theirs, True)]
    assert kinds == [DifferenceKind.MISSING, DifferenceKind.UNEXPECTED]


def test_a_value_looks_the_same_whichever_engine_it_comes_from() -> None:
    day = datetime.datetime(2026, 1, 1)
    for ours, theirs in (
        (b"text", "text"),
        (day, day.replace(tzinfo=datetime.UTC)),
        ([("b", 1), ("a", 2)], [("a", 2), ("b", 1)]),
        ({"a": b"x"}, {"_1": "x"}),
        ([b"x", None], ["x", None]),
    ):
        assert _plain(ours) == _plain(theirs)
    assert _plain(b"\xff") == b"\xff" and _plain([2, 1]) == [2, 1]
    assert _plain(float("nan")) is _plain(-float("nan"))
