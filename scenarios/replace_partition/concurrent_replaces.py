"""Several REPLACE PARTITION of the same partition at once."""

from testflows.asserts import error
from testflows.core import And, Given, Requirements, TestOutline, TestScenario, Then, When

from helpers.cluster.capabilities import Capability
from helpers.cluster.session import Row
from helpers.marks import deviates, needs
from requirements.srs032_replace_partition import (
    RQ_SRS_032_ClickHouse_Alter_Table_ReplacePartition_Concurrent_Manipulating_Partitions,
    RQ_SRS_032_ClickHouse_Alter_Table_ReplacePartition_Concurrent_Manipulating_Partitions_Replace,
    RQ_SRS_032_ClickHouse_Alter_Table_ReplacePartition_Concurrent_SameDestination,
)
from steps import partition_operations as operations
from steps.beside_replace import EARLY, WAITED, waits_for_replace
from steps.overlap import HOLDING, running_mutation, waiting_replace
from steps.tables import contents, create_table, fill

CLIENTS = 6
# Where the server makes mistakes it makes them in nine rounds of ten.
ROUNDS = 12
PARTS = 3
ONE_SOURCE = "the partition has exactly the rows of one source"
AT_ONCE = "while REPLACE PARTITION clones parts, nothing keeps another one from the same partition"
NOT_COVERED = (
    "each statement fixes the range of parts to remove before it has the table to itself: what "
    "another one puts in place in between is outside the range and stays"
)


@TestScenario
@Requirements(
    RQ_SRS_032_ClickHouse_Alter_Table_ReplacePartition_Concurrent_Manipulating_Partitions("1.0"),
    RQ_SRS_032_ClickHouse_Alter_Table_ReplacePartition_Concurrent_Manipulating_Partitions_Replace(
        "1.0"
    ),
)
@needs(*HOLDING)
@deviates(
    step=WAITED,
    effect=f"{EARLY}; the partition ends with 20 new rows",
    reason=AT_ONCE,
)
def replace_of_the_same_destination(self):
    """A second REPLACE PARTITION waits for the first: the partition ends with the second's rows."""
    waits_for_replace(operations.REPLACE)


@TestScenario
@Requirements(
    RQ_SRS_032_ClickHouse_Alter_Table_ReplacePartition_Concurrent_Manipulating_Partitions("1.0"),
    RQ_SRS_032_ClickHouse_Alter_Table_ReplacePartition_Concurrent_Manipulating_Partitions_Replace(
        "1.0"
    ),
)
@needs(*HOLDING)
@deviates(
    step=WAITED,
    effect=f"{EARLY}; the third table ends with 20 old rows",
    reason=AT_ONCE,
)
def replace_from_the_destination(self):
    """Where the destination of the first is the source of the second, that one gets the new rows."""
    waits_for_replace(operations.REPLACE_THIRD)


def wrong_rows(found: list[Row], states: list[list[Row]]) -> str:
    """What is wrong with rows that have to be exactly those of one source; '' if they are."""
    if found in states:
        return ""
    owners = {row[2] for row in found}
    if len(owners) > 1:
        return f"rows of several sources: {len(found)} rows of {sorted(owners)}"
    if len(set(found)) < len(found):
        return (
            f"rows more often than in their source: {len(found)}, only {len(set(found))} different"
        )
    return f"{len(found)} rows, which are not those of a source"


@TestOutline
def ends_with_one_source(self, *, sources):
    """Many clients at once; the partition ends with exactly the rows of one of their sources.

    All of them wait for the same mutation of the partition, so they set out at the same moment.
    """
    with Given("sources with different rows"):
        tables = [create_table("source") for _ in range(sources)]
        for table in tables:
            fill(table, [1], parts=PARTS)
        states = [contents(table) for table in tables]
        assert len({tuple(state) for state in states}) == sources, error()

    for number in range(1, ROUNDS + 1):
        with Given(f"a destination with a mutation in progress, round {number}"):
            destination = create_table("destination")
            fill(destination, [1])

        change = f"ALTER TABLE {destination} UPDATE owner = 'changed' WHERE 1"
        with running_mutation(destination, change):
            with When("all clients replace the partition"):
                statements = [
                    waiting_replace(destination, source=tables[client % sources])
                    for client in range(CLIENTS)
                ]

            with Then("all of them are running at the same time"):
                assert all(statement.running for statement in statements), error()

        with Then("at least one is told that it succeeded"):
            outcomes = [statement.outcome() for statement in statements]
            assert None in outcomes, error()

        with And(ONE_SOURCE):
            wrong = wrong_rows(contents(destination), states)
            assert not wrong, f"{wrong}; {outcomes.count(None)} of {CLIENTS} succeeded"


@TestScenario
@Requirements(RQ_SRS_032_ClickHouse_Alter_Table_ReplacePartition_Concurrent_SameDestination("1.0"))
@needs(Capability.FAILPOINTS)
@deviates(
    step=ONE_SOURCE,
    effect="rows of several sources: ",
    reason=NOT_COVERED,
)
def each_client_with_its_own_source(self):
    """Every client replaces the partition from a source of its own."""
    ends_with_one_source(sources=CLIENTS)


@TestScenario
@Requirements(RQ_SRS_032_ClickHouse_Alter_Table_ReplacePartition_Concurrent_SameDestination("1.0"))
@needs(Capability.FAILPOINTS)
@deviates(
    step=ONE_SOURCE,
    effect="rows more often than in their source: ",
    reason=NOT_COVERED,
)
def all_clients_with_the_same_source(self):
    """All clients replace the partition from the same source: its rows are not doubled."""
    ends_with_one_source(sources=1)
