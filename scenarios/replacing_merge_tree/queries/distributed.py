"""Distributed tables over ReplacingMergeTree: duplicates are removed on each shard, not across shards."""

from testflows.asserts import error
from testflows.core import And, Given, Requirements, TestScenario, Then, When

from helpers.scenario.marks import equivalent
from helpers.scenario.violations import assert_no_violations, differing
from requirements.srs101_replacing_merge_tree import (
    RQ_SRS_101_ClickHouse_ReplacingMergeTree_Distributed,
)
from steps.shards import CLUSTER, two_shards
from steps.tables import NO_MERGES, Table, create_table, insert

COLUMNS = "key UInt64, value String, version UInt64"
# Keys: 1 has two versions on one shard, 2 on each of them, 3 is on the first only, 4 in one version on each.
FIRST = [  # 2 variants
    [(1, "old", 1), (2, "of the first, old", 1), (3, "alone", 1), (4, "same", 1)],
    [(1, "new", 2), (2, "of the first", 3)],
]
SECOND = [  # 2 variants
    [(2, "of the second, old", 2), (4, "same", 1)],
    [(2, "of the second", 4)],
]
SURVIVORS = {
    "first": [(1, "new", 2), (2, "of the first", 3), (3, "alone", 1), (4, "same", 1)],
    "second": [(2, "of the second", 4), (4, "same", 1)],
}  # 2 variants


def sharded() -> tuple[list[Table], list[Table]]:
    """The table on each of two shards, and a Distributed table over both on each."""
    shards = two_shards()
    first = create_table(
        "replacing",
        node=shards[0],
        columns=COLUMNS,
        engine="ReplacingMergeTree(version)",
        partition_by="",
        order_by="key",
        settings=NO_MERGES,
    )
    second = Table(shards[1], first.database, first.name)
    shards[1].query(first.node.value(f"SHOW CREATE TABLE {first}"))
    for table, inserts in ((first, FIRST), (second, SECOND)):
        for rows in inserts:
            insert(table, rows)
    over = []
    for shard in shards:
        table = Table(shard, first.database, f"{first.name}_everywhere")
        shard.query(
            f"CREATE TABLE {table} ({COLUMNS}) "
            f"ENGINE = Distributed('{CLUSTER}', '{first.database}', '{first.name}')"
        )
        over.append(table)
    return [first, second], over


@TestScenario
@equivalent(
    mutant="omit[SETTINGS distributed_foreground_insert]",
    statement="insert_shard_id",
    reason="the row is sent a moment later, before it is read",
)
@Requirements(RQ_SRS_101_ClickHouse_ReplacingMergeTree_Distributed("1.0"))
def final_is_per_shard(self):
    """FINAL through a Distributed table returns a row for each key and shard, by whatever way it is asked."""
    with Given("a table with duplicates on two shards, and Distributed tables over it"):
        tables, over = sharded()
        every = sorted(row for rows in (*FIRST, *SECOND) for row in rows)
        survivors = sorted(row for rows in SURVIVORS.values() for row in rows)
        assert len(every) == 9 and len(survivors) == 6, error()

    violations: dict[str, object] = {}
    for table in over:
        with When(f"I ask the Distributed table of {table.node.name}"):
            final = {"final": 1}
            local = {**final, "prefer_localhost_replica": 0}
            select = f"SELECT * FROM {table}"
            newest = f"SELECT key, argMax(value, version) FROM {table} FINAL GROUP BY key"
            asked = {
                "without FINAL": (table.node.query(select), every),
                "FINAL": (table.node.query(f"{select} FINAL"), survivors),
                "final = 1": (table.node.query(select, settings=final), survivors),
                "over the network": (table.node.query(select, settings=local), survivors),
                "a key of both shards": (
                    table.node.query(f"{select} FINAL WHERE key = 2"),
                    [row for row in survivors if row[0] == 2],
                ),
                "a condition on a value that lost": (
                    table.node.query(f"{select} FINAL WHERE value = 'old'"),
                    [],
                ),
                "a subquery": (
                    table.node.query(f"SELECT count() FROM ({select} FINAL)"),
                    [(len(survivors),)],
                ),
                "IN": (
                    table.node.query(
                        f"{select} FINAL WHERE key GLOBAL IN (SELECT key FROM {table} FINAL "
                        "WHERE value = 'of the second')"
                    ),
                    [row for row in survivors if row[0] == 2],
                ),
                "the newest of both shards": (
                    table.node.query(newest),
                    [(1, "new"), (2, "of the second"), (3, "alone"), (4, "same")],
                ),
            }
            found = {name: (sorted(rows), expected) for name, (rows, expected) in asked.items()}
            violations |= differing(table.node.name, found)

    with Then("it returns the survivors of each shard"):
        assert_no_violations(violations)

    with When("the shards have merged their parts"):
        for table in tables:
            table.node.query(f"OPTIMIZE TABLE {table} FINAL")

    with Then("the same rows are stored, and read with FINAL and without"):
        for table, rows in zip(tables, SURVIVORS.values(), strict=True):
            assert sorted(table.node.query(f"SELECT * FROM {table}")) == rows, error()
        for table in over:
            for clause in ("", " FINAL"):
                read = sorted(table.node.query(f"SELECT * FROM {table}{clause}"))
                assert read == survivors, error()

    with And("rows that are inserted through it replace those of their shard only"):
        over[0].node.query(
            f"INSERT INTO {over[0]} SETTINGS insert_shard_id = 2, distributed_foreground_insert = 1 "
            "VALUES (2, 'newest', 9)"
        )
        newest_row = (2, "newest", 9)
        kept = [row for row in survivors if row != SURVIVORS["second"][0]]
        found_rows = sorted(over[1].node.query(f"SELECT * FROM {over[1]} FINAL"))
        assert found_rows == sorted([*kept, newest_row]), error()
