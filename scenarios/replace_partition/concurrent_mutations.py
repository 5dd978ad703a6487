"""A mutation that somebody tries to start while REPLACE PARTITION is running is answered with an error."""

from testflows.core import Given, Requirements, TestOutline, TestScenario, Then, When

from helpers.marks import deviates, needs
from requirements.srs032_replace_partition import (
    RQ_SRS_032_ClickHouse_Alter_Table_ReplacePartition_Concurrent_Mutations,
)
from steps.overlap import HOLDABLE, HOLDING, IN_BACKGROUND, held_replace, holding_node
from steps.refusals import attempt, listed
from steps.tables import COLUMNS, Table, partitioned_pair

WITH_COMPUTED = f"{COLUMNS}, computed UInt64 MATERIALIZED i"
OF_THE_PARTITION = (
    "ALTER TABLE {table} UPDATE owner = 'changed' IN PARTITION 1 WHERE 1",
    "ALTER TABLE {table} DELETE IN PARTITION 1 WHERE i % 2 = 0",
    "ALTER TABLE {table} MATERIALIZE COLUMN computed IN PARTITION 1",
    "ALTER TABLE {table} CLEAR COLUMN owner IN PARTITION 1",
)
OF_THE_TABLE = (
    "ALTER TABLE {table} UPDATE owner = 'changed' WHERE 1",
    "ALTER TABLE {table} DELETE WHERE i % 2 = 0",
    "ALTER TABLE {table} MATERIALIZE COLUMN computed",
    "ALTER TABLE {table} CLEAR COLUMN owner",
    "DELETE FROM {table} WHERE i % 2 = 0",
)
OF_ANOTHER_PARTITION = (
    "ALTER TABLE {table} UPDATE owner = 'changed' IN PARTITION 2 WHERE 1",
    "ALTER TABLE {table} DELETE IN PARTITION 2 WHERE i % 2 = 0",
)
STEP = "each attempt is answered with an error"
REASON = "a mutation is accepted at any time; REPLACE PARTITION only keeps it from being executed"


def accepted(destination: Table, sql: str) -> bool:
    """Whether the server takes it. It is withdrawn then: one on its way may be a reason to refuse others."""
    taken = attempt(destination.node, sql, settings=IN_BACKGROUND).accepted
    destination.node.query(
        f"KILL MUTATION WHERE database = '{destination.database}' AND table = '{destination.name}'"
    )
    return taken


@TestOutline
def mutation_is_refused(self, *, statements):
    """None of these is accepted while REPLACE PARTITION is running."""
    with Given("two tables with different rows"):
        source, destination = partitioned_pair(
            2, node=holding_node(), columns=WITH_COMPUTED, settings=HOLDABLE
        )

    with held_replace(destination, source=source) as replace, When("I try to start mutations"):
        found = [sql for sql in statements if accepted(destination, sql.format(table=destination))]

    replace.wait()

    with Then(STEP):
        assert not found, listed(f"accepted are {len(found)} of {len(statements)}", found)


@TestScenario
@Requirements(RQ_SRS_032_ClickHouse_Alter_Table_ReplacePartition_Concurrent_Mutations("1.0"))
@needs(*HOLDING)
@deviates(step=STEP, effect="accepted are 4 of 4: ", reason=REASON)
def mutation_of_the_partition_is_refused(self):
    """A mutation of the partition that is being replaced."""
    mutation_is_refused(statements=OF_THE_PARTITION)


@TestScenario
@Requirements(RQ_SRS_032_ClickHouse_Alter_Table_ReplacePartition_Concurrent_Mutations("1.0"))
@needs(*HOLDING)
@deviates(step=STEP, effect="accepted are 5 of 5: ", reason=REASON)
def mutation_of_the_table_is_refused(self):
    """A mutation of the whole destination."""
    mutation_is_refused(statements=OF_THE_TABLE)


@TestScenario
@Requirements(RQ_SRS_032_ClickHouse_Alter_Table_ReplacePartition_Concurrent_Mutations("1.0"))
@needs(*HOLDING)
@deviates(step=STEP, effect="accepted are 2 of 2: ", reason=REASON)
def mutation_of_another_partition_is_refused(self):
    """A mutation of another partition of the destination."""
    mutation_is_refused(statements=OF_ANOTHER_PARTITION)
