"""The storage policies of source and destination, which have to be the same."""

import itertools
from collections.abc import Sequence

from testflows.core import And, Given, Requirements, TestOutline, TestScenario, Then, When

from helpers.cluster.node import Node
from helpers.scenario.context import this
from helpers.scenario.marks import deviates
from helpers.scenario.obligations import covers
from helpers.scenario.violations import assert_no_violations
from requirements.srs032_replace_partition import (
    RQ_SRS_032_ClickHouse_Alter_Table_ReplacePartition_Conditions,
    RQ_SRS_032_ClickHouse_Alter_Table_ReplacePartition_Conditions_Different_StoragePolicy,
)
from steps.replace_partition.conditions import (
    BAD_ARGUMENTS,
    REPLACED,
    Definition,
    Filled,
    Pair,
    make,
    not_refused,
    not_replaced,
)
from steps.storage import disks_of

DEVIATIONS = "conditions-storage-policy"  # the beginning of their ids

# The disks of each policy (configs/fragments/policies.xml); new parts go to the first one.
POLICIES = {  # 6 variants
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


def name_of(policy: str, disk: str, other: str) -> str:
    return f"{policy} on {disk} to {other}"


def make_pairs(cells: Sequence[tuple[str, str, str]]) -> list[Pair]:
    """A source for each place, a destination for each policy, and the pairs of the cells.

    Each has rows of its own, so that a destination can be replaced several times.
    """
    sources, destinations = {}, {}
    for number, (policy, disk) in enumerate(PLACES):
        source = with_policy(policy, "source", 100 * number)
        if disk != POLICIES[policy][0]:
            move = f"ALTER TABLE {source.table} MOVE PARTITION 1 TO DISK '{disk}'"
            source.table.node.query(move)
        assert set(disks_of(source.table)[1].values()) == {disk}, f"{source} is not on {disk}"
        sources[policy, disk] = source
    for number, policy in enumerate(POLICIES, start=len(PLACES)):
        destination = with_policy(policy, "destination", 100 * number)
        disks = set(disks_of(destination.table)[1].values())
        assert disks == {POLICIES[policy][0]}, f"{destination} is on {disks}"
        destinations[policy] = destination
    return [
        Pair(name_of(policy, disk, other), sources[policy, disk], destinations[other])
        for policy, disk, other in cells
    ]


def with_policy(policy: str, name: str, start: int) -> Filled:
    """A table that has this policy."""
    filled = make(Definition(settings={"storage_policy": policy}), name, start, server())
    table = filled.table
    in_force = table.node.value(
        "SELECT storage_policy FROM system.tables "
        f"WHERE database = '{table.database}' AND name = '{table.name}'"
    )
    assert in_force == policy, f"{table} has the policy {in_force}"
    return filled


@TestOutline
def different_policies_are_refused(self, *, cells):
    """Tables of these policies are refused, whatever disk the parts of the source are on."""
    with Given("pairs of tables with different policies"):
        pairs = make_pairs(cells)

    with When("I replace a partition in each of them"):
        violations = not_refused(pairs, BAD_ARGUMENTS, "disk does not belong to storage policy")

    with Then("every one is refused and both tables are kept"):
        covers("their storage policy is the same")
        assert_no_violations(violations)


@TestScenario
@Requirements(
    RQ_SRS_032_ClickHouse_Alter_Table_ReplacePartition_Conditions("1.0"),
    RQ_SRS_032_ClickHouse_Alter_Table_ReplacePartition_Conditions_Different_StoragePolicy("1.0"),
)
def parts_on_a_disk_the_destination_lacks(self):
    """Different policies are refused where the destination's does not have the disk of the parts."""
    different_policies_are_refused(cells=UNREACHABLE)

    with And("tables of the same policy are replaced, on whichever of its disks the parts are"):
        assert_no_violations(not_replaced(make_pairs([(*place, place[0]) for place in PLACES])))


@TestScenario
@Requirements(
    RQ_SRS_032_ClickHouse_Alter_Table_ReplacePartition_Conditions("1.0"),
    RQ_SRS_032_ClickHouse_Alter_Table_ReplacePartition_Conditions_Different_StoragePolicy("1.0"),
)
@deviates(
    step="every one is refused and both tables are kept",
    observed={name_of(*cell): REPLACED for cell in REACHABLE},
    reason="policies are not compared: the partition is replaced as soon as the destination's policy "
    "has the disk on which the source's parts lie, and the documentation asks for no more",
    kind="by design",
    severity="wrong refusal or acceptance",
    upstream="https://clickhouse.com/docs/sql-reference/statements/alter/partition#replace-partition",
)
def parts_on_a_disk_in_common(self):
    """Different policies are refused also where they have the disk of the parts in common."""
    different_policies_are_refused(cells=REACHABLE)
