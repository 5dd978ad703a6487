"""REPLACE PARTITION into a table of the engine: all rows come over, and are compared from then on."""

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

from requirements.srs101_replacing_merge_tree import (
    RQ_SRS_101_ClickHouse_ReplacingMergeTree_Partitions_ReplacePartition,
)
from steps.partitions import replace_partition
from steps.replacing_merge_tree.stored_rows import definition, part_values, stored, survivors
from steps.replacing_merge_tree.tables import AS_THEY_COME, insert_all, merge, replacing_table
from steps.tables import Table, create_table

COLUMNS = "p UInt8, key UInt64, value String, version UInt64, deleted UInt8"
FIRST = [(1, 1, "a", 1, 0), (1, 1, "b", 2, 0), (1, 2, "c", 1, 0), (1, 3, "d", 1, 0)]
SECOND = [(1, 1, "e", 2, 0), (1, 2, "f", 2, 1), (1, 2, "g", 1, 0)]
SURVIVE = [(1, 1, "e", 2, 0), (1, 3, "d", 1, 0)]
# Newer than anything in the source, and a key that the source does not have.
DESTROYED = [(1, 1, "newest", 9, 0), (1, 3, "newest", 9, 1), (1, 4, "newest", 9, 0)]
OTHER = [(2, 1, "other partition", 1, 0)]
ENGINE = "ReplacingMergeTree(version, deleted)"


def table_of(engine: str) -> Table:
    return create_table("table", engine=engine, columns=COLUMNS, order_by="(p, key)")


@TestOutline(Scenario)
@Requirements(RQ_SRS_101_ClickHouse_ReplacingMergeTree_Partitions_ReplacePartition("1.0"))
@Examples(
    "name engine",
    [
        ("plain", "MergeTree"),
        ("by version", "ReplacingMergeTree(version)"),
        ("by version and deletions", ENGINE),
    ],
)
def duplicates_come_over_and_are_compared(self, name, engine):
    """The destination gets every row of the source, and makes of them what its engine makes of rows."""
    with Given(f"a source of {engine} with duplicates, and a destination with newer rows"):
        source, destination = table_of(engine), table_of(ENGINE)
        assert definition(source).startswith(f"{engine} PARTITION BY p"), error()
        settings = None if engine == "MergeTree" else AS_THEY_COME
        insert_all(source, FIRST, SECOND, settings=settings)
        insert_all(destination, DESTROYED, OTHER)

    with When("I replace the partition"):
        replace_partition(destination, source=source, partition=1)

    with Then("the destination has all rows of the source, and of the partition nothing else"):
        assert stored(destination) == sorted(FIRST + SECOND + OTHER), error()
        assert part_values(destination, "partition_id") == ["1", "1", "2"], error()

    with And("FINAL compares them with each other only"):
        assert survivors(destination) == SURVIVE + OTHER, error()

    with And("so does a merge, which keeps the deletion row"):
        merge(destination)
        expected = sorted([*SURVIVE, SECOND[1], *OTHER])
        assert stored(destination) == expected, error()

    with And("the source is what it was"):
        assert stored(source) == sorted(FIRST + SECOND), error()


@TestScenario
@Requirements(RQ_SRS_101_ClickHouse_ReplacingMergeTree_Partitions_ReplacePartition("1.0"))
def rows_that_come_later_are_compared_with_them(self):
    """From then on they are the destination's own: newer rows replace them, older ones do not."""
    with Given("a destination whose partition was replaced from a MergeTree table"):
        source = table_of("MergeTree")
        destination = replacing_table(
            "version", columns=COLUMNS, partition_by="p", order_by="(p, key)"
        )
        insert_all(source, FIRST)
        insert_all(destination, DESTROYED)
        replace_partition(destination, source=source, partition=1)

    with When("an older, an equal and a newer row come"):
        older, equal, newer = (1, 1, "older", 1, 0), (1, 2, "equal", 1, 0), (1, 3, "newer", 2, 0)
        insert_all(destination, [older, equal, newer])

    with Then("the newest of each key survives, of equal ones the last"):
        expected = [(1, 1, "b", 2, 0), equal, newer]
        assert survivors(destination) == expected, error()

    with And("so it does after a merge"):
        merge(destination)
        assert stored(destination) == expected, error()
