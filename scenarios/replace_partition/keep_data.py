"""The source of a replaced partition keeps its data."""

from testflows.asserts import error
from testflows.core import And, Given, Requirements, TestScenario, Then, When

from requirements.srs032_replace_partition import (
    RQ_SRS_032_ClickHouse_Alter_Table_ReplacePartition_KeepData,
)
from steps.partitions import replace_partition
from steps.parts import parts
from steps.tables import contents, drop_table, partitioned_pair


@TestScenario
@Requirements(RQ_SRS_032_ClickHouse_Alter_Table_ReplacePartition_KeepData("1.0"))
def source_keeps_rows_and_parts(self):
    """Replacing a partition leaves the source as it was, row for row and part for part."""
    with Given("two tables with different rows in the same partitions"):
        source, destination = partitioned_pair(partitions=3)
        rows, names = contents(source), parts(source)

    with When("I replace one partition of the destination"):
        replace_partition(destination, source=source, partition=1)

    with Then("the source has the rows it had"):
        assert contents(source) == rows, error()

    with And("the parts it had"):
        assert parts(source) == names, error()

    with And("the destination really took the partition"):
        assert contents(destination, partition=1) == contents(source, partition=1), error()


@TestScenario
@Requirements(RQ_SRS_032_ClickHouse_Alter_Table_ReplacePartition_KeepData("1.0"))
def tables_are_independent_afterwards(self):
    """The two tables may share files on disk, but what happens to one does not show in the other."""
    with Given("a destination that took a partition"):
        source, destination = partitioned_pair(partitions=2)
        replace_partition(destination, source=source, partition=1)
        taken = contents(destination, partition=1)
        assert taken == contents(source, partition=1), error()

    with When("I delete those rows from the source"):
        source.node.query(
            f"ALTER TABLE {source} DELETE WHERE p = 1", settings={"mutations_sync": 2}
        )
        assert contents(source, partition=1) == [], error()

    with Then("the destination still has them"):
        assert contents(destination, partition=1) == taken, error()

    with When("I drop the source"):
        drop_table(source)

    with Then("the destination still has them, read anew after a restart"):
        destination.node.restart()
        assert contents(destination, partition=1) == taken, error()
