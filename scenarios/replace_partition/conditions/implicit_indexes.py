"""Indexes that a setting of the table adds to its columns by itself."""

from testflows.asserts import error
from testflows.core import And, Given, Requirements, TestScenario, Then, When

from helpers.scenario.marks import deviates
from helpers.scenario.violations import assert_no_violations
from requirements.srs032_replace_partition import (
    RQ_SRS_032_ClickHouse_Alter_Table_ReplacePartition_Conditions,
)
from steps.partitions import replace_partition, replacing
from steps.refusals import attempt
from steps.tables import NO_MERGES, contents, create_table, insert

DEVIATIONS = "conditions-implicit-indexes"  # the beginning of their ids

COLUMNS = "p UInt64, i UInt64, w UInt64"
INDEXED = {**NO_MERGES, "add_minmax_index_for_numeric_columns": 1}
REPLACED = "the partition is replaced again, for both tables are still defined alike"
STATEMENT = "REPLACE PARTITION"


@TestScenario
@Requirements(RQ_SRS_032_ClickHouse_Alter_Table_ReplacePartition_Conditions("1.0"))
@deviates(
    step=REPLACED,
    observed={
        STATEMENT: "refused with code 36: Tables have different secondary indices",
    },
    reason="CLEAR COLUMN … IN PARTITION removes the implicit index of the column from the definition, "
    "and the statement compares the indexes of both tables",
    kind="bug",
    severity="wrong refusal or acceptance",
)
def column_that_was_cleared(self):
    """CLEAR COLUMN in one partition does not change from which tables another one can be replaced."""
    with Given("two tables with the same definition; a setting adds an index to every number"):
        source = create_table("indexed_source", columns=COLUMNS, settings=INDEXED)
        destination = create_table("indexed_destination", columns=COLUMNS, settings=INDEXED)
        insert(source, [(1, 1, 10)])
        insert(destination, [(1, 2, 20), (2, 3, 30)])

    with And("a partition that can be replaced"):
        replace_partition(destination, source=source, partition=1)
        assert contents(destination) == [(1, 1, 10), (2, 3, 30)], error()

    with When("I clear the column in the other partition, and insert into the source"):
        destination.node.query(f"ALTER TABLE {destination} CLEAR COLUMN w IN PARTITION 2")
        insert(source, [(1, 4, 40)])

    with Then("only the values of that partition are cleared"):
        assert contents(destination) == [(1, 1, 10), (2, 3, 0)], error()

    with And(REPLACED):
        again = attempt(destination.node, replacing(destination, source, 1))
        assert_no_violations({} if again.accepted else {STATEMENT: again})

    with And("the destination has the rows of the source"):
        assert contents(destination) == [(1, 1, 10), (1, 4, 40), (2, 3, 0)], error()
