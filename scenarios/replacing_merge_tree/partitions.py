"""Duplicates in different partitions: no merge ever meets them, FINAL does."""

from testflows.asserts import error
from testflows.core import And, Given, Requirements, TestScenario, Then, When

from requirements.srs101_replacing_merge_tree import (
    RQ_SRS_101_ClickHouse_ReplacingMergeTree_Partitions_Final,
    RQ_SRS_101_ClickHouse_ReplacingMergeTree_Partitions_FinalWithinPartition,
    RQ_SRS_101_ClickHouse_ReplacingMergeTree_Partitions_Merge,
)
from steps.parts import parts
from steps.replacing import insert_each, merge, replacing_table, stored, survivors
from steps.tables import Table

ACROSS = {"do_not_merge_across_partitions_select_final": 0}
WITHIN = {"do_not_merge_across_partitions_select_final": 1}
OLD = [(1, 1, "old one"), (2, 1, "old two"), (1, 2, "only one")]
NEW = [(1, 1, "one"), (2, 1, "two")]
BY_PARTITION = sorted([*NEW, OLD[2]])


def spread() -> Table:
    """A table whose first key lies in two partitions, twice in each."""
    table = replacing_table(
        columns="part UInt8, key UInt64, value String", partition_by="part", order_by="key"
    )
    insert_each(table, OLD, NEW)
    assert stored(table) == sorted(OLD + NEW), error()
    return table


@TestScenario
@Requirements(RQ_SRS_101_ClickHouse_ReplacingMergeTree_Partitions_Merge("1.0"))
def merges_keep_duplicates_of_other_partitions(self):
    """Each partition has a row of the key for good."""
    with Given("a key in two partitions, twice in each"):
        table = spread()

    with When("one partition is merged"):
        merge(table, "PARTITION 1 FINAL")

    with Then("it has one row for each key, and the other one both of its rows"):
        assert stored(table) == sorted([*BY_PARTITION, OLD[1]]), error()

    for turn in ("once", "twice"):
        with When(f"all partitions are merged {turn}"):
            merge(table)

        with Then("there is a row of the key in each, the last of that partition"):
            assert stored(table) == BY_PARTITION, error()
            assert [part.partition_id for part in parts(table)] == ["1", "2"], error()


@TestScenario
@Requirements(RQ_SRS_101_ClickHouse_ReplacingMergeTree_Partitions_Final("1.0"))
def final_returns_one_row_for_a_key(self):
    """Whichever partitions its rows lie in; it is one of those that the partitions would leave."""
    with Given("a key in two partitions, twice in each"):
        table = spread()

    for merged in (False, True):
        with When(f"I read with FINAL, merged: {merged}"):
            if merged:
                merge(table)
            found = survivors(table, settings=ACROSS)

        with Then("each key is there once"):
            assert [row[1] for row in sorted(found, key=lambda row: row[1])] == [1, 2], error()

        with And("with a row that is the last of its partition"):
            assert set(found) < set(BY_PARTITION), error()


@TestScenario
@Requirements(RQ_SRS_101_ClickHouse_ReplacingMergeTree_Partitions_Final("1.0"))
def version_decides_across_partitions(self):
    """Where versions differ the greatest survives, whichever partition it lies in."""
    columns = "part UInt8, key UInt64, version UInt64"
    for newest in (1, 2, 3):
        with Given(f"a key in three partitions, its newest version in partition {newest}"):
            table = replacing_table("version", columns=columns, partition_by="part", order_by="key")
            rows = [(part, 1, 9 if part == newest else part) for part in (1, 2, 3)]
            insert_each(table, *([row] for row in rows))
            assert stored(table) == rows, error()

        with Then("FINAL returns the newest"):
            assert survivors(table, settings=ACROSS) == [(newest, 1, 9)], error()


@TestScenario
@Requirements(RQ_SRS_101_ClickHouse_ReplacingMergeTree_Partitions_FinalWithinPartition("1.0"))
def final_within_partitions(self):
    """With the setting FINAL returns what the merges of the partitions would leave."""
    with Given("a key in two partitions, twice in each"):
        table = spread()

    with Then("FINAL returns the last row of each partition"):
        assert survivors(table, settings=WITHIN) == BY_PARTITION, error()

    with And("the number of rows is theirs, too"):
        count = f"SELECT count() FROM {table} FINAL"
        assert table.node.value(count, settings=WITHIN) == 3, error()
        assert table.node.value(count, settings=ACROSS) == 2, error()

    with When("all partitions are merged"):
        merge(table)

    with Then("it returns the same"):
        assert survivors(table, settings=WITHIN) == BY_PARTITION, error()
