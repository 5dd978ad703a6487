"""REPLACE PARTITION waits for the merges and mutations of its own partition, and only for those."""

from collections.abc import Iterator
from contextlib import contextmanager

from testflows.asserts import error
from testflows.core import And, Given, Requirements, TestScenario, Then, When

from helpers.cluster.capabilities import Capability
from helpers.scenario.context import this
from helpers.scenario.marks import deviates, needs
from helpers.scenario.violations import assert_no_violations
from requirements.srs032_replace_partition import (
    RQ_SRS_032_ClickHouse_Alter_Table_ReplacePartition_Concurrent,
)
from steps.partitions import replace_partition
from steps.replace_partition.held_statements import (
    ABORTED,
    HOLDABLE,
    HOLDING,
    Task,
    ends,
    frozen_store,
    holding_node,
    in_progress,
    running_mutation,
    seen_in_progress,
    to_store,
    waiting_replace,
)
from steps.replace_partition.slow_merges import (
    WHEN_COMPLETE,
    insert_quickly,
    rows_read_by_merge,
    slow_pair,
)
from steps.tables import Table, contents, fill_and_check, partitioned_pair

DEVIATIONS = "concurrent-unrelated"  # the beginning of their ids


@contextmanager
def held_mutation(destination: Table) -> Iterator[Task]:
    """A mutation of the partition that cannot go on until the block ends."""
    change = f"ALTER TABLE {destination} UPDATE owner = 'changed' IN PARTITION 1 WHERE 1"
    with running_mutation(destination, change) as task:
        yield task


@contextmanager
def held_merge(destination: Table) -> Iterator[Task]:
    """A merge of the partition that cannot go on until the block ends."""
    to_store(destination)
    with frozen_store():
        optimize = destination.node.background(f"OPTIMIZE TABLE {destination} FINAL")
        yield seen_in_progress(destination, mutation=False)
    optimize.outcome()


# How it is held, and of how many parts: a mutation in progress is one of a single part.
HELD = {"mutation": (held_mutation, 1), "merge": (held_merge, 2)}  # 2 variants


@TestScenario
@Requirements(RQ_SRS_032_ClickHouse_Alter_Table_ReplacePartition_Concurrent("1.0"))
@needs(*HOLDING, Capability.FAILPOINTS)
@deviates(
    step="none of them was cut short",
    observed={"mutation": f"ended with {[ABORTED]}", "merge": f"ended with {[ABORTED]}"},
    reason="the requirement contradicts Concurrent.Insert and its neighbours, which ask for a stop: REPLACE "
    "PARTITION tells what is in progress in the partition to stop, and waits until it has stopped",
    kind="requirement",
    severity="wrong refusal or acceptance",
    upstream="https://github.com/ClickHouse/ClickHouse/issues/45328",
)
def what_is_in_progress_is_waited_for(self):
    """The statement does not return while a mutation or a merge of the partition is in progress, and
    that comes to its own end."""
    violations = {}
    for name, (held, parts) in HELD.items():
        with Given(f"a {name} that comes to its end if nobody replaces the partition"):
            _, destination = holdable_pair(parts)
            with held(destination) as task:
                assert in_progress(destination) == [task], error()
            assert [end.code for end in ends(task, destination)] == [0], error()

        with Given(f"the same {name} in another table"):
            source, destination = holdable_pair(parts)
            expected = contents(source)

        with held(destination) as task:
            with When(f"I replace the partition while the {name} cannot go on"):
                replace = waiting_replace(destination, source=source)

            with Then(f"the statement waits, and the {name} is still in progress"):
                assert replace.running and in_progress(destination) == [task], error()

        with Then(f"the {name} is over when the statement has returned"):
            replace.wait()
            assert in_progress(destination) == [], error()

        with And("the partition is the source's"):
            assert contents(destination) == expected, error()

        codes = [end.code for end in ends(task, destination)]
        if codes != [0]:
            violations[name] = f"ended with {codes}"

    with Then("none of them was cut short"):
        assert_no_violations(violations)


def holdable_pair(parts: int) -> tuple[Table, Table]:
    """Tables whose partition can be in the object store."""
    return partitioned_pair(1, parts=parts, node=holding_node(), settings=HOLDABLE)


@TestScenario
@Requirements(RQ_SRS_032_ClickHouse_Alter_Table_ReplacePartition_Concurrent("1.0"))
@needs(Capability.FAILPOINTS)
def mutation_of_another_partition_is_not_waited_for(self):
    """The statement returns while a mutation of another partition is in progress."""
    with Given("two tables with different rows in the second partition"):
        source, destination = partitioned_pair(partitions=[2], parts=1)
        rows = contents(destination, partition=2)
        assert all(row[2] == f"{destination.name} {row[1]}" for row in rows), error()
        changed = [(*row[:2], "changed") for row in rows]

    with Given("a mutation of that partition that cannot go on"):
        change = f"ALTER TABLE {destination} UPDATE owner = 'changed' IN PARTITION 2 WHERE 1"
        mutation = running_mutation(destination, change, partition=2)

    with mutation as task:
        with Given(
            "different rows in the first partition, which the mutation has nothing to do with"
        ):
            for table in (source, destination):
                fill_and_check(table, [1])

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
        # A merge that was told to stop may read one more row.
        this().eventually(lambda: rows_read_by_merge(destination, partition=2) > read + 1)

    with And("the partition is the source's"):
        assert contents(destination, partition=1) == contents(source, partition=1), error()
