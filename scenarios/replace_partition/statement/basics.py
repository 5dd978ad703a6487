"""The statement itself: what it replaces and what it leaves alone."""

from testflows.asserts import error
from testflows.core import And, Given, Requirements, TestScenario, Then, When

from helpers.scenario.context import this
from requirements.srs032_replace_partition import (
    RQ_SRS_032_ClickHouse_Alter_Table_ReplacePartition,
)
from steps.partitions import replace_from_itself, replace_partition
from steps.parts import parts
from steps.tables import Table, contents, insert, one_part_pair


@TestScenario
@Requirements(RQ_SRS_032_ClickHouse_Alter_Table_ReplacePartition("1.0"))
def replaces_the_named_partition_only(self):
    """The named partition becomes the source's, row for row; every other one stays as it was."""
    with Given("two tables with different rows in the same three partitions"):
        source, destination = one_part_pair(partitions=3)
        kept = [row for row in contents(destination) if row[0] != 2]
        assert {row[0] for row in kept} == {1, 3}, error()

    with When("I replace the second partition"):
        replace_partition(destination, source=source, partition=2)

    with Then("it holds exactly the source's rows"):
        expected = contents(source, partition=2)
        assert contents(destination, partition=2) == expected, error()

    with And("the other partitions hold what they held"):
        assert contents(destination) == sorted([*kept, *expected]), error()


@TestScenario
@Requirements(RQ_SRS_032_ClickHouse_Alter_Table_ReplacePartition("1.0"))
def table_of_another_database(self):
    """Source and destination may be in different databases, also where both have the same name."""
    with Given("a table in another database that has the name of the destination"):
        source, destination = one_part_pair(partitions=2)
        node, other = destination.node, f"{this().database}_2"
        node.create_database(other)
        namesake = Table(node, other, destination.name)
        node.query(f"CREATE TABLE {namesake} AS {destination}")
        databases = f"SELECT database FROM system.tables WHERE name = '{destination.name}'"
        assert sorted(node.column(databases)) == sorted([destination.database, other]), error()
        insert(namesake, [(1, 1, "namesake"), (2, 2, "namesake")])
        own = contents(destination, partition=2)

    with When("I replace a partition from it, and one of its own from the first database"):
        replace_partition(destination, source=namesake, partition=1)
        replace_partition(namesake, source=source, partition=2)

    with Then("each has the rows of its source in that partition, and its own in the other"):
        expected = [(1, 1, "namesake"), *own]
        assert contents(destination) == expected, error()
        expected = [(1, 1, "namesake"), *contents(source, partition=2)]
        assert contents(namesake) == expected, error()

    with And("the first database does not need the other one any more"):
        node.drop_database(other)
        assert node.value(f"EXISTS DATABASE {other}") == 0, error()
        assert contents(destination) == [(1, 1, "namesake"), *own], error()


@TestScenario
@Requirements(RQ_SRS_032_ClickHouse_Alter_Table_ReplacePartition("1.0"))
def new_partition_is_created(self):
    """A partition that only the source has is there afterwards, with what was there before."""
    with Given("a source with one partition more than the destination"):
        source, destination = one_part_pair(partitions=2)
        before = contents(destination)
        rows = [(7, 1, "only here"), (7, 2, "here only")]
        insert(source, rows)

    with When("I replace that partition"):
        replace_partition(destination, source=source, partition=7)

    with Then("the destination has its rows"):
        assert contents(destination, partition=7) == rows, error()

    with And("all that it had before"):
        kept = [row for row in contents(destination) if row[0] != 7]
        assert kept == before, error()


@TestScenario
@Requirements(RQ_SRS_032_ClickHouse_Alter_Table_ReplacePartition("1.0"))
def replacing_twice_changes_nothing_more(self):
    """The second of two equal statements leaves the same rows: nothing is doubled, nothing lost."""
    with Given("a destination whose partition has been replaced once"):
        source, destination = one_part_pair(partitions=2)
        once = contents(source, partition=1) + contents(destination, partition=2)
        replace_partition(destination, source=source, partition=1)
        assert contents(destination) == once, error()
        first = parts(destination, partition=1)

    with When("I replace it again"):
        replace_partition(destination, source=source, partition=1)

    with Then("the rows are the same"):
        assert contents(destination) == once, error()

    with And("in a part with another name and the same files: it did not simply do nothing"):
        (old,), (new,) = first, parts(destination, partition=1)
        assert new.name != old.name and new.hash == old.hash, error()


@TestScenario
@Requirements(RQ_SRS_032_ClickHouse_Alter_Table_ReplacePartition("1.0"))
def table_replaced_from_itself(self):
    """A table may be its own source; its rows stay, though in parts with new names."""
    with Given("a table"):
        table, _ = one_part_pair(partitions=2)
        before = contents(table)
        (old,) = parts(table, partition=1)

    with When("I replace one of its partitions from itself"):
        replace_from_itself(table, partition=1)

    with Then("it holds the same rows"):
        assert contents(table) == before, error()

    with And("in a part with another name and the same files: it did not simply do nothing"):
        (new,) = parts(table, partition=1)
        assert new.name != old.name and new.hash == old.hash, error()
