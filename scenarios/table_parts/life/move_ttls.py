"""TTLs that move parts and are set later: parts that are there go to the disk of the TTL that came last."""

from functools import partial

from testflows.asserts import error
from testflows.core import And, Given, Requirements, TestScenario, Then, When

from helpers.cluster.node import Node
from helpers.scenario.context import this
from requirements.srs102_table_parts import RQ_SRS_102_ClickHouse_TableParts_Move_ChangedTTL
from steps.background_changes import UNTIL_DONE
from steps.storage import disks_of
from steps.table_parts.part_life import in_background
from steps.tables import NO_MERGES, Table, contents, create_table

COLUMNS = "p UInt64, i UInt64, time DateTime"
# Hours that have passed since the time of the rows of each partition.
PASSED = {1: 0, 2: 2, 3: 48}  # 3 variants
HOUR_AND_DAY = (
    "MODIFY TTL time + INTERVAL 1 HOUR TO DISK 'two', time + INTERVAL 1 DAY TO DISK 'three'"
)
WITHOUT = {"materialize_ttl_after_modify": 0}
STAY = {1: "one", 2: "one", 3: "one"}
MOVED = {1: "one", 2: "two", 3: "three"}


def parts_without_ttl(node: Node) -> Table:
    """A table of the policy with three disks, whose parts lie on the first one."""
    table = create_table(
        "timed",
        node=node,
        columns=COLUMNS,
        settings={**NO_MERGES, "storage_policy": "jbod_and_tier"},
    )
    for partition, hours in PASSED.items():
        table.node.query(
            f"INSERT INTO {table} SELECT {partition}, number, now() - INTERVAL {hours} HOUR "
            "FROM numbers(3)"
        )
        if disk(table)[partition] != "one":
            table.node.query(f"ALTER TABLE {table} MOVE PARTITION {partition} TO DISK 'one'")
    assert disk(table) == STAY, error()
    return table


def disk(table: Table) -> dict[int, str]:
    """The disk of the one part of each partition."""
    found = {}
    for partition, of_parts in disks_of(table).items():
        (found[partition],) = of_parts.values()
    return found


@TestScenario
@Requirements(RQ_SRS_102_ClickHouse_TableParts_Move_ChangedTTL("1.0"))
def ttl_of_parts_that_are_there(self):
    """MODIFY TTL moves the parts of before: each to the disk of the TTL whose time came last."""
    node = this().node("disks", fragments=("disks", "tidy"))
    with Given("tables with parts on the first disk, and no TTL"):
        modified, materialized = parts_without_ttl(node), parts_without_ttl(node)
        rows = {table: contents(table) for table in (modified, materialized)}

    with When("I set two TTLs, for one of the tables without its parts"):
        node.query(f"ALTER TABLE {materialized} {HOUR_AND_DAY}", settings=WITHOUT)
        node.query(f"ALTER TABLE {modified} {HOUR_AND_DAY}", settings=UNTIL_DONE)

    with Then("the parts of the other one are moved, each to its disk"):
        in_background(partial(disk, modified), equals=MOVED)

    with And("those of the first stay, until its TTL is materialized"):
        assert disk(materialized) == STAY, error()
        node.query(f"ALTER TABLE {materialized} MATERIALIZE TTL", settings=UNTIL_DONE)
        in_background(partial(disk, materialized), equals=MOVED)

    with And("no row has changed"):
        assert {table: contents(table) for table in rows} == rows, error()

    with When("the time of rows is set back to now"):
        update = f"ALTER TABLE {modified} UPDATE time = now() WHERE p = 3"
        node.query(update, settings=UNTIL_DONE)

    with Then("the part stays where it is: no TTL brings parts back"):
        assert disk(modified) == MOVED, error()
        young = f"SELECT p, count() FROM {modified} WHERE time > now() - 1800 GROUP BY p ORDER BY p"
        assert node.query(young) == [(1, 3), (3, 3)], error()
