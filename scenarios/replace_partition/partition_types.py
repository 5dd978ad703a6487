"""Every kind of partition in the source with every kind of partition in the destination."""

import itertools

from testflows.asserts import error
from testflows.core import And, Given, Requirements, TestScenario, Then, When

from helpers.violations import assert_no_violations
from requirements.srs032_replace_partition import (
    RQ_SRS_032_ClickHouse_Alter_Table_ReplacePartition_PartitionTypes,
)
from steps.part_kinds import (
    Kind,
    create_table_that_keeps_empty_parts,
    fill_with_kind,
    kinds,
)
from steps.partitions import replacing
from steps.refusals import attempt, state
from steps.tables import Table, contents, distinct, fill

BAD_ARGUMENTS = 36
NOTHING_TO_TAKE = "has no parts"
OTHER = 2


def table_of(kind: Kind, name: str) -> Table:
    """A table whose partition 1 is of this kind, with another partition beside it."""
    table = create_table_that_keeps_empty_parts(name)
    rows = fill_with_kind(table, kind) + fill(table, [OTHER])
    assert contents(table) == rows, f"the fixture {table} has other rows than were inserted"
    return table


def active_parts(table: Table) -> set[str]:
    """The names of the active parts of partition 1, those without rows included."""
    return distinct(
        table.node.column(
            "SELECT name FROM system.parts WHERE active AND partition_id = '1' "
            f"AND database = '{table.database}' AND table = '{table.name}'"
        )
    )


def wrong_result(source: Table, source_kind: Kind, destination_kind: Kind) -> str | None:
    """What is wrong with the result in one cell of the table, or None."""
    destination = table_of(destination_kind, "destination")
    before, other = state(destination), contents(destination, partition=OTHER)
    old_parts = active_parts(destination)
    outcome = attempt(destination.node, replacing(destination, source, 1))
    if source_kind is Kind.NONE:
        if outcome.code != BAD_ARGUMENTS or NOTHING_TO_TAKE not in outcome.message:
            return str(outcome)
        kept = state(destination) == before and active_parts(destination) == old_parts
        return None if kept else "refused, and the destination changed"
    if not outcome.accepted:
        return str(outcome)
    if contents(destination, partition=1) != contents(source, partition=1):
        return "the rows are not those of the source"
    if contents(destination, partition=OTHER) != other:
        return "another partition changed"
    new_parts = active_parts(destination)
    if new_parts & old_parts or len(new_parts) != len(active_parts(source)):
        return f"the active parts are {sorted(new_parts)}, where there were {sorted(old_parts)}"
    if (kind := kinds(destination, [1])[1]) is not source_kind:
        return f"the destination has {kind.value}"
    return None


@TestScenario
@Requirements(RQ_SRS_032_ClickHouse_Alter_Table_ReplacePartition_PartitionTypes("1.1"))
def all_combinations(self):
    """A source without parts is refused; any other one replaces, whatever the destination has."""
    with Given("a source of every kind"):
        sources = {kind: table_of(kind, "source") for kind in Kind}
        before = {kind: state(source) for kind, source in sources.items()}

    with When("I replace the partition of a destination of every kind from each of them"):
        reasons = {
            f"{ours.value} to {theirs.value}": wrong_result(sources[ours], ours, theirs)
            for ours, theirs in itertools.product(Kind, Kind)
        }

    with Then("all 25 combinations have the result that is asked for"):
        assert len(reasons) == 25, error()
        assert_no_violations({cell: reason for cell, reason in reasons.items() if reason})

    with And("the sources are what they were"):
        assert {kind: state(source) for kind, source in sources.items()} == before, error()
