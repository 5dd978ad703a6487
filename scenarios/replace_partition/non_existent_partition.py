"""A partition that the source does not have is refused, and nothing is lost."""

from testflows.asserts import error
from testflows.core import And, Given, Requirements, TestScenario, Then, When

from requirements.srs032_replace_partition import (
    RQ_SRS_032_ClickHouse_Alter_Table_ReplacePartition_NonExistentPartition,
)
from steps.partitions import replace_is_refused
from steps.parts import parts
from steps.tables import contents, fill, partitioned_pair

BAD_ARGUMENTS = 36


@TestScenario
@Requirements(RQ_SRS_032_ClickHouse_Alter_Table_ReplacePartition_NonExistentPartition("1.0"))
def only_the_destination_has_it(self):
    """The destination keeps a partition that the source cannot replace."""
    with Given("a destination with a partition that the source lacks"):
        source, destination = partitioned_pair(partitions=2)
        fill(destination, [21])
        before, names = contents(destination), parts(destination)
        assert contents(destination, partition=21), error()

    with When("I try to replace it"):
        replace_is_refused(
            destination, source=source, partition=21, code=BAD_ARGUMENTS, text="has no parts"
        )

    with Then("the destination has all its rows"):
        assert contents(destination) == before, error()

    with And("all its parts"):
        assert parts(destination) == names, error()


@TestScenario
@Requirements(RQ_SRS_032_ClickHouse_Alter_Table_ReplacePartition_NonExistentPartition("1.0"))
def neither_table_has_it(self):
    """A partition that exists nowhere is refused too, and both tables stay as they were."""
    with Given("two tables without the partition"):
        source, destination = partitioned_pair(partitions=2)
        before = contents(source), contents(destination)

    with When("I try to replace it"):
        replace_is_refused(
            destination, source=source, partition=99, code=BAD_ARGUMENTS, text="has no parts"
        )

    with Then("both have what they had"):
        assert (contents(source), contents(destination)) == before, error()
