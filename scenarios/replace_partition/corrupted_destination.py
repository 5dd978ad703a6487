"""Damaged parts in the replaced partition of the destination."""

from testflows.asserts import error
from testflows.core import And, Given, Requirements, TestScenario, Then, When

from helpers.marks import deviates
from requirements.srs032_replace_partition import (
    RQ_SRS_032_ClickHouse_Alter_Table_ReplacePartition_Corrupted,
)
from steps.corruption import (
    CELLS,
    all_accepted,
    damage_partitions,
    expect_errors,
    replace_all,
    sound_pair,
)


@TestScenario
@Requirements(RQ_SRS_032_ClickHouse_Alter_Table_ReplacePartition_Corrupted("1.0"))
@deviates(
    step="every one is answered with an error",
    effect=all_accepted(CELLS),
    reason="the parts of the destination are not looked at, only taken out of use: no damage in "
    "them is noticed, and replacing a damaged partition repairs it",
)
def damaged_destination_is_reported(self):
    """A damaged part in the replaced partition is reported, whatever is damaged in it.

    Reported or not: a partition that was replaced has the rows of the source, all of them readable.
    """
    with Given("a destination with one damage in each partition"):
        source, destination = sound_pair(CELLS)
        damage_partitions(destination, CELLS)

    with When("I replace each partition"):
        outcomes = replace_all(source, destination, CELLS)

    with Then("what was replaced has exactly the rows of the source"):
        numbers = [str(number) for number, one in enumerate(outcomes, 1) if one.accepted]
        replaced = f"WHERE p IN ({', '.join(numbers) or '0'}) ORDER BY ALL"
        rows = destination.node.query(f"SELECT * FROM {destination} {replaced}")
        assert rows == source.node.query(f"SELECT * FROM {source} {replaced}"), error()

    with And("every one is answered with an error"):
        expect_errors(CELLS, outcomes)
