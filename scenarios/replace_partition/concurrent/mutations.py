"""A mutation that somebody tries to start while REPLACE PARTITION is running is answered with an error."""

from testflows.asserts import error
from testflows.core import And, Given, Requirements, TestScenario, Then, When

from helpers.scenario.context import this
from helpers.scenario.marks import deviates, needs
from helpers.scenario.violations import assert_no_violations
from requirements.srs032_replace_partition import (
    RQ_SRS_032_ClickHouse_Alter_Table_ReplacePartition_Concurrent_Mutations,
)
from steps.background_changes import in_background
from steps.refusals import attempt
from steps.replace_partition.held_statements import (
    HOLDABLE,
    HOLDING,
    held_replace,
    holding_node,
)
from steps.tables import COLUMNS, Table, distinct, every_column, partitioned_pair

DEVIATIONS = "concurrent-mutations"  # the beginning of their ids

WITH_COMPUTED = f"{COLUMNS}, computed UInt64 MATERIALIZED i"
STATEMENTS = (  # 11 variants
    "ALTER TABLE {table} UPDATE owner = 'changed' IN PARTITION 1 WHERE 1",
    "ALTER TABLE {table} DELETE IN PARTITION 1 WHERE i % 2 = 0",
    "ALTER TABLE {table} MATERIALIZE COLUMN computed IN PARTITION 1",
    "ALTER TABLE {table} CLEAR COLUMN owner IN PARTITION 1",
    "ALTER TABLE {table} UPDATE owner = 'changed' WHERE 1",
    "ALTER TABLE {table} DELETE WHERE i % 2 = 0",
    "ALTER TABLE {table} MATERIALIZE COLUMN computed",
    "ALTER TABLE {table} CLEAR COLUMN owner",
    "DELETE FROM {table} WHERE i % 2 = 0",
    "ALTER TABLE {table} UPDATE owner = 'changed' IN PARTITION 2 WHERE 1",
    "ALTER TABLE {table} DELETE IN PARTITION 2 WHERE i % 2 = 0",
)
REFUSED = "each attempt is answered with an error"


def attempt_mutation(destination: Table, sql: str) -> str:
    """What the server answers. A mutation that it takes is withdrawn: one on its way may be a reason to
    refuse others."""
    node = destination.node
    where = f"database = '{destination.database}' AND table = '{destination.name}'"
    registered = f"SELECT mutation_id FROM system.mutations WHERE {where}"
    before = distinct(node.column(registered))
    answer = attempt(node, sql, settings=in_background(sql))
    added = distinct(node.column(registered)) - before
    assert len(added) == (1 if answer.accepted else 0), error()
    node.query(f"KILL MUTATION WHERE {where}")
    this().eventually(lambda: distinct(node.column(registered)), equals=before)
    return str(answer)


def numbers_of_the_other_partition(table: Table) -> set[int]:
    """Which rows there are; mutations of that partition may be carried out before they are withdrawn."""
    return distinct(table.node.column(f"SELECT i FROM {table} WHERE p = 2"))


@TestScenario
@Requirements(RQ_SRS_032_ClickHouse_Alter_Table_ReplacePartition_Concurrent_Mutations("1.0"))
@needs(*HOLDING)
@deviates(
    step=REFUSED,
    observed=dict.fromkeys(STATEMENTS, "accepted"),
    reason="mutations are executed in the background: one is accepted at any time, and REPLACE PARTITION "
    "only keeps it from being executed meanwhile",
    kind="by design",
    severity="wrong refusal or acceptance",
    upstream="https://clickhouse.com/docs/sql-reference/statements/alter#mutations",
)
def mutation_is_refused(self):
    """No mutation of the partition, of the whole table or of another partition can be started meanwhile."""
    with Given("two tables with different rows"):
        source, destination = partitioned_pair(
            2, node=holding_node(), columns=WITH_COMPUTED, settings=HOLDABLE
        )
        rows = every_column(source, partition=1)
        others = numbers_of_the_other_partition(destination)

    with held_replace(destination, source=source) as replace, When("I try to start mutations"):
        answers = {
            statement: attempt_mutation(destination, statement.format(table=destination))
            for statement in STATEMENTS
        }

    with Then("the partition is the source's, and no mutation that was withdrawn has changed it"):
        replace.wait()
        assert every_column(destination, partition=1) == rows, error()

    with And("another partition has no other rows, and all that no mutation deletes"):
        odd = {number for number in others if number % 2}
        assert odd and odd <= numbers_of_the_other_partition(destination) <= others, error()

    with And(REFUSED):
        assert_no_violations(
            {
                statement: answer
                for statement, answer in answers.items()
                if not answer.startswith("refused")
            }
        )
