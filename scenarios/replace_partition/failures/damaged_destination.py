"""Damaged parts in the replaced partition of the destination."""

from testflows.asserts import error
from testflows.core import And, Given, Requirements, TestScenario, Then, When

from helpers.scenario.marks import deviates
from helpers.scenario.obligations import covers
from helpers.scenario.violations import assert_no_violations
from requirements.srs032_replace_partition import (
    RQ_SRS_032_ClickHouse_Alter_Table_ReplacePartition_Corrupted,
)
from steps.replace_partition.damaged_partitions import (
    CELLS,
    CHECK_FINDS_NOTHING,
    READS_RIGHT,
    accepted_cells,
    damage_partitions,
    damaged_partitions,
    is_healed,
    replace_all,
    sound_table,
)
from steps.tables import by_partition, contents

DEVIATIONS = "corrupted-destination"  # the beginning of their ids

# Only some versions write statistics by themselves; the cells of a deviation are the same in all of them.
CORRUPTED = [cell for cell in CELLS if not is_healed(cell) and cell.file != "statistics"]
# Files that CHECK TABLE does not look at.
UNCHECKED = ("metadata version", "default codec", "substreams")


@TestScenario
@Requirements(RQ_SRS_032_ClickHouse_Alter_Table_ReplacePartition_Corrupted("1.1"))
@deviates(
    step="every damaged one is answered with an error",
    observed={str(cell): f"accepted; {READS_RIGHT}; {CHECK_FINDS_NOTHING}" for cell in CORRUPTED},
    reason="the requirement is too strict: the parts of the destination are not looked at, only taken out "
    "of use, and to replace a damaged partition is how it is repaired",
    kind="requirement",
    severity="wrong refusal or acceptance",
    no_sql="it damages files of a part without the server's knowledge",
)
def damaged_destination_is_reported(self):
    """A damaged part in the replaced partition is reported, whatever is damaged in it.

    Reported or not: a partition that was replaced has the rows of the source, all of them readable.
    """
    with Given("a destination with one damage in each partition but the last"):
        source, rows = sound_table("source", CORRUPTED)
        destination, before = sound_table("destination", CORRUPTED)
        sound = len(CORRUPTED) + 1
        damages = damage_partitions(destination, CORRUPTED)

    with And("CHECK TABLE finds the damage wherever it looks"):
        visible = {n for n, cell in enumerate(CORRUPTED, 1) if cell.file not in UNCHECKED}
        assert damaged_partitions(destination) == visible, error()

    with When("I replace each damaged partition"):
        outcomes = replace_all(source, destination, CORRUPTED, damages)
        accepted = accepted_cells(CORRUPTED, outcomes, destination, rows)

    with Then("the source and the sound partition have what they had"):
        assert by_partition(source) == rows, error()
        assert contents(destination, partition=sound) == before[sound], error()

    with And("every damaged one is answered with an error"):
        covers(
            "partitions with compact parts",
            "partitions with wide parts",
            "partitions with compact and wide parts",
        )
        assert_no_violations({str(CORRUPTED[n - 1]): seen for n, seen in accepted.items()})
