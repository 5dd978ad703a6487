"""Merges: where duplicates disappear, and where they stay until then."""

from testflows.asserts import error
from testflows.core import And, Given, Requirements, TestScenario, Then, When

from helpers.cluster.client.session import Row
from helpers.scenario.context import this
from requirements.srs101_replacing_merge_tree import (
    RQ_SRS_101_ClickHouse_ReplacingMergeTree_Merge,
    RQ_SRS_101_ClickHouse_ReplacingMergeTree_Merge_Eventual,
    RQ_SRS_101_ClickHouse_ReplacingMergeTree_Merge_OptimizeFinal,
)
from steps.replacing_merge_tree.stored_rows import (
    part_values,
    repeated_in_a_part,
    stored,
    survivors,
)
from steps.replacing_merge_tree.tables import (
    AS_THEY_COME,
    insert_all,
    insert_each,
    merge,
    replacing_table,
)
from steps.table_parts.part_events import statements_on

ABORTED, MERGED_PART = 236, "all_1_3"
# A background merge that does not keep anybody waiting.
MERGED_SOON = {"min_age_to_force_merge_seconds": 1}


def numbered(name: str, keys: range = range(5)) -> list[Row]:
    """A row for each key that tells which insert it came with."""
    return [(key, name) for key in keys]


@TestScenario
@Requirements(RQ_SRS_101_ClickHouse_ReplacingMergeTree_Merge("1.0"))
def merged_part_has_one_row_for_each_key(self):
    """A merge leaves one row for each key in its part; it knows nothing of other parts."""
    with Given("two parts, each with duplicates inside"):
        table = replacing_table()
        for name in ("first", "second"):
            insert_all(table, numbered(name) + numbered(f"{name} again"), settings=AS_THEY_COME)
        repeated = [(part, key, 2) for part in ("all_1_1_0", "all_2_2_0") for key in range(5)]
        assert repeated_in_a_part(table) == repeated, error()

    with When("they are merged"):
        merge(table)
        (merged,) = part_values(table, "hash_of_all_files")

    with Then("the merged part has one row for each key, the last"):
        assert stored(table) == numbered("second again"), error()

    with When("another part comes"):
        insert_each(table, numbered("third", keys=range(3, 8)))

    with Then("the merged part is what it was, and the duplicates in the other part stay"):
        hashes = part_values(
            table, "if(min_block_number = max_block_number, 'another part', hash_of_all_files)"
        )
        assert hashes == [merged, "another part"], error()
        expected = numbered("second again") + numbered("third", keys=range(3, 8))
        assert stored(table) == sorted(expected), error()
        assert repeated_in_a_part(table) == [], error()


@TestScenario
@Requirements(
    RQ_SRS_101_ClickHouse_ReplacingMergeTree_Merge("1.0"),
    RQ_SRS_101_ClickHouse_ReplacingMergeTree_Merge_Eventual("1.0"),
)
def background_merge_removes_duplicates(self):
    """Duplicates in different parts are there until a background merge combines the parts."""
    names = ("first", "second", "third")
    with Given("three parts with the same keys, and merges that wait"):
        table = replacing_table(background_merges=True, settings=MERGED_SOON)
        table.node.query(f"SYSTEM STOP MERGES {table}")
        insert_each(table, *(numbered(name) for name in names))
        stopped = "Cancelled merging parts"
        table.node.fails(f"OPTIMIZE TABLE {table} FINAL", code=ABORTED, text=stopped)

    with Then("a query returns all of them"):
        assert stored(table) == sorted(row for name in names for row in numbered(name)), error()

    with When("merges may go on, and nobody asks for one"):
        table.node.query(f"SYSTEM START MERGES {table}")
        # In one merge or in several, so its level is not known.
        this().eventually(
            lambda: [name.rpartition("_")[0] for name in part_values(table)], equals=[MERGED_PART]
        )

    with Then("the part that the merge made has one row for each key, the last"):
        assert stored(table) == numbered("third"), error()
        assert statements_on(table) == [{"Create": 1, "Insert": 3}], error()


@TestScenario
@Requirements(RQ_SRS_101_ClickHouse_ReplacingMergeTree_Merge_Eventual("1.0"))
def the_same_numbers_twice(self):
    """What was inserted twice is returned twice, and once with FINAL."""
    with Given("a hundred numbers, inserted twice"):
        table = replacing_table(columns="number UInt16", order_by="number")
        for _ in range(2):
            table.node.query(f"INSERT INTO {table} SELECT number FROM numbers(100)")

    with Then("a query without FINAL returns all"):
        assert table.node.column(f"SELECT number FROM {table} ORDER BY number") == sorted(
            2 * list(range(100))
        ), error()
        assert table.node.value(f"SELECT count() FROM {table}") == 200, error()

    with And("FINAL returns each once"):
        assert sorted(survivors(table)) == [(number,) for number in range(100)], error()
        assert table.node.value(f"SELECT count() FROM {table} FINAL") == 100, error()

    with When("they are merged"):
        merge(table)

    with Then("a query without FINAL returns each once"):
        assert sorted(stored(table)) == [(number,) for number in range(100)], error()


@TestScenario
@Requirements(RQ_SRS_101_ClickHouse_ReplacingMergeTree_Merge_OptimizeFinal("1.0"))
def optimize_final_leaves_one_row_for_each_key(self):
    """Every partition is merged, also one that consists of a single part."""
    with Given("a partition of three parts, one of a single part with duplicates, one without any"):
        table = replacing_table(
            columns="p UInt8, key UInt64, value String", partition_by="p", order_by="(p, key)"
        )
        insert_all(table, *([(1, *row) for row in numbered(name)] for name in ("a", "b", "c")))
        single = [(2, *row) for name in ("a", "b") for row in numbered(name)]
        insert_all(table, single, settings=AS_THEY_COME)
        insert_all(table, [(3, 1, "alone")])
        assert part_values(table, "partition_id") == ["1", "1", "1", "2", "3"], error()

    with When("I optimize the table"):
        merge(table)

    with Then("there is one row for each key, the last"):
        expected = [(p, *row) for p, name in ((1, "c"), (2, "b")) for row in numbered(name)]
        assert stored(table) == [*expected, (3, 1, "alone")], error()

    with And("one part for each partition"):
        assert part_values(table, "partition_id") == ["1", "2", "3"], error()
