"""REPLACE PARTITION stops the merges of a table that is attached, detached or optimized."""

from testflows.asserts import error
from testflows.core import And, Given, Requirements, TestScenario, Then, When

from helpers.context import this
from helpers.marks import needs
from requirements.srs032_replace_partition import (
    RQ_SRS_032_ClickHouse_Alter_Table_ReplacePartition_Concurrent_Attach,
    RQ_SRS_032_ClickHouse_Alter_Table_ReplacePartition_Concurrent_Detach,
    RQ_SRS_032_ClickHouse_Alter_Table_ReplacePartition_Concurrent_Optimize,
)
from steps.overlap import (
    ABORTED,
    HOLDABLE,
    HOLDING,
    ends,
    held_replace,
    holding_node,
    in_progress,
    not_stopped,
    seen_in_progress,
    waiting_replace,
)
from steps.partitions import replacing
from steps.parts import parts
from steps.slow_merges import (
    NATURAL_SECONDS,
    ON_DEMAND,
    WHEN_COMPLETE,
    insert_quickly,
    quick_rows,
    slow_pair,
)
from steps.tables import contents

UNKNOWN_TABLE = 60


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
        destination.node.query(f"DETACH TABLE {destination} SYNC")
        destination.node.query(f"ATTACH TABLE {destination}")

    with Then("the background begins the merge"):
        task = seen_in_progress(destination, mutation=False)

    with When("I replace the partition"):
        assert in_progress(destination) == [task], error()
        replace = waiting_replace(destination, source=source)
        replace.wait()

    with Then("the merge has been stopped"):
        assert not_stopped(task, destination, source) == [], error()

    with And("the statement did not wait for its natural end"):
        assert replace.elapsed < NATURAL_SECONDS, error()


@TestScenario
@Requirements(RQ_SRS_032_ClickHouse_Alter_Table_ReplacePartition_Concurrent_Detach("1.0"))
@needs(*HOLDING)
def merge_of_a_table_being_detached_is_stopped(self):
    """REPLACE PARTITION has stopped the merge when DETACH TABLE comes, and ends as it would alone."""
    with Given("a slow merge in progress in the background"):
        node = holding_node()
        settings = {**WHEN_COMPLETE, "storage_policy": HOLDABLE["storage_policy"]}
        source, destination = slow_pair(settings, node=node)
        insert_quickly(destination)
        task = seen_in_progress(destination, mutation=False)

    with held_replace(destination, source=source) as replace:
        with Then("the merge is stopped by REPLACE PARTITION, which is running"):
            assert in_progress(destination) == [], error()
            assert ends(task, destination) == [ABORTED], error()

        with When("I detach the table while the statement is running"):
            detach = node.background(f"DETACH TABLE {destination} SYNC")

        with Then("both are running at the same time"):
            this().eventually(lambda: detach.running and replace.running)

    with When("both have ended and the table is attached again"):
        replace.wait()
        detach.wait()
        node.query(f"ATTACH TABLE {destination}")

    with Then("it has exactly the source's rows"):
        assert contents(destination) == contents(source), error()

    with And("no result of the merge"):
        assert task.part not in [part.name for part in parts(destination)], error()


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
        seen_in_progress(destination, mutation=False)

    with When("I detach the table"):
        node.query(f"DETACH TABLE {destination} SYNC")

    with Then("replacing its partition is refused"):
        node.fails(replacing(destination, source, 1), code=UNKNOWN_TABLE)

    with And("the table has its old rows when it is attached again"):
        node.query(f"ATTACH TABLE {destination}")
        assert quick_rows(destination) == before, error()


@TestScenario
@Requirements(RQ_SRS_032_ClickHouse_Alter_Table_ReplacePartition_Concurrent_Optimize("1.0"))
def merge_of_optimize_is_stopped(self):
    """OPTIMIZE TABLE has begun a merge: REPLACE PARTITION stops it, and OPTIMIZE is told so."""
    with Given("a slow merge that OPTIMIZE TABLE has begun"):
        source, destination = slow_pair(ON_DEMAND)
        optimize = destination.node.background(f"OPTIMIZE TABLE {destination} PARTITION 1 FINAL")
        task = seen_in_progress(destination, mutation=False)

    with When("I replace the partition"):
        assert optimize.running, error()
        replace = waiting_replace(destination, source=source)
        replace.wait()

    with Then("the merge has been stopped"):
        assert not_stopped(task, destination, source) == [], error()

    with And("OPTIMIZE TABLE has ended with an error that says so"):
        assert getattr(optimize.outcome(), "code", None) == ABORTED, error()

    with And("the statement did not wait for the merge's natural end"):
        assert replace.elapsed < NATURAL_SECONDS, error()
