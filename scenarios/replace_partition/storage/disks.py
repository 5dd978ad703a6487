"""Source and destination on different disks of one storage policy."""

from testflows.asserts import error
from testflows.core import And, Given, Requirements, TestScenario, Then, When

from helpers.scenario.context import this
from requirements.srs032_replace_partition import (
    RQ_SRS_032_ClickHouse_Alter_Table_ReplacePartition_Disks,
)
from steps.partitions import replace_partition
from steps.restarts import restart
from steps.storage import (
    UNTOUCHED,
    cells,
    disks_of,
    lay_out,
    place,
    replace_cells,
    stored_table,
)
from steps.tables import contents, drop_table, insert

# Where a partition may lie under each policy of configs/fragments/disks.xml: one part on each disk named.
POLICIES = {  # 5 variants
    "single": (("one",),),
    "jbod": (("one",), ("two",), ("one", "two")),
    "tiered": (("one",), ("two",), ("one", "two")),
    "jbod_and_tier": (("one",), ("two",), ("three",), ("one", "two", "three")),
    "with_default": (("default",), ("three",), ("default", "three")),
}


@TestScenario
@Requirements(RQ_SRS_032_ClickHouse_Alter_Table_ReplacePartition_Disks("1.1"))
def every_placement_under_every_policy(self):
    """Whatever disks of their policy the two partitions lie on, one takes the other's place."""
    node = this().node("disks", fragments=("disks",))
    wrong, replaced = [], []

    for policy, places in POLICIES.items():
        with Given(f"two tables of the policy {policy} with a partition for every placement"):
            matrix = cells(places)
            source, destination = lay_out(node, policy, matrix)

        with When("I replace each of these partitions"):
            wrong += [f"{policy}, {cell}" for cell in replace_cells(matrix, source, destination)]
            replaced.append((policy, destination, contents(destination)))

    with Then("every one has the rows of the source, and nothing else has changed"):
        assert wrong == [], error()

    with And("all of them are there when the disks are read anew"):
        restart(node)
        differ = [policy for policy, table, rows in replaced if contents(table) != rows]
        assert differ == [], error()


@TestScenario
@Requirements(RQ_SRS_032_ClickHouse_Alter_Table_ReplacePartition_Disks("1.1"))
def replaced_partition_moves_on(self):
    """A partition that came from another disk can be moved to any disk of the policy, and outlives
    the table it came from."""
    with Given("a source on the second disk and a destination on the first"):
        node = this().node("disks", fragments=("disks",))
        source, destination = (stored_table(name, node, "tiered") for name in ("one", "other"))
        place(source, {1: ("two",)})
        place(destination, {1: ("one",)})
        expected = contents(source, partition=1)
        untouched = contents(destination, partition=UNTOUCHED)

    with When("I replace the partition and drop the source"):
        replace_partition(destination, source=source, partition=1)
        drop_table(source)

    for disk in ("one", "two", "one"):
        with And(f"I move the partition to the disk {disk}"):
            node.query(f"ALTER TABLE {destination} MOVE PARTITION 1 TO DISK '{disk}'")

        with Then("it lies there"):
            assert list(disks_of(destination)[1].values()) == [disk], error()

        with And("it has the rows of the source"):
            assert contents(destination, partition=1) == expected, error()

    with And("new rows go where the policy sends them, next to the replaced ones"):
        new = [(1, number, "new") for number in range(5)]
        insert(destination, new)
        assert list(disks_of(destination)[1].values()) == ["one", "one"], error()
        assert contents(destination, partition=1) == sorted([*expected, *new]), error()

    with And("the other partition has what it had all the while"):
        assert contents(destination, partition=UNTOUCHED) == untouched, error()
