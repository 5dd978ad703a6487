"""What was observed against what is recorded: a cell more, a cell less, another observation."""

from __future__ import annotations

import re

import pytest

from helpers.scenario.violations import (
    MOST_SHOWN,
    Violations,
    assert_no_violations,
    describe,
    difference,
    differing,
)

RECORDED: dict[str, str | re.Pattern[str]] = {"a": "wrong", "b": re.compile("code [0-9]+")}


@pytest.mark.parametrize(
    ("actual", "says"),
    [
        ({"a": "wrong", "b": "code 47"}, ""),
        ({"a": "wrong"}, "recorded, but not observed: b"),
        ({"a": "wrong", "b": "code 47", "c": "lost"}, "not recorded: c: lost"),
        ({"a": "other", "b": "code 47"}, "a: recorded 'wrong', observed 'other'"),
        ({"a": "wrong", "b": "code 47 x"}, "b: recorded 'code [0-9]+', observed 'code 47 x'"),
        (
            {"c": "x"},
            "not recorded: c: x; recorded, but not observed: a; recorded, but not observed: b",
        ),
    ],
)
def test_how_what_was_observed_differs(actual: dict[str, str], says: str) -> None:
    assert difference(RECORDED, actual) == says


def test_nothing_wrong_passes_and_anything_fails_with_all_of_it() -> None:
    assert_no_violations({})
    with pytest.raises(Violations, match="2 violations\n  a: 1\n  b: 2") as raised:
        assert_no_violations({"b": 2, "a": 1})
    assert raised.value.cells == {"a": "1", "b": "2"}


def test_one_is_a_line_and_of_very_many_the_rest_is_counted() -> None:
    assert describe({"a": "x"}) == "a: x"
    most = {f"{number:03}": "x" for number in range(MOST_SHOWN)}
    assert describe(most).splitlines()[-1] == f"  {MOST_SHOWN - 1:03}: x"
    lines = describe({**most, "990": "x", "991": "x"}).splitlines()
    assert (lines[0], lines[-1], len(lines)) == ("42 violations", "  … and 2 more", MOST_SHOWN + 2)


def test_cells_that_differ() -> None:
    assert differing("t", {"rows": (1, 1), "parts": (2, 3)}) == {"t, parts": 2}
