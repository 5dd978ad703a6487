"""Asynchronous inserts that wait in the queue while their partition is replaced."""

from testflows.asserts import error
from testflows.core import And, Given, Requirements, TestScenario, Then, When

from helpers.cluster.capabilities import Capability
from helpers.scenario.marks import needs
from requirements.srs032_replace_partition import (
    RQ_SRS_032_ClickHouse_Alter_Table_ReplacePartition_Concurrent_AsyncInserts,
)
from steps.async_inserts import assert_queued, flush_queue, insert_and_wait, insert_into_queue
from steps.partitions import replace_partition
from steps.tables import contents, one_part_pair


@TestScenario
@Requirements(RQ_SRS_032_ClickHouse_Alter_Table_ReplacePartition_Concurrent_AsyncInserts("1.0"))
@needs(Capability.ASYNC_INSERTS)
def pending_rows_are_not_lost(self):
    """What an insert has put into the queue is in the destination after the flush, or the insert fails."""
    with Given("two tables with different rows"):
        source, destination = one_part_pair(partitions=2)
        replaced = contents(source, partition=1) + contents(destination, partition=2)

    with And(
        "two inserts into the destination that wait in the queue; one of the clients waits, too"
    ):
        at_once = [(1, 1_000_001, "told at once"), (2, 1_000_002, "at once told")]
        insert_into_queue(destination, at_once)
        waiting = [(1, 1_000_003, "waiting"), (2, 1_000_004, "still waiting")]
        client = insert_and_wait(destination, waiting)
        assert_queued(destination, inserts=2)

    with When("I replace a partition, and both are still in the queue"):
        replace_partition(destination, source=source, partition=1)
        assert_queued(destination, inserts=2)
        assert contents(destination) == sorted(replaced), error()

    with And("I flush the queue"):
        flush_queue(destination.node)
        assert_queued(destination, inserts=0)
        failed = client.outcome()

    with Then("the rows of every insert that succeeded are there as well as the new ones"):
        expected = sorted([*replaced, *at_once, *([] if failed else waiting)])
        assert contents(destination) == expected, error()
