"""The source of a replaced partition keeps its data."""

from testflows.asserts import error
from testflows.core import And, Given, Requirements, TestScenario, Then, When

from helpers.cluster.client.session import Row
from helpers.scenario.violations import assert_no_violations
from requirements.srs032_replace_partition import (
    RQ_SRS_032_ClickHouse_Alter_Table_ReplacePartition_KeepData,
)
from scenarios.replace_partition._marks import deviates_in_2018
from steps.background_changes import UNTIL_DONE
from steps.partitions import replace_partition
from steps.parts import parts
from steps.restarts import restart
from steps.tables import COLUMNS, Table, column_names, contents, drop_table, partitioned_pair

COMPUTED = f"{COLUMNS}, stored UInt64 MATERIALIZED i + 1, computed String ALIAS concat(owner, '!')"


def all_columns(table: Table, where: str = "1") -> list[Row]:
    """All rows with the columns, too, that * leaves out."""
    return sorted(table.node.query(f"SELECT *, stored, computed FROM {table} WHERE {where}"))


@TestScenario
@Requirements(RQ_SRS_032_ClickHouse_Alter_Table_ReplacePartition_KeepData("1.0"))
def source_keeps_rows_and_parts(self):
    """Replacing a partition leaves the source as it was, row for row and part for part."""
    with Given("two tables with different rows in the same partitions, and computed columns"):
        source, destination = partitioned_pair(partitions=3, columns=COMPUTED)
        rows, names = all_columns(source), parts(source)
        assert {len(row) for row in rows} == {len(column_names(source))}, error()
        others = all_columns(destination, "p != 1")

    with When("I replace one partition of the destination"):
        replace_partition(destination, source=source, partition=1)

    with Then("the source has the rows it had"):
        assert all_columns(source) == rows, error()

    with And("the parts it had"):
        assert parts(source) == names, error()

    with And("the destination really took the partition, and kept the others"):
        assert all_columns(destination, "p = 1") == all_columns(source, "p = 1"), error()
        assert all_columns(destination, "p != 1") == others, error()


@TestScenario
@Requirements(RQ_SRS_032_ClickHouse_Alter_Table_ReplacePartition_KeepData("1.0"))
def tables_are_independent_afterwards(self):
    """The two tables may share files on disk, but what happens to one does not show in the other."""
    with Given("a destination that took a partition"):
        source, destination = partitioned_pair(partitions=2)
        replace_partition(destination, source=source, partition=1)
        taken, other = contents(destination, partition=1), contents(destination, partition=2)
        assert taken == contents(source, partition=1), error()

    with When("I delete those rows from the source"):
        source.node.query(f"ALTER TABLE {source} DELETE WHERE p = 1", settings=UNTIL_DONE)
        assert contents(source, partition=1) == [], error()

    with Then("the destination still has them"):
        assert contents(destination, partition=1) == taken, error()

    with When("I drop the source"):
        drop_table(source)

    with Then("the destination still has them, read anew after a restart"):
        restart(destination.node)
        rows = contents(destination)
        replaced = [row for row in rows if row[2].startswith(destination.name) and row not in other]
        if len(replaced) == len(taken) and rows == sorted([*taken, *other, *replaced]):
            assert_no_violations({"after a restart": "the replaced rows are there again"})
        assert rows == taken + other, error()


deviates_in_2018(
    tables_are_independent_afterwards,
    step="the destination still has them, read anew after a restart",
    observed={"after a restart": "the replaced rows are there again"},
    reason="a restart takes the old parts, which still lie on the disk, for active ones",
    kind="bug",
    severity="wrong answer",
    upstream="https://github.com/ClickHouse/ClickHouse/issues/107605",
    id="restart.answered-statement-survives",
    no_sql="it restarts the server; what the old parts on the disk are to it shows only then",
)
