"""Every kind of partition in the source with every kind of partition in the destination."""

import itertools

from testflows.asserts import error
from testflows.core import And, Given, Requirements, TestScenario, Then, When

from helpers.cluster.client.session import Row
from helpers.scenario.obligations import covers
from helpers.scenario.violations import assert_no_violations
from requirements.srs032_replace_partition import (
    RQ_SRS_032_ClickHouse_Alter_Table_ReplacePartition_PartitionTypes,
)
from steps.partitions import replacing
from steps.refusals import attempt, state, wrong_refusal
from steps.replace_partition.part_kinds import (
    PartKind,
    create_table_that_keeps_empty_parts,
    fill_with_kind,
    kinds,
)
from steps.tables import Table, contents, distinct, fill

BAD_ARGUMENTS = 36
NOTHING_TO_TAKE = "has no parts"
OTHER = 2
PARTS = {PartKind.COMPACT: 1, PartKind.WIDE: 1, PartKind.MIXED: 2, PartKind.EMPTY: 1}


def table_of(kind: PartKind, name: str) -> tuple[Table, list[Row]]:
    """A table whose partition 1 is of this kind, and the rows of another partition."""
    table = create_table_that_keeps_empty_parts(name)
    rows, others = fill_with_kind(table, kind), fill(table, [OTHER])
    assert contents(table) == rows + others, f"the fixture {table} has other rows than inserted"
    return table, others


def parts_by_activity(table: Table) -> tuple[set[str], set[str]]:
    """The active and the outdated parts of partition 1, those without rows included."""
    listed = table.node.query(
        "SELECT name, active FROM system.parts WHERE partition_id = '1' "
        f"AND database = '{table.database}' AND table = '{table.name}'"
    )
    active, outdated = (
        distinct([name for name, is_active in listed if is_active == state]) for state in (1, 0)
    )
    assert len(active) + len(outdated) == len(listed), f"the parts of {table}: {listed}"
    return active, outdated


def wrong_result(source: Table, source_kind: PartKind, destination_kind: PartKind) -> str | None:
    """What is wrong with the result in one cell of the table, or None."""
    destination, others = table_of(destination_kind, "destination")
    old, _ = parts_by_activity(destination)
    sql = replacing(destination, source, 1)
    if source_kind is PartKind.NONE:
        wrong = wrong_refusal(destination, sql, code=BAD_ARGUMENTS, text=NOTHING_TO_TAKE)
        kept = parts_by_activity(destination)[0] == old
        return wrong or (None if kept else "refused, and the destination has other parts")
    outcome = attempt(destination.node, sql)
    if not outcome.accepted:
        return str(outcome)
    if contents(destination) != contents(source, partition=1) + others:
        return "the rows are not those of the source and of the other partition"
    new, outdated = parts_by_activity(destination)
    if not old <= outdated or len(new) != PARTS[source_kind]:
        return f"the parts are {sorted(new)}, where there were {sorted(old)}"
    if (kind := kinds(destination, [1])[1]) is not source_kind:
        return f"the destination has {kind.value}"
    return None


@TestScenario
@Requirements(RQ_SRS_032_ClickHouse_Alter_Table_ReplacePartition_PartitionTypes("1.1"))
def all_combinations(self):
    """A source without parts is refused; any other one replaces, whatever the destination has."""
    with Given("a source of every kind"):
        sources = {kind: table_of(kind, "source")[0] for kind in PartKind}
        before = {kind: state(source) for kind, source in sources.items()}

    with When("I replace the partition of a destination of every kind from each of them"):
        reasons = {
            f"{ours.value} to {theirs.value}": wrong_result(sources[ours], ours, theirs)
            for ours, theirs in itertools.product(PartKind, PartKind)
        }

    with Then("all 25 combinations have the result that is asked for"):
        covers(
            "compact parts only",
            "wide parts only",
            "compact and wide parts",
            "no parts",
            "empty parts",
        )
        assert len(reasons) == 25, error()
        assert_no_violations({cell: reason for cell, reason in reasons.items() if reason})

    with And("the sources are what they were"):
        assert {kind: state(source) for kind, source in sources.items()} == before, error()
