"""Duplicates in different partitions: no merge ever meets them, FINAL does."""

from testflows.asserts import error
from testflows.core import (
    And,
    Examples,
    Given,
    Requirements,
    Scenario,
    TestOutline,
    TestScenario,
    Then,
    When,
)

from helpers.scenario.marks import equivalent
from helpers.scenario.violations import assert_no_violations, differing
from requirements.srs101_replacing_merge_tree import (
    RQ_SRS_101_ClickHouse_ReplacingMergeTree_Partitions_Final,
    RQ_SRS_101_ClickHouse_ReplacingMergeTree_Partitions_FinalWithinPartition,
    RQ_SRS_101_ClickHouse_ReplacingMergeTree_Partitions_Merge,
)
from steps.replacing_merge_tree.stored_rows import part_values, stored, survivors
from steps.replacing_merge_tree.tables import insert_all, merge, replacing_table
from steps.tables import Table

WITHIN = {"do_not_merge_across_partitions_select_final": 1}
COLUMNS = "part UInt8, key UInt64, value String, version UInt64, deleted UInt8"
# Key 1 lies in two partitions and twice in each; 3 is deleted in one of them, 4 in the newer one.
OLD = [  # 2 variants
    *((1, 1, "old one", 1, 0), (2, 1, "old two", 1, 0), (1, 2, "only one", 1, 0)),
    *((1, 3, "stays", 1, 0), (2, 3, "goes", 1, 0), (2, 4, "hidden", 1, 0)),
]
NEW = [
    *((1, 1, "one", 2, 0), (2, 1, "two", 3, 0), (2, 3, "gone", 2, 1), (1, 4, "gone", 9, 1)),
]
BY_PARTITION = sorted([*NEW[:2], OLD[2], OLD[3], OLD[5]])
MERGED = sorted([*BY_PARTITION, NEW[2], NEW[3]])
# Whatever partition it lies in, the greatest version decides; deletions count as well.
FOR_EACH_KEY = [OLD[2], NEW[1]]


def spread(parameters: str = "version, deleted", *, merged: bool = False) -> Table:
    """A table of keys that lie in several partitions, in two parts each or merged to one."""
    table = replacing_table(parameters, columns=COLUMNS, partition_by="part")
    insert_all(table, OLD, NEW)
    assert part_values(table, "partition_id") == ["1", "1", "2", "2"], error()
    if merged:
        merge(table)
        assert part_values(table, "partition_id") == ["1", "2"], error()
        assert stored(table) == MERGED, error()
    return table


@TestScenario
@equivalent(
    mutant="omit[FINAL]",
    statement="PARTITION 1 FINAL",
    reason="OPTIMIZE of a partition with several parts merges all of them, with FINAL or without",
)
@Requirements(RQ_SRS_101_ClickHouse_ReplacingMergeTree_Partitions_Merge("1.0"))
def merges_keep_duplicates_of_other_partitions(self):
    """Each partition has a row of the key for good."""
    with When("one of the partitions in which a key lies is merged"):
        table = spread()
        merge(table, "PARTITION 1 FINAL")

    with Then("it has one row for each key, and the other one all of its rows"):
        in_first = [row for row in MERGED if row[0] == 1]
        in_second = [row for row in OLD + NEW if row[0] == 2]
        assert stored(table) == sorted(in_first + in_second), error()

    for turn in ("once", "twice"):
        with When(f"all partitions are merged {turn}"):
            merge(table)

        with Then("there is a row of the key in each, the newest of that partition"):
            assert stored(table) == MERGED, error()
            assert part_values(table, "partition_id") == ["1", "2"], error()


@TestOutline(Scenario)
@Requirements(RQ_SRS_101_ClickHouse_ReplacingMergeTree_Partitions_Final("1.0"))
@Examples("keys merged", [("as they were inserted", False), ("merged", True)])
def one_row_without_a_version(self, keys, merged):
    """FINAL returns one row for a key, and it is one of those that the partitions would leave."""
    with Given(f"keys in two partitions of a table without a version, {keys}"):
        table = replacing_table(columns=COLUMNS, partition_by="part")
        insert_all(table, OLD, NEW)
        if merged:
            merge(table)
        assert len(part_values(table)) == (2 if merged else 4), error()

    with When("I read with FINAL"):
        rows = survivors(table)

    with Then("each key is there once"):
        assert sorted(row[1] for row in rows) == [1, 2, 3, 4], error()

    with And("with a row that is the last of its partition"):
        assert set(rows) < set(MERGED), error()


@TestOutline(Scenario)
@Requirements(RQ_SRS_101_ClickHouse_ReplacingMergeTree_Partitions_Final("1.0"))
@Examples("partition newest", [("first", 1), ("second", 2), ("third", 3)])
def version_decides_across_partitions(self, partition, newest):
    """Where versions differ the greatest survives, whichever partition it lies in."""
    columns = "part UInt8, key UInt64, version UInt64"
    with Given(f"a key in three partitions, its newest version in the {partition}"):
        table = replacing_table("version", columns=columns, partition_by="part")
        rows = [(part, 1, 9 if part == newest else part) for part in (1, 2, 3)]
        insert_all(table, *([row] for row in rows))
        assert part_values(table, "partition_id") == ["1", "2", "3"], error()

    with Then("FINAL returns the newest"):
        assert survivors(table) == [(newest, 1, 9)], error()


@TestScenario
@Requirements(
    RQ_SRS_101_ClickHouse_ReplacingMergeTree_Partitions_Final("1.0"),
    RQ_SRS_101_ClickHouse_ReplacingMergeTree_Partitions_FinalWithinPartition("1.0"),
)
def across_and_within_partitions(self):
    """FINAL compares the rows of all partitions, or with the setting those of each, deletions
    included, and counts what it returns."""
    violations: dict[str, object] = {}
    for merged in (False, True):
        table = spread(merged=merged)
        assert len(part_values(table)) == (2 if merged else 4), error()
        for name, settings, expected in (
            ("across", None, FOR_EACH_KEY),
            ("within", WITHIN, BY_PARTITION),
        ):
            with When(f"I read with FINAL {name} partitions, merged: {merged}"):
                rows = survivors(table, settings=settings)
                counted = table.node.value(f"SELECT count() FROM {table} FINAL", settings=settings)
                values = table.node.column(f"SELECT value FROM {table} FINAL", settings=settings)
                checked = {
                    "rows": (rows, expected),
                    "count()": (counted, len(expected)),
                    "values": (sorted(values), sorted(row[2] for row in expected)),
                }
                violations |= differing(f"{name}, merged: {merged}", checked)

    with Then("the newest row of each key is returned, or of each key of each partition"):
        assert_no_violations(violations)
