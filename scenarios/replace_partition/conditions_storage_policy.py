"""The storage policies of source and destination, which have to be the same."""

import itertools

from testflows.core import And, Given, Requirements, TestScenario, Then, When

from helpers.cluster.node import Node
from helpers.context import this
from helpers.marks import deviates
from requirements.srs032_replace_partition import (
    RQ_SRS_032_ClickHouse_Alter_Table_ReplacePartition_Conditions,
    RQ_SRS_032_ClickHouse_Alter_Table_ReplacePartition_Conditions_Different_StoragePolicy,
)
from steps.conditions import (
    BAD_ARGUMENTS,
    Definition,
    Pair,
    expect_refusals,
    make_pair,
    wrong_refusals,
    wrong_replacements,
)

# The disks of each policy (configs/fragments/policies.xml); new parts go to the first one.
POLICIES = {
    "default": ("default",),
    "only_left": ("left",),
    "only_right": ("right",),
    "left_again": ("left",),
    "left_then_right": ("left", "right"),
    "right_then_left": ("right", "left"),
}
# Where the parts of a source lie: its policy and the disk they are on.
PLACES = [(policy, disk) for policy, disks in POLICIES.items() for disk in disks]
DIFFERENT = [
    (policy, disk, other)
    for (policy, disk), other in itertools.product(PLACES, POLICIES)
    if policy != other
]
REACHABLE = [cell for cell in DIFFERENT if cell[1] in POLICIES[cell[2]]]
UNREACHABLE = [cell for cell in DIFFERENT if cell not in REACHABLE]


def server() -> Node:
    return this().node("policies", fragments=("policies",))


def pair(policy: str, disk: str, other: str) -> Pair:
    """A source of this policy with its parts on this disk, and a destination of the other policy."""
    made = make_pair(
        f"{policy} on {disk} to {other}",
        Definition(settings={"storage_policy": policy}),
        Definition(settings={"storage_policy": other}),
        server(),
    )
    if disk != POLICIES[policy][0]:
        made.source.node.query(f"ALTER TABLE {made.source} MOVE PARTITION 1 TO DISK '{disk}'")
    return made


def check_refused(cells: list[tuple[str, str, str]]) -> None:
    with Given("pairs of tables with different policies"):
        pairs = [pair(*cell) for cell in cells]

    with When("I replace a partition in each of them"):
        wrong = wrong_refusals(pairs, BAD_ARGUMENTS, "disk does not belong to storage policy")

    with Then("every one is refused and the destination kept"):
        expect_refusals(pairs, wrong)


@TestScenario
@Requirements(
    RQ_SRS_032_ClickHouse_Alter_Table_ReplacePartition_Conditions("1.0"),
    RQ_SRS_032_ClickHouse_Alter_Table_ReplacePartition_Conditions_Different_StoragePolicy("1.0"),
)
def parts_on_a_disk_the_destination_lacks(self):
    """Different policies are refused where the destination's does not have the disk of the parts."""
    check_refused(UNREACHABLE)

    with And("tables of the same policy are replaced, on whichever of its disks the parts are"):
        wrong = wrong_replacements([pair(policy, disk, policy) for policy, disk in PLACES])
        assert not wrong, str(wrong)


@TestScenario
@Requirements(
    RQ_SRS_032_ClickHouse_Alter_Table_ReplacePartition_Conditions("1.0"),
    RQ_SRS_032_ClickHouse_Alter_Table_ReplacePartition_Conditions_Different_StoragePolicy("1.0"),
)
@deviates(
    step="every one is refused and the destination kept",
    effect=f"{len(REACHABLE)} of {len(REACHABLE)} wrong: all accepted and carried out",
    reason="policies are not compared: the partition is replaced as soon as the destination's policy "
    "has the disk on which the source's parts lie",
)
def parts_on_a_disk_in_common(self):
    """Different policies are refused also where they have the disk of the parts in common."""
    check_refused(REACHABLE)
