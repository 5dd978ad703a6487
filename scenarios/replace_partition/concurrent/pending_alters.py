"""ALTERs that have not been carried out in the parts yet when a partition is replaced."""

from functools import partial

from testflows.asserts import error
from testflows.core import And, Given, Requirements, TestOutline, TestScenario, Then, When

from helpers.scenario.context import this
from helpers.scenario.marks import deviates, equivalent
from helpers.scenario.violations import assert_no_violations
from requirements.srs032_replace_partition import (
    RQ_SRS_032_ClickHouse_Alter_Table_ReplacePartition,
    RQ_SRS_032_ClickHouse_Alter_Table_ReplacePartition_PendingAlter,
)
from steps.background_changes import in_background
from steps.partitions import replace_partition
from steps.refusals import attempt
from steps.replace_partition.pending_alters import (
    CASES,
    carry_out,
    pending,
    replace_while_pending,
    violations_of,
)
from steps.replace_partition.requirement_names import not_tried
from steps.table_parts.part_life import FORMATS
from steps.tables import by_partition, create_table, insert

STAY = "the rows are those that the source had, and they stay"
STALE = {
    "RENAME COLUMN": "[(0, 21), (0, 22)] instead of [(11, 21), (12, 22)]",
    "DROP COLUMN and ADD COLUMN": "[(11, 21), (12, 22)] instead of [(8, 21), (8, 22)]",
    "CLEAR COLUMN": "[(11, 21), (12, 22)] instead of [(0, 21), (0, 22)]",
    "CLEAR COLUMN IN PARTITION": "[(11, 21), (12, 22)] instead of [(0, 21), (0, 22)]",
    "DROP INDEX and ADD INDEX, by index": "[] instead of [(12, 22)]",
}
STALE_REASON = (
    "REPLACE PARTITION clones the files of the source's parts as they are, without the mutations that are "
    "pending for them: a renamed column is empty in the destination, dropped and cleared values are back, "
    "and an index of the old column under the new one's name hides rows for good"
)

# What was dropped, cleared or renamed in the source is not so in the destination.
stale = deviates(
    id="pending-alters.in-the-source",
    step=STAY,
    observed=STALE,
    reason=STALE_REASON,
    kind="bug",
    severity="data lost",
    upstream="https://github.com/ClickHouse/ClickHouse/pull/120320",
)


@TestOutline
def pending_alter_makes_no_difference(self, *, sides):
    """The rows that the source shows arrive and stay, though ALTERs are pending on these sides."""
    with Given("every ALTER that the requirement names"):
        requirement = RQ_SRS_032_ClickHouse_Alter_Table_ReplacePartition_PendingAlter
        names = [case.name for case in CASES]
        assert not_tried(requirement, names, apart_from=["ALTER", "DEFAULT"]) == [], error()

    with When(f"I replace a partition while an ALTER is pending in {' and '.join(sides)}"):
        trials = [replace_while_pending(case, sides) for case in CASES]

    with And("the ALTERs are carried out"):
        carry_out(trials)
        violations: dict[str, str] = {}
        for trial in trials:
            violations |= violations_of(trial)

    with Then(STAY):
        assert_no_violations(violations)


@TestScenario
@Requirements(
    RQ_SRS_032_ClickHouse_Alter_Table_ReplacePartition("1.0"),
    RQ_SRS_032_ClickHouse_Alter_Table_ReplacePartition_PendingAlter("1.0"),
)
@stale
def in_the_source(self):
    """What a reader of the source sees is what arrives, whatever its parts still hold."""
    pending_alter_makes_no_difference(sides=["source"])


@TestScenario
@Requirements(
    RQ_SRS_032_ClickHouse_Alter_Table_ReplacePartition("1.0"),
    RQ_SRS_032_ClickHouse_Alter_Table_ReplacePartition_PendingAlter("1.0"),
)
@equivalent(
    mutant="omit[use_skip_indexes]",
    statement="w = 22",
    reason="the index of the destination is right: with it and without it the same row is found",
)
def in_the_destination(self):
    """What is still to be done to the destination's old parts is not done to the new ones."""
    pending_alter_makes_no_difference(sides=["destination"])


@TestScenario
@Requirements(
    RQ_SRS_032_ClickHouse_Alter_Table_ReplacePartition("1.0"),
    RQ_SRS_032_ClickHouse_Alter_Table_ReplacePartition_PendingAlter("1.0"),
)
@stale
def in_both(self):
    """The same ALTER pending in both tables makes no difference."""
    pending_alter_makes_no_difference(sides=["source", "destination"])


@TestScenario
@Requirements(
    RQ_SRS_032_ClickHouse_Alter_Table_ReplacePartition("1.0"),
    RQ_SRS_032_ClickHouse_Alter_Table_ReplacePartition_PendingAlter("1.0"),
)
@deviates(
    step="the column has the values that the source has",
    observed={"DEFAULT": "z is 7 instead of 5", "MATERIALIZED": "z is 7 instead of 5"},
    reason="the parts of the source do not hold the column, the destination computes it from its own "
    "expression, and a difference between the expressions is no reason for a refusal",
    kind="bug",
    severity="wrong answer",
)
def column_added_later_with_another_default(self):
    """Values that the source computes when it is read arrive as they are read there."""
    kinds = ("DEFAULT", "MATERIALIZED")
    violations = {}
    for kind in kinds:
        with Given(f"two tables with a column added later, with another {kind} in each"):
            source, destination = (create_table(name, settings={}) for name in ("source", "other"))
            for table, added in ((source, 5), (destination, 7)):
                insert(table, [(1, added, table.name)])
                table.node.query(f"ALTER TABLE {table} ADD COLUMN z UInt64 {kind} {added}")
            read = f"SELECT p, i, owner, z FROM {source}"
            expected = source.node.query(read)
            assert expected == [(1, 5, source.name, 5)], error()

        with When("I replace the partition"):
            replace_partition(destination, source=source, partition=1)
            actual = destination.node.query(read.replace(str(source), str(destination)))
            assert [row[:3] for row in actual] == [row[:3] for row in expected], error()
            if actual != expected:
                violations[kind] = f"z is {actual[0][3]} instead of {expected[0][3]}"

    with Then("the column has the values that the source has"):
        assert_no_violations(violations)


READABLE = "every read succeeds, and the rows are those that the tables had"
BETWEEN = 50


@TestScenario
@Requirements(
    RQ_SRS_032_ClickHouse_Alter_Table_ReplacePartition("1.0"),
    RQ_SRS_032_ClickHouse_Alter_Table_ReplacePartition_PendingAlter("1.0"),
)
def both_ways_beside_a_detached_partition(self):
    """A column is being dropped in two tables, each replaces a partition from the other, another partition is
    detached and attached: every row can be read and counted, before and after the columns are gone."""
    columns = f"p UInt64, i UInt64, {', '.join(f'c{n} UInt64' for n in range(BETWEEN))}"
    values = ", ".join(f"number + {n}" for n in range(BETWEEN))
    violations: dict[str, object] = {}
    for kind, settings in FORMATS.items():
        with Given(
            f"two tables of many columns, in both of which a column waits to be dropped, {kind}"
        ):
            tables = [create_table(name, columns=columns, settings=settings) for name in "ab"]
            for base, table in enumerate(tables):
                table.node.query(
                    f"INSERT INTO {table} SELECT number % 3, 100 * {base} + number, {values} "
                    "FROM numbers(30)"
                )
                table.node.query(f"SYSTEM STOP MERGES {table}")
                drop = f"ALTER TABLE {table} DROP COLUMN c{BETWEEN // 2}"
                table.node.query(drop, settings=in_background(drop))
                assert pending(table) == [f"(DROP COLUMN c{BETWEEN // 2})"], error()
            first, second = tables
            of_first, of_second = (by_partition(table) for table in tables)

        with When("each replaces a partition from the other, and a third one goes and comes back"):
            replace_partition(first, source=second, partition=0)
            replace_partition(second, source=first, partition=1)
            for table in tables:
                for command in ("DETACH PARTITION 2", "ATTACH PARTITION 2"):
                    table.node.query(f"ALTER TABLE {table} {command}")

        expected = [
            {0: of_second[0], 1: of_first[1], 2: of_first[2]},
            {0: of_second[0], 1: of_first[1], 2: of_second[2]},
        ]
        for moment in ("before", "after"):
            with And(f"I read and count all rows {moment} the column is gone"):
                for table, rows in zip(tables, expected, strict=True):
                    if moment == "after":
                        table.node.query(f"SYSTEM START MERGES {table}")
                        this().eventually(partial(pending, table), equals=[])
                    found = attempt(table.node, f"SELECT count() FROM {table}")
                    if not found.accepted:
                        violations[f"{kind}, {table.name}, {moment}"] = found
                    elif by_partition(table) != rows:
                        violations[f"{kind}, {table.name}, {moment}"] = "other rows"

    with Then(READABLE):
        assert_no_violations(violations)
