"""Materialized views that read what is inserted into the tables of REPLACE PARTITION."""

from testflows.asserts import error
from testflows.core import And, Given, Requirements, TestScenario, Then, When

from helpers.cluster.client.session import Row
from helpers.scenario.context import this
from requirements.srs032_replace_partition import (
    RQ_SRS_032_ClickHouse_Alter_Table_ReplacePartition_MaterializedViews,
)
from steps.partitions import replace_partition
from steps.tables import Table, contents, create_table, different_contents, fill, partitioned_pair


def view_of(table: Table) -> Table:
    """A table that a materialized view fills with the rows that are inserted into another one."""
    target = create_table("target")
    name = this().unique("view")
    table.node.query(
        f"CREATE MATERIALIZED VIEW {table.database}.{name} TO {target} AS SELECT * FROM {table}"
    )
    return target


@TestScenario
@Requirements(RQ_SRS_032_ClickHouse_Alter_Table_ReplacePartition_MaterializedViews("1.0"))
def views_take_no_part(self):
    """The views of both tables get what is inserted, and neither get nor lose what is replaced."""
    with Given("two tables, each with a materialized view, and rows that came through it"):
        source, destination = partitioned_pair(2)
        targets = {table: view_of(table) for table in (source, destination)}
        before = dict(zip(targets, different_contents(*targets), strict=True))
        for table in targets:
            fill(table, [1, 2])
        seen = {table: contents(target) for table, target in targets.items()}
        for table, rows in seen.items():
            assert sorted(rows + before[table]) == contents(table) and len(rows) == 20, error()

    with When("I replace the partition"):
        expected = contents(source, partition=1) + contents(destination, partition=2)
        replace_partition(destination, source=source, partition=1)
        assert contents(destination) == expected, error()

    with Then("the views have what they had"):
        assert {table: contents(target) for table, target in targets.items()} == seen, error()

    with And("they get what is inserted afterwards, and nothing else"):
        for table, target in targets.items():
            added = inserted(table)
            assert contents(target) == sorted(seen[table] + added), error()

    with When("I replace the partition of a view's target"):
        target = targets[destination]
        expected = contents(source, partition=1) + contents(target, partition=2)
        replace_partition(target, source=source, partition=1)

    with Then("it is replaced like that of any other table, and the view goes on filling it"):
        assert contents(target) == expected, error()
        added = inserted(destination)
        assert contents(target) == sorted(expected + added), error()


def inserted(table: Table) -> list[Row]:
    """Rows that are inserted into a table, once it has them."""
    before = contents(table)
    rows = fill(table, [1])
    assert contents(table) == sorted(before + rows), error()
    return rows
