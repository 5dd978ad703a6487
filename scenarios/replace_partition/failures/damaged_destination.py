"""Damaged parts in the replaced partition of the destination."""

from testflows.asserts import error
from testflows.core import And, Given, Requirements, TestScenario, Then, When

from helpers.scenario.marks import deviates
from helpers.scenario.violations import assert_no_violations
from requirements.srs032_replace_partition import (
    RQ_SRS_032_ClickHouse_Alter_Table_ReplacePartition_Corrupted,
)
from steps.replace_partition.damaged_partitions import (
    CELLS,
    CHECK_FINDS_NOTHING,
    READS_RIGHT,
    Cell,
    accepted_cells,
    damage_partitions,
    damaged_partitions,
    replace_all,
    sound_table,
)
from steps.tables import by_partition, contents

DEVIATIONS = "corrupted-destination"  # the beginning of their ids

# Files that CHECK TABLE does not look at.
UNCHECKED = ("metadata version", "default codec", "substreams")


def is_made_anew(cell: Cell) -> bool:
    """What CHECK TABLE repairs: it writes missing checksums."""
    return (cell.file, cell.damage) == ("checksums", "removed")


def check_table_finds(cell: Cell) -> bool:
    return cell.file not in UNCHECKED and not is_made_anew(cell)


@TestScenario
@Requirements(RQ_SRS_032_ClickHouse_Alter_Table_ReplacePartition_Corrupted("1.0"))
@deviates(
    step="every damaged one is answered with an error",
    observed={str(cell): f"accepted; {READS_RIGHT}; {CHECK_FINDS_NOTHING}" for cell in CELLS},
    reason="the parts of the destination are not looked at, only taken out of use: no damage in "
    "them is noticed, and replacing a damaged partition repairs it",
    no_sql="it damages files of a part behind the server's back",
)
def damaged_destination_is_reported(self):
    """A damaged part in the replaced partition is reported, whatever is damaged in it.

    Reported or not: a partition that was replaced has the rows of the source, all of them readable.
    """
    with Given("a destination with one damage in each partition but the last"):
        source, rows = sound_table("source", CELLS)
        destination, before = sound_table("destination", CELLS)
        sound = len(CELLS) + 1
        damages = damage_partitions(destination, CELLS)

    with And("CHECK TABLE finds the damage wherever it looks"):
        visible = {number for number, cell in enumerate(CELLS, 1) if check_table_finds(cell)}
        assert damaged_partitions(destination) == visible, error()
        damages |= damage_partitions(destination, CELLS, is_made_anew)

    with When("I replace each damaged partition"):
        outcomes = replace_all(source, destination, CELLS, damages)
        violations = accepted_cells(CELLS, outcomes, destination, rows)

    with Then("the source and the sound partition have what they had"):
        assert by_partition(source) == rows, error()
        assert contents(destination, partition=sound) == before[sound], error()

    with And("every damaged one is answered with an error"):
        assert_no_violations(violations)
