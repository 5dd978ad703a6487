"""Rows that go away by themselves or by a statement: what survives of the others."""

from datetime import UTC, datetime

from testflows.asserts import error
from testflows.core import And, Given, Requirements, TestScenario, Then, When

from requirements.srs101_replacing_merge_tree import (
    RQ_SRS_101_ClickHouse_ReplacingMergeTree_Final_LightweightDelete,
    RQ_SRS_101_ClickHouse_ReplacingMergeTree_Merge_TTL,
)
from steps.replacing_merge_tree.final_reads import Reader, ReadMode, assert_used
from steps.replacing_merge_tree.stored_rows import part_values, stored, survivors
from steps.replacing_merge_tree.tables import insert_all, merge, replacing_table

OLD = [(1, "a", 1, 0), (2, "b", 1, 0), (3, "c", 1, 0), (4, "d", 1, 0), (5, "e", 1, 0)]
NEW = [(1, "A", 2, 0), (2, "B", 2, 1), (3, "C", 2, 0), (5, "E", 2, 0)]
BY_COLUMN = "SelectByIndicesTransform"
MODES = (  # 2 variants
    ReadMode("by columns", {}, {BY_COLUMN: "> 0"}),
    ReadMode(
        "row by row",
        {"enable_vertical_final": 0},
        {"ReplacingSorted": "> 0", BY_COLUMN: "= 0"},
    ),
)
NOW, PAST = datetime(2100, 1, 1, tzinfo=UTC), datetime(2001, 1, 1, tzinfo=UTC)


@TestScenario
@Requirements(RQ_SRS_101_ClickHouse_ReplacingMergeTree_Final_LightweightDelete("1.0"))
def deleted_rows_are_not_compared(self):
    """A row that was removed by DELETE FROM neither survives nor hides others."""
    with Given("a replaced row, a deleted key, and more replaced rows"):
        table = replacing_table("version, deleted")
        insert_all(table, OLD, NEW)
        assert survivors(table) == [NEW[0], NEW[2], OLD[3], NEW[3]], error()

    with When("I delete the newest row of the first, the deletion row, and all of the third key"):
        table.node.query(f"DELETE FROM {table} WHERE value IN ('A', 'B') OR key = 3")
        left = [OLD[0], OLD[1], OLD[3], NEW[3]]
        expected = sorted([*left, OLD[4]])
        assert stored(table) == expected, error()

    with Then("the rows are masked, and not yet gone"):
        masked = table.node.query(
            f"SELECT key, value FROM {table} WHERE NOT _row_exists ORDER BY ALL",
            settings={"apply_deleted_mask": 0},
        )
        assert masked == [(1, "A"), (2, "B"), (3, "C"), (3, "c")], error()

    with And("FINAL compares the others only, and counts them"):
        reader = Reader(table)
        assert_used(MODES[1], MODES[0], table)
        assert [reader.rows(mode) for mode in MODES] == [left] * len(MODES), error()
        reader.assert_executed(*MODES)
        assert table.node.value(f"SELECT count() FROM {table} FINAL") == 4, error()

    with And("so does a merge, after which they are gone"):
        merge(table)
        assert stored(table) == left, error()
        assert part_values(table, "rows") == [4], error()


@TestScenario
@Requirements(RQ_SRS_101_ClickHouse_ReplacingMergeTree_Merge_TTL("1.0"))
def expired_survivor_brings_nothing_back(self):
    """A key whose surviving row has expired is gone after a merge, though an older row has not."""
    rows = (
        [(1, "expired", 2, PAST), (2, "replaced", 1, NOW), (3, "stays", 2, NOW)],
        [(1, "older", 1, NOW), (2, "expired", 2, PAST), (3, "older", 1, PAST), (4, "new", 1, NOW)],
    )
    with Given("keys whose newest or older row has expired"):
        table = replacing_table(
            "version",
            columns="key UInt64, value String, version UInt64, since DateTime('UTC')",
            more="TTL since + INTERVAL 1 DAY",
        )
        insert_all(table, *rows)

    with When("the parts are merged"):
        merge(table)

    with Then("the keys whose newest row expired are gone, and the others are there"):
        assert stored(table) == [rows[0][2], rows[1][3]], error()
