"""KILL QUERY meets other statements on a partition."""

from testflows.asserts import error
from testflows.core import And, Given, Requirements, TestOutline, TestScenario, Then, When

from helpers.cluster.capabilities import Capability
from helpers.scenario.context import this
from helpers.scenario.marks import needs
from helpers.scenario.violations import assert_no_violations
from requirements.srs032_replace_partition import (
    RQ_SRS_032_ClickHouse_Alter_Table_ReplacePartition_KillQuery_OtherStatements,
)
from scenarios.replace_partition._marks import cancelled_after_the_effect
from steps.replace_partition.held_statements import PARTITION, running_mutation, waiting
from steps.replace_partition.killed_statements import answer_of, is_cloning, kill
from steps.row_origins import describe_rows
from steps.tables import contents, create_table, fill, partitioned_pair

# So slowly it reads the parts that it clones: it lasts some seconds.
SLOWLY = {"max_local_read_bandwidth": 250}
UNCHANGED = "a client that was answered 'cancelled' finds both tables as they were"
NOT_DROPPED = "a client that was answered 'cancelled' finds the rows"
BOTH = "all 10 source rows and all 10 destination rows"


@TestOutline
def changes_nothing_if_cancelled(self, *, name, statement):
    """Kill this statement on {destination} and {source} while it clones, and look at both."""
    with Given("two tables with different rows in a partition"):
        source, destination = partitioned_pair(partitions=1, parts=1)
        rows = {"source": contents(source), "destination": contents(destination)}

    with When("the statement is killed while it clones"):
        running = source.node.background(
            statement.format(source=source, destination=destination), settings=SLOWLY
        )
        this().eventually(lambda: is_cloning(running))
        assert kill(running), error()

    with Then("its client is answered 'cancelled'"):
        assert answer_of(running) == "cancelled", error()

    with And(UNCHANGED):
        assert_no_violations(
            {
                f"{name}, the {table}": describe_rows(actual, rows)
                for table, actual in (
                    ("source", contents(source)),
                    ("destination", contents(destination)),
                )
                if actual != rows[table]
            }
        )


@TestScenario
@Requirements(RQ_SRS_032_ClickHouse_Alter_Table_ReplacePartition_KillQuery_OtherStatements("1.0"))
@cancelled_after_the_effect(
    step=UNCHANGED, observed={"ATTACH PARTITION FROM, the destination": BOTH}
)
def cancelled_attach(self):
    """ATTACH PARTITION FROM that is reported as cancelled has attached nothing."""
    changes_nothing_if_cancelled(
        name="ATTACH PARTITION FROM",
        statement="ALTER TABLE {destination} ATTACH PARTITION 1 FROM {source}",
    )


@TestScenario
@Requirements(RQ_SRS_032_ClickHouse_Alter_Table_ReplacePartition_KillQuery_OtherStatements("1.0"))
@cancelled_after_the_effect(
    step=UNCHANGED,
    observed={
        "MOVE PARTITION TO TABLE, the source": "no rows",
        "MOVE PARTITION TO TABLE, the destination": BOTH,
    },
)
def cancelled_move(self):
    """MOVE PARTITION TO TABLE that is reported as cancelled has moved nothing."""
    changes_nothing_if_cancelled(
        name="MOVE PARTITION TO TABLE",
        statement="ALTER TABLE {source} MOVE PARTITION 1 TO TABLE {destination}",
    )


@TestScenario
@Requirements(RQ_SRS_032_ClickHouse_Alter_Table_ReplacePartition_KillQuery_OtherStatements("1.0"))
@needs(Capability.FAILPOINTS)
@cancelled_after_the_effect(step=NOT_DROPPED, observed={"DROP PARTITION, the table": "no rows"})
def cancelled_drop(self):
    """DROP PARTITION that is reported as cancelled has dropped nothing."""
    with Given("a table with a partition that is being mutated, to the same rows"):
        table = create_table("dropped")
        rows = fill(table, [PARTITION])
        change = f"ALTER TABLE {table} UPDATE owner = owner WHERE 1"

    with When("DROP PARTITION is killed while it waits"), running_mutation(table, change):
        statement = waiting(table.node, f"ALTER TABLE {table} DROP PARTITION {PARTITION}")
        assert kill(statement), error()

    with Then("its client is answered 'cancelled'"):
        assert answer_of(statement) == "cancelled", error()

    with And(NOT_DROPPED):
        actual = contents(table)
        seen = describe_rows(actual, {"old": rows})
        violations = {} if actual == rows else {"DROP PARTITION, the table": seen}
        assert_no_violations(violations)
