"""REPLACE PARTITION stops the merges of a table that is attached, detached or optimized."""

from testflows.asserts import error
from testflows.core import And, Given, Requirements, TestScenario, Then, When

from helpers.scenario.context import this
from helpers.scenario.marks import needs
from helpers.scenario.violations import assert_no_violations
from requirements.srs032_replace_partition import (
    RQ_SRS_032_ClickHouse_Alter_Table_ReplacePartition_Concurrent_Attach,
    RQ_SRS_032_ClickHouse_Alter_Table_ReplacePartition_Concurrent_Detach,
    RQ_SRS_032_ClickHouse_Alter_Table_ReplacePartition_Concurrent_Optimize,
)
from scenarios.replace_partition.concurrent._merge_is_stopped import (
    background_merge_is_stopped,
)
from steps.partitions import replacing
from steps.parts import parts, without_statistics
from steps.replace_partition.held_statements import (
    ABORTED,
    HOLDABLE,
    HOLDING,
    ended_during,
    ends,
    frozen_store,
    has_begun,
    holding_node,
    in_progress,
    not_stopped,
    seen_in_progress,
    to_store,
    waiting_replace,
)
from steps.replace_partition.slow_merges import (
    NATURAL_SECONDS,
    ON_DEMAND,
    WHEN_COMPLETE,
    insert_quickly,
    quick_rows,
    slow_pair,
)
from steps.tables import contents, fill, partitioned_pair

UNKNOWN_TABLE = 60
# The background merges so many parts as soon as they are there.
MERGED_PARTS = 8
MERGED_FROM_STORE = {
    "storage_policy": HOLDABLE["storage_policy"],
    "min_parts_to_merge_at_once": MERGED_PARTS,
}


@TestScenario
@Requirements(RQ_SRS_032_ClickHouse_Alter_Table_ReplacePartition_Concurrent_Attach("1.0"))
def merge_begun_since_attach_is_stopped(self):
    """A table that is attached begins to merge its parts: REPLACE PARTITION stops that merge."""
    with Given("a table with all parts for a slow merge, which is not begun"):
        source, destination = slow_pair(WHEN_COMPLETE)
        destination.node.query(f"SYSTEM STOP MERGES {destination}")
        insert_quickly(destination)
        assert in_progress(destination) == [], error()

    with When("I detach the table and attach it"):
        node = destination.node
        node.query(f"DETACH TABLE {destination} SYNC")
        node.fails(f"SELECT * FROM {destination}", code=UNKNOWN_TABLE)
        node.query(f"ATTACH TABLE {destination}")

    background_merge_is_stopped(destination=destination, source=source)


@TestScenario
@Requirements(RQ_SRS_032_ClickHouse_Alter_Table_ReplacePartition_Concurrent_Detach("1.0"))
@needs(*HOLDING)
def merge_of_a_table_being_detached_is_stopped(self):
    """The merge, REPLACE PARTITION and DETACH TABLE are there at once: the merge is stopped, and the
    table has the new rows when it is back."""
    with Given("a destination with all but one of the parts for a merge, in the object store"):
        node = holding_node()
        # A merge that reads statistics waits for the store before it is in part_log.
        settings = MERGED_FROM_STORE | without_statistics(node)
        source, destination = partitioned_pair(
            2, parts=MERGED_PARTS - 1, node=node, settings=settings
        )
        to_store(destination)
        other = contents(destination, partition=2)

    with frozen_store():
        with Given("a merge in the background that waits for the store"):
            # Nobody can read the partition as long as the store is frozen.
            fill(destination, [1], check=False)
            task = seen_in_progress(destination, mutation=False)

        with When("I replace the partition: it has its merge stopped, and nobody else has"):
            replace = waiting_replace(destination, source=source)
            node.query(f"OPTIMIZE TABLE {destination} PARTITION 2")
            assert len(parts(destination, partition=2)) == 1, error()

        with And("I detach the table"):
            detach = node.background(f"DETACH TABLE {destination} SYNC")
            this().eventually(lambda: has_begun(detach))

        with Then("both are running, and the merge is still in progress"):
            assert replace.running and detach.running, error()
            assert in_progress(destination) == [task], error()

    with When("both have ended and the table is attached again"):
        replace.wait()
        detach.wait()
        node.fails(f"SELECT * FROM {destination}", code=UNKNOWN_TABLE)
        node.query(f"ATTACH TABLE {destination}")

    with Then("the merge has been stopped"):
        assert_no_violations(not_stopped(task, replace, destination=destination, source=source))

    with And("the other partition has its rows"):
        assert contents(destination, partition=2) == other, error()


@TestScenario
@Requirements(RQ_SRS_032_ClickHouse_Alter_Table_ReplacePartition_Concurrent_Detach("1.0"))
def detached_table_is_refused_and_keeps_its_rows(self):
    """A table that is gone before the statement starts has its old rows when it is back."""
    with Given("a slow merge in progress in the background"):
        source, destination = slow_pair(WHEN_COMPLETE)
        insert_quickly(destination)
        node = destination.node
        before = quick_rows(destination)
        assert before, error()
        task = seen_in_progress(destination, mutation=False)

    with When("I detach the table"):
        detach = node.background(f"DETACH TABLE {destination} SYNC")
        detach.wait()

    with Then("replacing its partition is refused"):
        node.fails(replacing(destination, source, 1), code=UNKNOWN_TABLE)

    with And("the table has its old rows when it is attached again"):
        node.query(f"ATTACH TABLE {destination}")
        assert quick_rows(destination) == before, error()

    with And("the merge was in progress until the table was detached"):
        (end,) = ends(task, destination)
        assert end.code == ABORTED and ended_during(end, detach), error()


@TestScenario
@Requirements(RQ_SRS_032_ClickHouse_Alter_Table_ReplacePartition_Concurrent_Optimize("1.0"))
def merge_of_optimize_is_stopped(self):
    """OPTIMIZE TABLE has begun a merge: REPLACE PARTITION stops it, and OPTIMIZE ends with an error."""
    with Given("a slow merge that OPTIMIZE TABLE has begun"):
        source, destination = slow_pair(ON_DEMAND)
        optimize = destination.node.background(f"OPTIMIZE TABLE {destination} FINAL")
        task = seen_in_progress(destination, mutation=False)

    with When("I replace the partition"):
        assert optimize.running, error()
        replace = waiting_replace(destination, source=source)
        replace.wait()

    with Then("the merge has been stopped"):
        assert_no_violations(not_stopped(task, replace, destination=destination, source=source))

    with And("OPTIMIZE TABLE has ended with an error that says so"):
        assert getattr(optimize.outcome(), "code", None) == ABORTED, error()

    with And("the statement did not wait for the merge's natural end"):
        assert replace.elapsed < NATURAL_SECONDS, error()
