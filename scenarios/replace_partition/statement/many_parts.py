"""Partitions of more parts than INSERT may leave in one."""

from testflows.asserts import error
from testflows.core import And, Given, Requirements, TestScenario, Then, When

from helpers.scenario.marks import time_limit
from requirements.srs032_replace_partition import (
    RQ_SRS_032_ClickHouse_Alter_Table_ReplacePartition_ManyParts,
)
from steps.partitions import replace_partition
from steps.parts import parts
from steps.replace_partition.clone_progress import many_parts
from steps.tables import NO_MERGES, contents, create_table, fill

PARTS = 1001
# INSERT is refused where a partition has more parts than this.
LIMIT = 5
TOO_MANY_PARTS = 252


@TestScenario
@Requirements(RQ_SRS_032_ClickHouse_Alter_Table_ReplacePartition_ManyParts("1.0"))
@time_limit(300)
def more_parts_than_insert_may_leave(self):
    """More than a thousand parts are taken over; the limit is one for INSERT, and holds afterwards."""
    with Given(f"a source of {PARTS} parts and a destination that takes {LIMIT} from INSERT"):
        source = many_parts("source", PARTS)
        settings = {**NO_MERGES, "parts_to_throw_insert": LIMIT}
        destination = create_table("destination", settings=settings)
        fill(destination, [1, 2], parts=LIMIT - 1)
        new, kept = contents(source), contents(destination, partition=2)
        node = destination.node

    with When("I replace the partition"):
        replace_partition(destination, source=source, partition=1)

    with Then("every part and every row is there, and another partition is what it was"):
        assert len(parts(destination, partition=1)) == PARTS, error()
        assert contents(destination) == new + kept, error()

    with And("INSERT is refused, because there are too many parts"):
        node.fails(f"INSERT INTO {destination} SELECT 1, 1, 'more'", code=TOO_MANY_PARTS)
        assert contents(destination) == new + kept, error()

    with When("I replace it once more, this time by fewer parts"):
        fewer = create_table("fewer")
        fill(fewer, [1])
        replace_partition(destination, source=fewer, partition=1)

    with Then("the many parts are gone, and INSERT works again"):
        assert contents(destination) == contents(fewer) + kept, error()
        node.query(f"INSERT INTO {destination} SELECT 1, 2000000, 'more'")
        expected = [*contents(fewer), (1, 2000000, "more")]
        assert contents(destination, partition=1) == expected, error()
