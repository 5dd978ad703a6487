"""A partition that the source does not have is refused, and nothing is lost."""

from collections.abc import Mapping
from functools import partial

from testflows.asserts import error
from testflows.core import And, Given, Requirements, TestScenario, Then, When

from helpers.scenario.marks import deviates
from helpers.scenario.violations import assert_no_violations
from requirements.srs032_replace_partition import (
    RQ_SRS_032_ClickHouse_Alter_Table_ReplacePartition_NonExistentPartition,
)
from steps.partitions import replace_partition, replacing
from steps.refusals import Refusal, wrong_refusals
from steps.tables import (
    Table,
    contents,
    create_table,
    divided,
    fill,
    insert,
    one_part_pair,
)

BAD_ARGUMENTS, NO_PARTS = 36, "has no parts in partition 21"
# How a source can lose a partition that it had; {other} is a table like it.
LOST = {
    "never there": "",
    "dropped": "ALTER TABLE {source} DROP PARTITION 21",
    "detached": "ALTER TABLE {source} DETACH PARTITION 21",
    "truncated": "TRUNCATE TABLE {source}",
}
MOVED = {"moved away": "ALTER TABLE {source} MOVE PARTITION 21 TO TABLE {other}"}
BEFORE_26_6 = (
    "servers before 26.6 take a partition that the source has not for an empty one: the partition of "
    "the destination is dropped"
)


def sources_without_partition(ways: Mapping[str, str]) -> dict[str, Table]:
    """A source for each way to have no partition 21; it had one before, if it could lose it."""
    sources = {}
    for how, statement in ways.items():
        source, other = (create_table(name, settings={}) for name in ("source", "other"))
        rows = [(21 if statement else 1, 1, source.name)]
        insert(source, rows)
        assert contents(source) == rows, f"{source} has nothing to lose"
        assert bool(contents(source, partition=21)) == bool(statement), f"{how}: {source}"
        if statement:
            source.node.query(statement.format(source=source, other=other))
        assert contents(source, partition=21) == [], f"{source} still has the partition"
        sources[how] = source
    return sources


def not_refused(sources: Mapping[str, Table], destination: Table) -> dict[str, str]:
    """The sources from which replacing the partition is not refused as it has to be."""
    return wrong_refusals(
        destination,
        {
            how: Refusal(replacing(destination, source, 21), BAD_ARGUMENTS, NO_PARTS)
            for how, source in sources.items()
        },
    )


@TestScenario
@Requirements(RQ_SRS_032_ClickHouse_Alter_Table_ReplacePartition_NonExistentPartition("1.0"))
def only_the_destination_has_it(self):
    """The destination keeps a partition that the source cannot replace, however it came to lack it."""
    with Given("sources without a partition that the destination has"):
        sources = sources_without_partition(LOST)
        destination = create_table("destination", settings={})
        fill(destination, [1, 21])

    with When("I try to replace it from each of them"):
        wrong = not_refused(sources, destination)

    with Then("every statement is refused, and the destination has all its rows and parts"):
        assert_no_violations(wrong)

    with And("a partition that such a source has is taken from it"):
        kept = contents(destination, partition=21)
        source = sources["never there"]
        replace_partition(destination, source=source, partition=1)
        assert contents(destination) == contents(source) + kept, error()


@TestScenario
@Requirements(RQ_SRS_032_ClickHouse_Alter_Table_ReplacePartition_NonExistentPartition("1.0"))
@deviates(
    step="the statement is refused and the destination kept",
    observed={"moved away": "accepted and carried out"},
    reason="MOVE PARTITION TO TABLE leaves an empty part in the source, which counts as the partition: "
    "the destination loses all rows of its own",
    kind="bug",
    severity="data lost",
    upstream="https://github.com/ClickHouse/ClickHouse/pull/104939",
)
def partition_that_was_moved_away(self):
    """The destination keeps a partition that the source has given to another table."""
    with Given("a source whose partition was moved to another table, and a destination"):
        sources = sources_without_partition(MOVED)
        destination = create_table("destination", settings={})
        rows = divided(fill(destination, [1, 21]))

    with When("I try to replace the partition"):
        wrong = not_refused(sources, destination)

    with Then("the other partition is kept in any case, and of this one all rows or none"):
        assert contents(destination) == rows[1] + ([] if wrong else rows[21]), error()

    with And("the statement is refused and the destination kept"):
        assert_no_violations(wrong)


@TestScenario
@Requirements(RQ_SRS_032_ClickHouse_Alter_Table_ReplacePartition_NonExistentPartition("1.0"))
def neither_table_has_it(self):
    """A partition that exists nowhere is refused too, and both tables stay as they were."""
    with Given("two tables without the partition"):
        source, destination = one_part_pair(partitions=2)
        before = contents(source)

    with When("I try to replace it"):
        wrong = not_refused({"nowhere": source}, destination)

    with Then("it is refused and the destination kept"):
        assert_no_violations(wrong)

    with And("the source kept, too"):
        assert contents(source) == before, error()


before_26_6 = partial(
    deviates,
    when="clickhouse < 26.6",
    id="non-existent-partition.only-the-destination-has-it",
    reason=BEFORE_26_6,
    kind="bug",
    severity="data lost",
    upstream="https://github.com/ClickHouse/ClickHouse/issues/23727",
)
before_26_6(
    step="every statement is refused, and the destination has all its rows and parts",
    observed={
        "never there": "accepted and carried out",
        **dict.fromkeys(("detached", "dropped", "truncated"), "accepted, but nothing was replaced"),
    },
)(only_the_destination_has_it)
before_26_6(
    step="it is refused and the destination kept",
    observed={"nowhere": "accepted, but nothing was replaced"},
)(neither_table_has_it)
