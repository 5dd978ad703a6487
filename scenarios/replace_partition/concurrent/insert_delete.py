"""REPLACE PARTITION stops the merges that INSERT set off and the mutations that DELETE FROM left."""

from testflows.asserts import error
from testflows.core import Given, Requirements, TestScenario, Then, When

from helpers.cluster.capabilities import Capability
from helpers.scenario.marks import needs
from helpers.scenario.violations import assert_no_violations
from requirements.srs032_replace_partition import (
    RQ_SRS_032_ClickHouse_Alter_Table_ReplacePartition_Concurrent_Delete,
    RQ_SRS_032_ClickHouse_Alter_Table_ReplacePartition_Concurrent_Insert,
)
from scenarios.replace_partition.concurrent._merge_is_stopped import (
    background_merge_is_stopped,
)
from steps.replace_partition.held_statements import (
    in_progress,
    not_stopped,
    running_mutation,
    waiting_replace,
)
from steps.replace_partition.slow_merges import (
    WHEN_COMPLETE,
    insert_quickly,
    slow_pair,
)
from steps.tables import partitioned_pair


@TestScenario
@Requirements(RQ_SRS_032_ClickHouse_Alter_Table_ReplacePartition_Concurrent_Insert("1.0"))
def merge_set_off_by_insert_is_stopped(self):
    """The part that an INSERT adds completes what the background merges: REPLACE stops that merge."""
    with Given("a destination that lacks one part for a slow merge, and no merge of it"):
        source, destination = slow_pair(WHEN_COMPLETE)
        assert in_progress(destination) == [], error()

    with When("I insert the part"):
        insert_quickly(destination)

    background_merge_is_stopped(destination=destination, source=source)


@TestScenario
@Requirements(RQ_SRS_032_ClickHouse_Alter_Table_ReplacePartition_Concurrent_Delete("1.0"))
@needs(Capability.FAILPOINTS)
def mutation_of_delete_is_stopped(self):
    """A DELETE FROM that returned before its rows were removed: REPLACE stops the mutation."""
    with Given("two tables with different rows"):
        source, destination = partitioned_pair(partitions=1, parts=1)

    with running_mutation(destination, f"DELETE FROM {destination} WHERE i % 2 = 0") as task:
        with When("I replace the partition while rows are being deleted"):
            replace = waiting_replace(destination, source=source)

        with Then("both are running"):
            assert replace.running and in_progress(destination) == [task], error()

    with Then("the mutation has been stopped when the statement has returned"):
        replace.wait()
        assert_no_violations(not_stopped(task, replace, destination=destination, source=source))
