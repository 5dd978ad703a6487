"""The statement itself: what it replaces, what it leaves alone, and how the partition may be named."""

from testflows.asserts import error
from testflows.core import And, Given, Requirements, TestScenario, Then, When

from requirements.srs032_replace_partition import (
    RQ_SRS_032_ClickHouse_Alter_Table_ReplacePartition,
)
from steps.partitions import replace_partition
from steps.parts import parts
from steps.tables import contents, partitioned_pair


@TestScenario
@Requirements(RQ_SRS_032_ClickHouse_Alter_Table_ReplacePartition("1.0"))
def replaces_the_named_partition_only(self):
    """The named partition becomes the source's, row for row; every other one stays as it was."""
    with Given("two tables with different rows in the same three partitions"):
        source, destination = partitioned_pair(partitions=3)
        others = {number: contents(destination, partition=number) for number in (1, 3)}

    with When("I replace the second partition"):
        replace_partition(destination, source=source, partition=2)

    with Then("it holds exactly the source's rows"):
        expected = contents(source, partition=2)
        assert contents(destination, partition=2) == expected, error()

    with And("the other partitions hold what they held"):
        for number, rows in others.items():
            assert contents(destination, partition=number) == rows, error()


@TestScenario
@Requirements(RQ_SRS_032_ClickHouse_Alter_Table_ReplacePartition("1.0"))
def partition_named_by_id(self):
    """PARTITION ID names the partition by the text that system.parts shows."""
    with Given("two tables with different rows"):
        source, destination = partitioned_pair(partitions=2)
        untouched = contents(destination, partition=2)

    with When("I replace a partition by its id"):
        replace_partition(destination, source=source, partition="ID '1'")

    with Then("that partition is the source's"):
        assert contents(destination, partition=1) == contents(source, partition=1), error()

    with And("the other one is not"):
        assert contents(destination, partition=2) == untouched, error()


@TestScenario
@Requirements(RQ_SRS_032_ClickHouse_Alter_Table_ReplacePartition("1.0"))
def new_partition_is_created(self):
    """A partition that only the source has is there afterwards, beside what was there before."""
    with Given("a source with one partition more than the destination"):
        source, destination = partitioned_pair(partitions=2)
        before = contents(destination)
        source.node.query(f"INSERT INTO {source} VALUES (7, 1, 'only here'), (7, 2, 'only here')")
        assert contents(destination, partition=7) == [], error()

    with When("I replace that partition"):
        replace_partition(destination, source=source, partition=7)

    with Then("the destination has its rows"):
        assert contents(destination, partition=7) == [(7, 1, "only here"), (7, 2, "only here")], (
            error()
        )

    with And("all that it had before"):
        kept = [row for row in contents(destination) if row[0] != 7]
        assert kept == before, error()


@TestScenario
@Requirements(RQ_SRS_032_ClickHouse_Alter_Table_ReplacePartition("1.0"))
def replacing_twice_changes_nothing_more(self):
    """The second of two equal statements leaves the same rows: nothing is doubled, nothing lost."""
    with Given("a destination whose partition has been replaced once"):
        source, destination = partitioned_pair(partitions=2)
        once = contents(source, partition=1) + contents(destination, partition=2)
        replace_partition(destination, source=source, partition=1)
        assert contents(destination) == once, error()

    with When("I replace it again"):
        replace_partition(destination, source=source, partition=1)

    with Then("the rows are the same"):
        assert contents(destination) == once, error()


@TestScenario
@Requirements(RQ_SRS_032_ClickHouse_Alter_Table_ReplacePartition("1.0"))
def table_replaced_from_itself(self):
    """A table may be its own source; its rows stay, though in parts with new names."""
    with Given("a table"):
        table, _ = partitioned_pair(partitions=2)
        before = contents(table)
        old = {part.name for part in parts(table, partition=1)}

    with When("I replace one of its partitions from itself"):
        replace_partition(table, source=table, partition=1)

    with Then("it holds the same rows"):
        assert contents(table) == before, error()

    with And("in new parts: it did not simply do nothing"):
        assert not old & {part.name for part in parts(table, partition=1)}, error()
