"""Replicated destinations go on recognising repeated blocks and repeated keys after a replacement."""

from functools import partial

from testflows.asserts import error
from testflows.core import And, Given, Requirements, TestScenario, Then, When

from helpers.cluster.capabilities import Capability
from helpers.cluster.client.session import Row
from helpers.scenario.context import this
from helpers.scenario.marks import needs, time_limit
from requirements.srs032_replace_partition import (
    RQ_SRS_032_ClickHouse_Alter_Table_ReplacePartition_Concurrent_Manipulating_Partitions_Fetch,
    RQ_SRS_032_ClickHouse_Alter_Table_ReplacePartition_Deduplication,
    RQ_SRS_032_ClickHouse_Alter_Table_ReplacePartition_Deduplication_Window,
    RQ_SRS_032_ClickHouse_Alter_Table_ReplacePartition_Replicas,
)
from steps.partitions import replace_partition
from steps.replicas import (
    everywhere,
    fetched_rows,
    replicated_destination,
    replicated_table,
    settled,
    source_on,
    three_replicas,
)
from steps.tables import Table, contents, create_table, insert

COLUMNS = "p UInt64, i UInt64, owner String, version UInt64"


@TestScenario
@Requirements(
    RQ_SRS_032_ClickHouse_Alter_Table_ReplacePartition_Deduplication_Window("1.0"),
    RQ_SRS_032_ClickHouse_Alter_Table_ReplacePartition_Replicas("1.0"),
)
@needs(Capability.REPLICATION)
def replaced_block_is_inserted_again(self):
    """A block whose rows were replaced is stored when it comes again, on whichever replica; one of another
    partition is still recognised."""
    with Given("a destination on three replicas, a block in each of two partitions, and a source"):
        nodes = three_replicas()
        destination = replicated_table("destination", nodes, [])
        replaced = [(1, 1, "replaced"), (1, 2, "replaced")]
        kept = [(2, 1, "kept"), (2, 2, "kept")]
        for block in (replaced, kept):
            insert(destination.tables[0], block)
        everywhere(destination, {1: replaced, 2: kept})
        source = source_on(nodes[0], [1])
        rows = contents(source)

    with And("which another replica recognises"):
        for block in (replaced, kept):
            insert(destination.tables[1], block)
        assert settled(destination) == {1: replaced, 2: kept}, error()

    with When("I replace one partition and insert both blocks once more"):
        replace_partition(destination.tables[0], source=source, partition=1)
        everywhere(destination, {1: rows, 2: kept})
        for block in (replaced, kept):
            insert(destination.tables[2], block)

    with Then(
        "every replica has the block of the replaced partition, as well as the new rows, and no other"
    ):
        everywhere(destination, {1: sorted([*rows, *replaced]), 2: kept})


@TestScenario
@Requirements(
    RQ_SRS_032_ClickHouse_Alter_Table_ReplacePartition_Deduplication("1.0"),
    RQ_SRS_032_ClickHouse_Alter_Table_ReplacePartition_Replicas("1.0"),
)
@needs(Capability.REPLICATION)
@time_limit(180)
def keys_that_repeat(self):
    """On every replica, FINAL and a merge make of the source's rows one for each key, the newest, and do not
    remember the rows that were replaced, though those had newer versions."""
    with Given("a destination on three replicas with newer rows, and a source with each key twice"):
        nodes = three_replicas()
        destination = replicated_table(
            "destination", nodes, [], columns=COLUMNS, engine="ReplacingMergeTree", more=", version"
        )
        insert(destination.tables[0], [(1, key, "old", 100) for key in range(8)])
        source = create_table(
            "source", node=nodes[0], columns=COLUMNS, engine="ReplacingMergeTree(version)"
        )
        for version in (2, 1):
            insert(source, [(1, key, f"new {version}", version) for key in range(5)])
        expected = [(1, key, "new 2", 2) for key in range(5)]
        for table in destination.tables:
            this().eventually(
                partial(final, table), equals=[(1, key, "old", 100) for key in range(8)]
            )

    with When("I replace the partition"):
        replace_partition(destination.tables[0], source=source, partition=1)

    with Then("every replica has one row for each key of the source, and all rows of the source"):
        assert settled(destination) == {1: contents(source)}, error()
        assert [final(table) for table in destination.tables] == [expected] * 3, error()

    with When("the parts are merged"):
        table = next(filter(leads, destination.tables))
        table.node.query(f"OPTIMIZE TABLE {table} FINAL")

    with Then("every replica comes to hold these rows alone"):
        everywhere(destination, {1: expected})


@TestScenario
@Requirements(
    RQ_SRS_032_ClickHouse_Alter_Table_ReplacePartition_Concurrent_Manipulating_Partitions_Fetch(
        "1.0"
    ),
    RQ_SRS_032_ClickHouse_Alter_Table_ReplacePartition_Replicas("1.0"),
)
@needs(Capability.REPLICATION)
def fetched_after_the_replacement(self):
    """FETCH PARTITION after the statement brings the new rows, whichever replica had the source."""
    with Given("a destination on three replicas, replaced on one of them"):
        nodes, destination, before = replicated_destination([1, 2])
        source = source_on(nodes[1], [1])
        rows = contents(source)
        assert rows != before[1], error()
        replace_partition(destination.tables[1], source=source, partition=1)

    for node in nodes:
        with When(f"{node.name} fetches the partition into another table"):
            copy = replicated_table("copy", [node], []).tables[0]
            node.query(f"ALTER TABLE {copy} FETCH PARTITION 1 FROM '{destination.path}'")

        with Then("it has brought the new rows, all of them and no others"):
            assert fetched_rows(copy) == rows, error()

    with And("the destination is what it was"):
        everywhere(destination, {**before, 1: rows})


def leads(table: Table) -> bool:
    """Whether this replica may decide on merges: in old versions one of them does."""
    return bool(
        table.node.value(
            "SELECT is_leader FROM system.replicas "
            f"WHERE database = '{table.database}' AND table = '{table.name}'"
        )
    )


def final(table: Table) -> list[Row]:
    """All rows, as the engine reads them at the end of its work."""
    return sorted(table.node.query(f"SELECT * FROM {table} FINAL"))
