"""The tables of results: which scenarios they show, in which runs, and how a cell looks."""

from __future__ import annotations

import re
from typing import Any

from helpers.report.history.heat_map import MOST_ROWS, NIGHTS, heat_map, render_heat_map
from helpers.report.history.runs import build_history
from helpers.report.load import read_results
from helpers.report.page import asset
from helpers.scenario.result import Result
from tests.report.history.test_history import night, nights

OK, FAIL, SKIP = Result.OK, Result.FAIL, Result.SKIP


def test_only_scenarios_with_news_are_shown_the_worst_first() -> None:
    found = heat_map(
        "t",
        [
            ("1", {"good": OK, "late": OK, "bad": FAIL, "blocked": SKIP, "fixed": Result.XFAIL}),
            ("2", {"good": OK, "late": FAIL, "bad": FAIL, "blocked": OK, "fixed": OK}),
        ],
    )
    assert found.rows == (
        ("bad", (FAIL, FAIL)),
        ("late", (OK, FAIL)),
        ("fixed", (Result.XFAIL, OK)),
    )


def test_a_run_without_the_scenario_has_no_cell() -> None:
    found = heat_map("t", [("1", {}), ("2", {"new": FAIL})])
    assert found.rows == (("new", (None, FAIL)),)
    assert 'title="not there"' in render_heat_map(found)


def test_the_last_fourteen_nights(document: dict[str, Any]) -> None:
    (found,) = build_history(nights(document, "F" + "." * 13 + "F.F")).nights
    assert len(found.columns) == NIGHTS
    assert found.columns[-1] == "11-17"
    assert [result for result in found.rows[0][1] if result == FAIL] == [FAIL, FAIL]


def test_versions_are_columns(document: dict[str, Any]) -> None:
    other = night(document, 9, "Fail")
    other["run"]["clickhouse"] = "26.10"
    found = build_history([*nights(document, ".."), read_results(other, "x")]).versions
    assert found is not None
    assert found.columns == ("embedded 26.9", "embedded 26.10")
    assert found.rows[0][1] == (OK, FAIL)


def test_one_version_has_no_table_of_versions(document: dict[str, Any]) -> None:
    assert build_history(nights(document, "..")).versions is None


def test_long_tables_are_cut_and_say_so() -> None:
    runs = [(day, {f"s{number}": FAIL for number in range(MOST_ROWS + 2)}) for day in "12"]
    assert "and 2 more scenarios" in render_heat_map(heat_map("t", runs))


def test_where_all_is_well_a_line_says_so() -> None:
    assert "ended alike" in render_heat_map(heat_map("t", [("1", {"a": OK}), ("2", {"a": OK})]))


def test_a_narrow_page_does_not_change_the_cells() -> None:
    """page.css has a class .cell, whose cells stand one below the other on a narrow screen."""
    table = render_heat_map(heat_map("t", [("1", {"a": OK}), ("2", {"a": FAIL})]))
    (name,) = set(re.findall(r'<td class="([^"]+)"', table))
    assert not re.search(rf"\.{name}\b", asset("page.css"))
