"""Reading with FINAL: the rows that a merge would leave, before it happened."""

from random import Random

from testflows.asserts import error
from testflows.core import Given, Requirements, TestScenario, Then, When

from helpers.cluster.client.session import Row
from helpers.scenario.context import this
from helpers.scenario.violations import assert_no_violations, differing
from requirements.srs101_replacing_merge_tree import (
    RQ_SRS_101_ClickHouse_ReplacingMergeTree_Final,
    RQ_SRS_101_ClickHouse_ReplacingMergeTree_Final_Setting,
)
from steps.replacing_merge_tree.final_reads import MOST_INPUTS, Reader, ReadMode, assert_used
from steps.replacing_merge_tree.stored_rows import in_order, part_values, stored
from steps.replacing_merge_tree.survivor_rules import Rules
from steps.replacing_merge_tree.tables import (
    insert_all,
    insert_each,
    merge,
    replacing_table,
)
from steps.tables import Table, create_table, insert

RULES = Rules(key=lambda row: row[0], version=lambda row: row[2], deleted=lambda row: row[3] == 1)
# Parts that overlap in places, lie apart, and one that a merge made of the first two.
MERGED = (range(40), range(20, 60))  # 2 variants
STAGGERED = (range(30, 70), range(100, 140), range(200, 220))  # 3 variants
SPLIT = "split_parts_ranges_into_intersecting_and_non_intersecting_final"
TOGETHER = "enable_automatic_decision_for_merging_across_partitions_for_final"
# What a plan shows of the mode: merging steps, filters by ranges of keys, pools of threads,
# and steps that choose the surviving rows column by column.
MERGED_BY, RANGES, POOLS = "ReplacingSorted", "FilterSortedStreamByRange", "ReadPool,"
BY_COLUMN = "SelectByIndicesTransform"
USUAL = ReadMode(
    "in six threads",
    {"max_threads": 6, "max_final_threads": 6},
    {MERGED_BY: "> 4", POOLS: "= 1", BY_COLUMN: "> 4"},
)
# Modes of reading: none of them may change the rows.
OTHER_THREADS = (
    ReadMode("in one thread", {"max_final_threads": 1}, {MERGED_BY: "= 1", RANGES: "= 0"}),
    ReadMode(
        "in three threads",
        {"max_threads": 3, "max_final_threads": 3},
        {MERGED_BY: "= 3", RANGES: "= 3"},
    ),
)
MODES = (
    ReadMode(
        "ranges of keys together",
        {**USUAL.settings, SPLIT: 0},
        {MERGED_BY: "> 4", POOLS: "= 0", MOST_INPUTS: "< 4"},
    ),
    ReadMode(
        "row by row",
        {**USUAL.settings, "enable_vertical_final": 0},
        {MERGED_BY: "> 4", BY_COLUMN: "= 0"},
    ),
)
ACROSS_PARTITIONS = ReadMode(
    "partitions together",
    {**USUAL.settings, TOGETHER: 0},
    {MERGED_BY: "> 4", MOST_INPUTS: "> 4"},
)


def drawn_inserts(dice: Random) -> list[list[Row]]:
    """Rows with random versions and deletions, by insert."""
    return [
        [(key, f"{number}: {key}", dice.randrange(1, 4), int(dice.random() < 0.25)) for key in keys]
        for number, keys in enumerate((*MERGED, *STAGGERED))
    ]


def telling_survivors(inserts: list[list[Row]]) -> list[Row]:
    """The rows that a merge would leave; some are deleted, and some are not the last of their key."""
    merged = RULES.survivors(row for rows in inserts for row in rows)
    deleted = sum(row[3] for row in merged)
    assert 0 < deleted < len(merged), f"{deleted} of {len(merged)} survivors are deleted rows"
    last = {row[0]: row for rows in inserts for row in rows}
    assert set(merged) - set(last.values()), "no version decides: the last row of each key survives"
    return merged


def staggered(partition_by: str = "") -> tuple[Table, list[Row]]:
    """A table of small granules and parts of every kind, and the rows that a merge would leave."""
    table = replacing_table(
        "version, deleted", partition_by=partition_by, settings={"index_granularity": 4}
    )
    inserts = drawn_inserts(this().random)
    merged = telling_survivors(inserts)
    insert_each(table, *inserts[: len(MERGED)])
    merge(table)
    insert_each(table, *inserts[len(MERGED) :])
    return table, merged


@TestScenario
@Requirements(RQ_SRS_101_ClickHouse_ReplacingMergeTree_Final("1.0"))
def rows_that_a_merge_would_leave(self):
    """FINAL returns, in every mode of reading, the rows of a merge, and leaves the parts alone."""
    violations: dict[str, object] = {}
    for name, partition_by, modes, number_of_parts in (
        ("one partition", "", (*OTHER_THREADS, *MODES), 4),
        ("two partitions", "key % 2", (*MODES, ACROSS_PARTITIONS), 8),
    ):
        with Given(f"parts with keys that overlap and that do not, in {name}"):
            table, merged = staggered(partition_by)
            expected = in_order(row for row in merged if row[3] == 0)
            before, reader = part_values(table), Reader(table)
            assert len(before) == number_of_parts, error()

        with When("the rows are read and counted in every mode"):
            for mode in modes:
                assert_used(mode, USUAL, table)
            for mode in (USUAL, *modes):
                if (rows := reader.rows(mode)) != expected:
                    violations[f"{name}, {mode.name}, rows"] = set(rows) ^ set(expected)
                if (count := reader.count(mode)) != len(expected):
                    violations[f"{name}, {mode.name}, count()"] = count
            reader.assert_executed(USUAL, *modes)
            if part_values(table) != before:
                violations[f"{name}, parts"] = "are not what they were"

        with When("the parts are merged"):
            merge(table)
            if stored(table) != in_order(merged):
                violations[f"{name}, merged"] = stored(table)

    with Then(
        "FINAL returned the rows of the merge without the deleted ones, and left the parts alone"
    ):
        assert_no_violations(violations)


@TestScenario
@Requirements(RQ_SRS_101_ClickHouse_ReplacingMergeTree_Final("1.0"))
def blocks_of_any_size(self):
    """FINAL returns the same rows however small the blocks are in which it reads them."""
    with Given("parts with keys that overlap and that do not"):
        table, merged = staggered()
        expected = [(*row, 1) for row in in_order(merged) if row[3] == 0]

    with Then("they are usually read in blocks some of which are larger than a granule"):
        usual = in_order(table.node.query(f"SELECT *, blockSize() > 4 FROM {table} FINAL"))
        assert [row[:-1] for row in usual] == [row[:-1] for row in expected], error()
        assert max(row[-1] for row in usual) == 1, error()

    violations: dict[str, object] = {}
    for size in (1, 3):
        with When(f"they are read in blocks of {size}"):
            rows = table.node.query(
                f"SELECT *, blockSize() <= 4 FROM {table} FINAL", settings={"max_block_size": size}
            )
            if in_order(rows) != expected:
                violations[f"blocks of {size}"] = in_order(rows)

    with Then("the rows are those of a merge each time, and no block is larger than a granule"):
        assert_no_violations(violations)


@TestScenario
@Requirements(RQ_SRS_101_ClickHouse_ReplacingMergeTree_Final_Setting("1.0"))
def setting_reads_every_table_with_final(self):
    """With final = 1 each table of the engine in a query is read so, wherever it stands in it."""
    with Given("two tables with duplicates, and one of another engine with the same rows"):
        left, right = replacing_table(), replacing_table("version")
        plain = create_table(
            "plain", columns="key UInt64, value String", partition_by="", order_by="key"
        )
        for table in (left, plain):
            insert(table, [(1, "old"), (2, "old")])
            insert(table, [(1, "new")])
        insert_all(right, [(1, "newer", 2)], [(1, "older", 1)])

    # What each query returns with the setting, and what without it.
    with_and_without = {
        f"SELECT * FROM {left}": (
            [(1, "new"), (2, "old")],
            [(1, "new"), (1, "old"), (2, "old")],
        ),
        f"SELECT count(), max(value) FROM (SELECT * FROM {left} WHERE key = 1)": (
            [(1, "new")],
            [(2, "old")],
        ),
        f"SELECT l.value, r.value FROM {left} AS l JOIN {right} AS r USING key": (
            [("new", "newer")],
            [("new", "newer"), ("new", "older"), ("old", "newer"), ("old", "older")],
        ),
        f"SELECT value FROM {left} WHERE key IN (SELECT key FROM {right} WHERE version = 1)": (
            [],
            [("new",), ("old",)],
        ),
        f"SELECT value FROM {left} WHERE key = 1 UNION ALL SELECT value FROM {right}": (
            [("new",), ("newer",)],
            [("new",), ("newer",), ("old",), ("older",)],
        ),
        f"WITH versions AS (SELECT value FROM {right}) SELECT * FROM versions": (
            [("newer",)],
            [("newer",), ("older",)],
        ),
        f"SELECT p.value, l.value FROM {plain} AS p JOIN {left} AS l USING key": (
            [("new", "new"), ("old", "new"), ("old", "old")],
            [("new", "new"), ("new", "old"), ("old", "new"), ("old", "old"), ("old", "old")],
        ),
    }
    violations: dict[str, object] = {}
    for sql, (expected, otherwise) in with_and_without.items():
        with When(f"I ask {sql}"):
            checked = {
                "final = 1": (sorted(left.node.query(sql, settings={"final": 1})), expected),
                "by default": (sorted(left.node.query(sql)), otherwise),
            }
            violations |= differing(sql, checked)

    with Then("the answers are those of FINAL with final = 1, and not without it"):
        assert_no_violations(violations)
