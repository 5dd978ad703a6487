"""Tables that are changed while REPLACE PARTITION is running, and sources that are being mutated."""

from functools import partial

from testflows.asserts import error
from testflows.core import Given, Requirements, TestScenario, Then, When

from helpers.cluster.capabilities import Capability
from helpers.cluster.client.background import Background
from helpers.scenario.context import this
from helpers.scenario.marks import deviates, needs
from helpers.scenario.violations import assert_no_violations
from requirements.srs032_replace_partition import (
    RQ_SRS_032_ClickHouse_Alter_Table_ReplacePartition_Concurrent_ColumnChanges,
    RQ_SRS_032_ClickHouse_Alter_Table_ReplacePartition_Concurrent_SourceMutations,
)
from steps.partitions import replace_partition
from steps.replace_partition import column_changes as changes
from steps.replace_partition.column_changes import all_columns, describe_extra, pair_with_extra
from steps.replace_partition.held_statements import (
    HOLDABLE,
    HOLDING,
    began_during,
    held_replace,
    holding_node,
    in_progress,
    running_mutation,
)
from steps.replace_partition.pending_alters import pending
from steps.replace_partition.requirement_names import not_tried
from steps.tables import Table

DEVIATIONS = "concurrent-source-changes"  # the beginning of their ids

# What leaves a mutation in progress.
MUTATIONS = (  # 7 variants
    changes.UPDATE,
    changes.DELETE,
    changes.MATERIALIZE,
    changes.CLEAR,
    changes.DROP,
    changes.RENAME,
    changes.MODIFY_TYPE,
)
COLUMN_CHANGES = (  # 6 variants
    changes.ADD,
    changes.DROP,
    changes.RENAME,
    changes.MODIFY_TYPE,
    changes.MODIFY_DEFAULT,
    changes.CLEAR,
)
WHAT_A_READER_SEES = "the destination has the rows that a reader of the source saw"
ONE_AFTER_THE_OTHER = "the rows are those of one statement after the other"
LOST = "its default instead of the column's values"


@TestScenario
@Requirements(RQ_SRS_032_ClickHouse_Alter_Table_ReplacePartition_Concurrent_SourceMutations("1.0"))
@needs(Capability.FAILPOINTS)
@deviates(
    step=WHAT_A_READER_SEES,
    observed={
        changes.RENAME.sql: LOST,
        changes.CLEAR.sql: "the column's values instead of its default",
    },
    reason="the parts are cloned as they are on disk, and what a mutation in progress would still do to "
    "them is known to the source only: the destination does not find the new name, and reads what "
    "was cleared",
    kind="bug",
    severity="data lost",
    upstream="https://github.com/ClickHouse/ClickHouse/pull/120320",
)
def source_is_being_mutated(self):
    """The parts of the source are being rewritten: its rows arrive as its readers see them."""
    with Given("every statement that the requirement names"):
        requirement = RQ_SRS_032_ClickHouse_Alter_Table_ReplacePartition_Concurrent_SourceMutations
        statements = [change.sql for change in MUTATIONS]
        assert not_tried(requirement, statements, apart_from=["REPLACE PARTITION"]) == [], error()

    violations = {}
    for change in MUTATIONS:
        with Given(f"two tables with the same columns: {change.sql}"):
            source, destination = pair_with_extra()
            rows = all_columns(source)
            if change.structural:
                destination.node.query(f"ALTER TABLE {destination} {change.sql}")

        with running_mutation(source, f"ALTER TABLE {source} {change.sql}") as task:
            with When("I replace the partition while the source's is being mutated"):
                seen = all_columns(source)
                visible = change.structural or change is changes.CLEAR
                assert seen == (change.applied(rows) if visible else rows), error()
                replace_partition(destination, source=source, partition=1)

            with Then("the mutation is still in progress"):
                assert in_progress(source) == [task], error()
                arrived = all_columns(destination)

        with When("the mutation goes on"):
            this().eventually(partial(all_columns, source), equals=change.applied(rows))
            this().eventually(partial(in_progress, source), equals=[])

        with Then("it does not reach the destination"):
            assert all_columns(destination) == arrived, error()
            if arrived != seen:
                violations[change.sql] = describe_extra(arrived, seen)

    with Then(WHAT_A_READER_SEES):
        assert_no_violations(violations)


def meets_replace(alter: Background, table: Table) -> bool:
    """Whether an ALTER has returned, or has registered its mutation."""
    return alter.done or bool(pending(table))


@TestScenario
@Requirements(RQ_SRS_032_ClickHouse_Alter_Table_ReplacePartition_Concurrent_ColumnChanges("1.0"))
@needs(*HOLDING)
@deviates(
    step=ONE_AFTER_THE_OTHER,
    observed={f"{changes.RENAME.sql} in the destination": LOST},
    reason="the clones get their numbers after the ALTER and so count as written after it, though they "
    "have the column by its former name: the renamed one is not found",
    kind="bug",
    severity="data lost",
)
def columns_are_changed_meanwhile(self):
    """ALTER of a column of either table, issued while REPLACE PARTITION is running."""
    violations = {}
    for change in COLUMN_CHANGES:
        for changed in ("source", "destination"):
            with Given(f"two tables and a running REPLACE PARTITION: {change.sql}"):
                source, destination = pair_with_extra(holding_node(), settings=HOLDABLE)
                table = source if changed == "source" else destination
                rows = all_columns(source)

            with (
                held_replace(destination, source=source) as replace,
                When(f"I alter the {changed}"),
            ):
                alter = table.node.background(f"ALTER TABLE {table} {change.sql}")
                # It has left a mutation to be done, or changed the table already: otherwise it would
                # come after REPLACE PARTITION.
                this().eventually(partial(meets_replace, alter, table))

            with Then("both succeed, and the source has its rows, changed if it was altered"):
                replace.wait()
                alter.wait()
                assert began_during(alter, replace), error()
                expected = change.applied(rows) if table is source else rows
                assert all_columns(source) == expected, error()

            after = change.applied(rows) if table is destination else rows
            before = {changes.CLEAR: {True: rows, False: change.applied(rows)}}.get(change, {})
            actual = all_columns(destination)
            if actual not in (after, before.get(table is destination)):
                violations[f"{change.sql} in the {changed}"] = describe_extra(actual, after)

    with Then(ONE_AFTER_THE_OTHER):
        assert_no_violations(violations)
