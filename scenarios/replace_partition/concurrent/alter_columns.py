"""REPLACE PARTITION stops the mutations by which ALTER of columns is still rewriting the partition."""

from testflows.asserts import error
from testflows.core import Given, Requirements, TestOutline, TestScenario, Then, When

from helpers.cluster.capabilities import Capability
from helpers.scenario.marks import needs
from helpers.scenario.violations import assert_no_violations
from requirements.srs032_replace_partition import (
    RQ_SRS_032_ClickHouse_Alter_Table_ReplacePartition_Concurrent_Alter_Add,
    RQ_SRS_032_ClickHouse_Alter_Table_ReplacePartition_Concurrent_Alter_Clear,
    RQ_SRS_032_ClickHouse_Alter_Table_ReplacePartition_Concurrent_Alter_Drop,
    RQ_SRS_032_ClickHouse_Alter_Table_ReplacePartition_Concurrent_Alter_Materialize,
    RQ_SRS_032_ClickHouse_Alter_Table_ReplacePartition_Concurrent_Alter_Modify,
    RQ_SRS_032_ClickHouse_Alter_Table_ReplacePartition_Concurrent_Alter_ModifyRemove,
)
from steps.parts import parts
from steps.replace_partition.held_statements import (
    in_progress,
    not_stopped,
    running_mutation,
    waiting_replace,
)
from steps.tables import COLUMNS, definition, partitioned_pair

# The smallest part, in bytes, that is wide.
KINDS = {"Compact": 1_000_000, "Wide": 0}  # 2 variants
WITH_COMPUTED = f"{COLUMNS}, computed UInt64 MATERIALIZED i"
UPDATE = "UPDATE owner = 'changed' WHERE 1"


@TestOutline
def mutation_is_stopped(self, *, mutation, before=None, meanwhile=None, source_too=True):
    """Some ALTER of columns leaves a mutation in progress; REPLACE PARTITION stops it.

    `before` and `meanwhile` are done to both tables, because their structures have to be the same,
    and so is the mutation if it changes the structure (`source_too`).
    """
    violations: dict[str, str] = {}
    for kind, smallest_wide_part in KINDS.items():
        with Given(f"two tables with different rows in {kind} parts"):
            source, destination = partitioned_pair(
                partitions=1,
                parts=1,
                columns=WITH_COMPUTED,
                settings={"min_bytes_for_wide_part": smallest_wide_part},
            )
            both = parts(source) + parts(destination)
            assert [part.kind for part in both] == [kind, kind], error()
            assert both[0].hash != both[1].hash, error()
            for change in (before, mutation if source_too else None):
                if change:
                    source.node.query(f"ALTER TABLE {source} {change}")
            if before:
                destination.node.query(f"ALTER TABLE {destination} {before}")

        with running_mutation(destination, f"ALTER TABLE {destination} {mutation}") as task:
            for table in (source, destination) if meanwhile else ():
                table.node.query(f"ALTER TABLE {table} {meanwhile}")
            assert definition(source) == definition(destination), error()

            with When("I replace the partition while it is being mutated"):
                replace = waiting_replace(destination, source=source)

            with Then("both are running"):
                assert replace.running and in_progress(destination) == [task], error()

        with When("both have ended"):
            replace.wait()
            found = not_stopped(task, replace, destination=destination, source=source)
            violations |= {f"{kind} part: {cell}": observed for cell, observed in found.items()}

    with Then("the mutation of every part has been stopped"):
        assert_no_violations(violations)


@TestScenario
@Requirements(RQ_SRS_032_ClickHouse_Alter_Table_ReplacePartition_Concurrent_Alter_Add("1.0"))
@needs(Capability.FAILPOINTS)
def added_column(self):
    """A table that was given a column, before its mutation began or meanwhile."""
    mutation_is_stopped(
        before="ADD COLUMN added UInt64 DEFAULT i",
        mutation="UPDATE added = 1 WHERE 1",
        source_too=False,
    )
    mutation_is_stopped(
        mutation=UPDATE, meanwhile="ADD COLUMN added UInt64 DEFAULT i", source_too=False
    )


@TestScenario
@Requirements(RQ_SRS_032_ClickHouse_Alter_Table_ReplacePartition_Concurrent_Alter_Drop("1.0"))
@needs(Capability.FAILPOINTS)
def dropped_column(self):
    """DROP COLUMN is taking a column out of the partition."""
    mutation_is_stopped(mutation="DROP COLUMN computed")


@TestScenario
@Requirements(RQ_SRS_032_ClickHouse_Alter_Table_ReplacePartition_Concurrent_Alter_Clear("1.0"))
@needs(Capability.FAILPOINTS)
def cleared_column(self):
    """CLEAR COLUMN is resetting a column of the partition."""
    mutation_is_stopped(mutation="CLEAR COLUMN computed", source_too=False)


@TestScenario
@Requirements(RQ_SRS_032_ClickHouse_Alter_Table_ReplacePartition_Concurrent_Alter_Modify("1.0"))
@needs(Capability.FAILPOINTS)
def modified_column(self):
    """MODIFY COLUMN is converting a column of the partition."""
    mutation_is_stopped(mutation="MODIFY COLUMN computed String")


@TestScenario
@Requirements(
    RQ_SRS_032_ClickHouse_Alter_Table_ReplacePartition_Concurrent_Alter_ModifyRemove("1.0")
)
@needs(Capability.FAILPOINTS)
def column_without_a_property(self):
    """A table that lost a property of a column, before its mutation began or meanwhile."""
    remove = "MODIFY COLUMN computed REMOVE MATERIALIZED"
    mutation_is_stopped(before=remove, mutation=UPDATE, source_too=False)
    mutation_is_stopped(mutation=UPDATE, meanwhile=remove, source_too=False)


@TestScenario
@Requirements(
    RQ_SRS_032_ClickHouse_Alter_Table_ReplacePartition_Concurrent_Alter_Materialize("1.0")
)
@needs(Capability.FAILPOINTS)
def materialized_column(self):
    """MATERIALIZE COLUMN is writing a column into the partition."""
    mutation_is_stopped(mutation="MATERIALIZE COLUMN computed", source_too=False)
