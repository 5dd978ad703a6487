"""Many partitions of one destination are replaced at once, each by a client of its own."""

from testflows.asserts import error
from testflows.core import And, Given, Requirements, TestScenario, Then, When

from requirements.srs032_replace_partition import (
    RQ_SRS_032_ClickHouse_Alter_Table_ReplacePartition_Concurrent_DifferentPartitions,
)
from steps.partitions import other_partitions, replacing
from steps.tables import by_partition, create_table, divided, insert

PARTITIONS = range(1, 21)
MOST_PARTS, ROUNDS = 5, 2


@TestScenario
@Requirements(
    RQ_SRS_032_ClickHouse_Alter_Table_ReplacePartition_Concurrent_DifferentPartitions("1.0"),
)
def each_client_replaces_another_partition(self):
    """Every partition has the rows of the source, and a partition that nobody named has its own."""
    with Given("a source whose partitions have one to five parts"):
        source = create_table("source")
        numbers = {p: p % MOST_PARTS + 1 for p in PARTITIONS}
        for part in range(MOST_PARTS):
            insert(source, [(p, 100 * p + part, "new") for p in PARTITIONS if part < numbers[p]])
        new = by_partition(source)
        assert {p: len(rows) for p, rows in new.items()} == numbers, error()

    met = 0
    for _ in range(ROUNDS):
        with Given("a destination with old rows in these partitions and in another one"):
            destination = create_table("destination")
            old = [(p, p, "old") for p in (*PARTITIONS, 99)]
            insert(destination, old)
            assert by_partition(destination) == divided(old), error()

        with When("as many clients replace a partition each"):
            statements = [
                destination.node.background(replacing(destination, source, p)) for p in PARTITIONS
            ]
            for statement in statements:
                statement.wait()
            starts = sorted(statement.started for statement in statements)
            ends = sorted(statement.started + statement.elapsed for statement in statements)
            met += starts[-1] < ends[0] or starts[1] < ends[0]

        with Then("each partition has the rows of the source"):
            expected = {**new, 99: [(99, 99, "old")]}
            names = {p: f"partition {p}" for p in expected}
            assert other_partitions(by_partition(destination), expected, names) == {}, error()

        with And("the source has its own"):
            assert by_partition(source) == new, error()

    with And("statements ran at the same time"):
        assert met > 0, error()
