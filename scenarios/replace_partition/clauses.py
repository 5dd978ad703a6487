"""Clauses that may follow the statement: SETTINGS, FORMAT, INTO OUTFILE."""

from testflows.asserts import error
from testflows.core import And, Given, Requirements, TestScenario, Then, When

from requirements.srs032_replace_partition import (
    RQ_SRS_032_ClickHouse_Alter_Table_ReplacePartition_Format,
    RQ_SRS_032_ClickHouse_Alter_Table_ReplacePartition_IntoOutfile,
    RQ_SRS_032_ClickHouse_Alter_Table_ReplacePartition_Settings,
)
from steps.partitions import replacing
from steps.tables import Table, contents, partitioned_pair

UNKNOWN_SETTING = 115
FORMATS = ("JSON", "TabSeparated", "Native", "Null")


def replaced_with(clause: str) -> tuple[Table, Table]:
    """Source and destination after the statement with this clause behind it."""
    source, destination = partitioned_pair(partitions=2)
    destination.node.query(f"{replacing(destination, source, 1)} {clause}")
    return source, destination


@TestScenario
@Requirements(RQ_SRS_032_ClickHouse_Alter_Table_ReplacePartition_Settings("1.0"))
def settings_clause(self):
    """SETTINGS is taken, and taken seriously: an unknown setting is refused and nothing is replaced."""
    with When("I replace a partition with a setting"):
        source, destination = replaced_with("SETTINGS max_threads = 1, alter_sync = 2")

    with Then("the partition is replaced"):
        assert contents(destination, partition=1) == contents(source, partition=1), error()

    with When("I replace the other one with a setting that does not exist"):
        before = contents(destination)
        statement = f"{replacing(destination, source, 2)} SETTINGS no_such_setting = 1"
        destination.node.fails(statement, code=UNKNOWN_SETTING, text="no_such_setting")

    with Then("nothing is replaced"):
        assert contents(destination) == before, error()


@TestScenario
@Requirements(RQ_SRS_032_ClickHouse_Alter_Table_ReplacePartition_Format("1.0"))
def format_clause(self):
    """FORMAT does no harm, whatever the format: the statement has no rows to show."""
    for name in FORMATS:
        with Given(f"two tables with different rows for {name}"):
            source, destination = partitioned_pair(partitions=1)

        with When(f"I replace the partition with FORMAT {name}"):
            answer = destination.node.http(f"{replacing(destination, source, 1)} FORMAT {name}")

        with Then("the partition is replaced"):
            assert contents(destination) == contents(source), error()

        with And("the answer is empty"):
            assert answer == b"", error()


@TestScenario
@Requirements(RQ_SRS_032_ClickHouse_Alter_Table_ReplacePartition_IntoOutfile("1.0"))
def into_outfile_clause(self):
    """INTO OUTFILE is taken without an error, and the partition is replaced."""
    with When("I replace a partition with INTO OUTFILE"):
        source, destination = replaced_with("INTO OUTFILE 'replaced.txt'")

    with Then("the partition is replaced"):
        assert contents(destination, partition=1) == contents(source, partition=1), error()
