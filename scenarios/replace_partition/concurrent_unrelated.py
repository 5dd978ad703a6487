"""REPLACE PARTITION waits for the merges and mutations of its own partition, and only for those."""

from testflows.asserts import error
from testflows.core import And, Given, Requirements, TestScenario, Then, When

from helpers.cluster.capabilities import Capability
from helpers.context import this
from helpers.marks import needs
from requirements.srs032_replace_partition import (
    RQ_SRS_032_ClickHouse_Alter_Table_ReplacePartition_Concurrent,
)
from steps.overlap import (
    HOLDABLE,
    HOLDING,
    frozen_store,
    holding_node,
    in_progress,
    running_mutation,
    seen_in_progress,
    to_store,
    waiting_replace,
)
from steps.partitions import replace_partition
from steps.slow_merges import WHEN_COMPLETE, insert_quickly, rows_read_by_merge, slow_pair
from steps.tables import assert_differ, contents, fill, partitioned_pair


@TestScenario
@Requirements(RQ_SRS_032_ClickHouse_Alter_Table_ReplacePartition_Concurrent("1.0"))
@needs(Capability.FAILPOINTS)
def mutation_of_the_partition_is_waited_for(self):
    """The statement does not return while a mutation of the partition is in progress."""
    with Given("two tables with different rows"):
        source, destination = partitioned_pair(partitions=1, parts=1)

    change = f"ALTER TABLE {destination} UPDATE owner = 'changed' IN PARTITION 1 WHERE 1"
    with running_mutation(destination, change) as task:
        with When("I replace the partition while a mutation of it cannot go on"):
            replace = waiting_replace(destination, source=source)

        with Then("the statement waits, and the mutation is still in progress"):
            assert replace.running and in_progress(destination) == [task], error()

    with When("the mutation can go on"):
        replace.wait()

    with Then("it is over when the statement has returned"):
        assert in_progress(destination) == [], error()

    with And("the partition is the source's"):
        assert contents(destination, partition=1) == contents(source, partition=1), error()


@TestScenario
@Requirements(RQ_SRS_032_ClickHouse_Alter_Table_ReplacePartition_Concurrent("1.0"))
@needs(*HOLDING)
def merge_of_the_partition_is_waited_for(self):
    """The statement does not return while a merge of the partition is in progress."""
    with Given("a destination whose partition lies in the object store"):
        source, destination = partitioned_pair(2, node=holding_node(), settings=HOLDABLE)
        to_store(destination)

    with frozen_store():
        with Given("a merge of the partition that waits for the store"):
            optimize = destination.node.background(
                f"OPTIMIZE TABLE {destination} PARTITION 1 FINAL"
            )
            task = seen_in_progress(destination, mutation=False)

        with When("I replace the partition"):
            replace = waiting_replace(destination, source=source)

        with Then("the statement waits, and the merge is still in progress"):
            assert replace.running and in_progress(destination) == [task], error()

    with When("the store answers again"):
        optimize.outcome()
        replace.wait()

    with Then("the merge is over when the statement has returned"):
        assert in_progress(destination) == [], error()

    with And("the partition is the source's"):
        assert contents(destination, partition=1) == contents(source, partition=1), error()


@TestScenario
@Requirements(RQ_SRS_032_ClickHouse_Alter_Table_ReplacePartition_Concurrent("1.0"))
@needs(Capability.FAILPOINTS)
def mutation_of_another_partition_is_not_waited_for(self):
    """The statement returns while a mutation of another partition is in progress."""
    with Given("two tables with different rows in the second partition"):
        source, destination = partitioned_pair(partitions=[2], parts=1)
        changed = [(*row[:2], "changed") for row in contents(destination, partition=2)]

    with Given("a mutation of that partition that cannot go on"):
        change = f"ALTER TABLE {destination} UPDATE owner = 'changed' IN PARTITION 2 WHERE 1"
        mutation = running_mutation(destination, change, partition=2)

    with mutation as task:
        with Given(
            "different rows in the first partition, which the mutation has nothing to do with"
        ):
            fill(source, [1])
            fill(destination, [1])
            assert_differ(source, destination, partition=1)

        with When("I replace the first partition"):
            replace_partition(destination, source=source, partition=1)

        with Then("the mutation is still in progress though the statement has returned"):
            assert in_progress(destination, partition=2) == [task], error()

        with And("the partition is the source's"):
            assert contents(destination, partition=1) == contents(source, partition=1), error()

    with And("the mutation comes to its end"):
        this().eventually(lambda: contents(destination, partition=2), equals=changed)


@TestScenario
@Requirements(RQ_SRS_032_ClickHouse_Alter_Table_ReplacePartition_Concurrent("1.0"))
def merge_of_another_partition_is_not_waited_for(self):
    """The statement returns while a merge of another partition is in progress."""
    with Given("a slow merge of the second partition"):
        source, destination = slow_pair(WHEN_COMPLETE, partition=2)
        insert_quickly(destination)
        insert_quickly(destination, partition=2)
        task = seen_in_progress(destination, partition=2, mutation=False)

    with When("I replace the first partition"):
        replace_partition(destination, source=source, partition=1)

    with Then("the merge is still in progress though the statement has returned"):
        assert in_progress(destination, partition=2) == [task], error()

    with And("it goes on: it was not told to stop"):
        read = rows_read_by_merge(destination, partition=2)
        # One row more may be the last one before a merge obeys.
        this().eventually(lambda: rows_read_by_merge(destination, partition=2) > read + 1)

    with And("the partition is the source's"):
        assert contents(destination, partition=1) == contents(source, partition=1), error()
