"""Parts that are moved to another disk, by a command or because their time has come."""

import time
from collections.abc import Callable

from testflows.asserts import error
from testflows.core import And, Given, Requirements, TestOutline, TestScenario, Then, When

from helpers.cluster.capabilities import Capability
from helpers.cluster.node import Node
from helpers.scenario.context import this
from helpers.scenario.marks import needs
from requirements.srs102_table_parts import (
    RQ_SRS_102_ClickHouse_TableParts_Active_RunningQuery,
    RQ_SRS_102_ClickHouse_TableParts_Move_Command,
    RQ_SRS_102_ClickHouse_TableParts_Move_TTL,
)
from steps.replace_partition.held_statements import holding_node
from steps.storage import disks_of, stored_table
from steps.table_parts.part_events import part_events, statements_on
from steps.table_parts.part_life import active_parts, in_background, part_hashes, wait_until_removed
from steps.table_parts.part_readers import bulky_table, expected_rows, held_read
from steps.tables import NO_MERGES, Table, contents, create_table, insert

ALREADY_THERE, NOT_IN_THE_POLICY, DIRECTORY_EXISTS = 479, 479, 84
MOVE_ALL = "ALTER TABLE {table} MOVE PARTITION tuple() TO DISK '{disk}'"
PARTS = ["1_1_1_0", "1_3_3_0", "2_2_2_0", "2_4_4_0"]
ROWS = [(p, number, f"row {number} of {p}") for p in (1, 2) for number in range(2)]
# Seconds until the time of rows comes: more where a slow machine needs as long to write the parts.
SOON = (3, 9, 27)  # 3 variants


def tiered_node() -> Node:
    """A node with two volumes of a disk each, whose background is at work all the time."""
    return this().node("disks", fragments=("disks", "tidy"))


def filled(node: Node, policy: str) -> Table:
    """Two parts in each of two partitions."""
    table = stored_table("moved", node, policy)
    for number in range(2):
        insert(table, [row for row in ROWS if row[1] == number])
    return table


def part_disks(table: Table) -> dict[str, str]:
    return {part: disk for parts in disks_of(table).values() for part, disk in parts.items()}


# Commands, and the parts that each of them is to move.
COMMANDS: dict[str, Callable[[str], bool]] = {  # 2 variants
    "MOVE PART '1_1_1_0' TO DISK '{disk}'": lambda part: part == "1_1_1_0",
    "MOVE PARTITION 2 TO VOLUME '{volume}'": lambda part: part.startswith("2_"),
}


@TestOutline
def moved_by_commands(self, *, table, home, disk, volume):
    """Move parts by every command, and check that they and no others have moved, unchanged."""
    before, hashes = active_parts(table), part_hashes(table)
    expected = dict.fromkeys(PARTS, home)
    assert list(before) == PARTS and part_disks(table) == expected, error()
    for command, is_meant in COMMANDS.items():
        with When(f"I run {command}"):
            statement = f"ALTER TABLE {table} {command.format(disk=disk, volume=volume)}"
            table.node.query(statement)

        with Then("the parts are on the other disk, and no others"):
            expected |= {part: disk for part in expected if is_meant(part)}
            assert part_disks(table) == expected, error()

        with And("they are the same parts with the same content and rows"):
            assert part_hashes(table) == hashes, error()
            assert contents(table) == ROWS, error()

        with And("they are no longer where they were"):
            wait_until_removed([part.folder for name, part in before.items() if is_meant(name)])

        with And("moving them again is refused"):
            table.node.fails(statement, code=ALREADY_THERE, text="already on")

    with And("the log has each move"):
        moved = {part: (disk,) for part, where in expected.items() if where == disk}
        assert part_events(table, "MovePart", "disk_name") == moved, error()


@TestScenario
@Requirements(RQ_SRS_102_ClickHouse_TableParts_Move_Command("1.0"))
def parts_are_moved_to_a_disk(self):
    """MOVE PART and MOVE PARTITION bring parts to another disk, unchanged and under their names."""
    with Given("a table on the first of two volumes"):
        table = filled(tiered_node(), "tiered")

    moved_by_commands(table=table, home="one", disk="two", volume="cold")

    with And("a disk that the policy does not have is refused"):
        move = f"ALTER TABLE {table} MOVE PARTITION 1 TO DISK 'three'"
        table.node.fails(move, code=NOT_IN_THE_POLICY, text="No such disk `three`")


@TestScenario
@Requirements(RQ_SRS_102_ClickHouse_TableParts_Move_Command("1.0"))
@needs(Capability.OBJECT_STORE)
def parts_are_moved_to_an_object_store(self):
    """The same with an object store as the other disk."""
    with Given("a table on the local volume of a policy with an object store"):
        table = filled(holding_node(), "hold")

    moved_by_commands(table=table, home="default", disk="hold_s3", volume="remote")


def timed(soon: int) -> Table:
    """Parts whose rows' time comes after these seconds, has come for some, comes late, or has come."""
    table = create_table(
        "timed",
        node=tiered_node(),
        columns="p UInt64, i UInt64, time DateTime",
        more="TTL time TO DISK 'two'",
        settings={**NO_MERGES, "storage_policy": "tiered"},
    )
    times = (str(soon), "if(number = 1, 600, -600)", "600", "-600")
    for partition, seconds in enumerate(times, 1):
        table.node.query(
            f"INSERT INTO {table} SELECT {partition}, number, now() + {seconds} FROM numbers(2)"
        )
    return table


@TestScenario
@Requirements(RQ_SRS_102_ClickHouse_TableParts_Move_TTL("1.0"))
def parts_are_moved_when_their_time_has_come(self):
    """A part goes to the other disk by itself when the time of all its rows has passed, and not before."""
    with Given("parts whose rows' time comes soon, has come for some, comes late, has come"):
        for seconds in SOON:
            start = time.monotonic()
            table = timed(seconds)
            at_first, hashes = part_disks(table), part_hashes(table)
            if at_first.get("1_1_1_0") == "one":
                break
            # (The times of rows are whole seconds.)
            assert time.monotonic() - start > seconds - 1, f"too early for {at_first}"

    with When("the server has moved the first part, and no other one"):
        in_background(lambda: part_disks(table), equals={**at_first, "1_1_1_0": "two"})

    with Then("the parts whose time had come were written to the other disk at once"):
        names = ["1_1_1_0", "2_2_2_0", "3_3_3_0", "4_4_4_0"]
        assert at_first == dict(zip(names, ("one", "one", "one", "two"), strict=True)), error()

    with And("the background has done it"):
        assert part_events(table, "MovePart", "disk_name") == {"1_1_1_0": ("two",)}, error()
        assert statements_on(table) == [{"Create": 1, "Insert": 4}], error()

    with And("all parts are what they were, with all rows"):
        assert part_hashes(table) == hashes, error()
        assert sorted(table.node.query(f"SELECT p, i FROM {table}")) == [
            (p, number) for p in range(1, 5) for number in range(2)
        ], error()


@TestScenario
@Requirements(
    RQ_SRS_102_ClickHouse_TableParts_Move_Command("1.0"),
    RQ_SRS_102_ClickHouse_TableParts_Active_RunningQuery("1.0"),
)
def running_read_outlives_moves(self):
    """A SELECT that has begun returns all rows, though its parts are moved to another disk meanwhile."""
    with Given("a table of several parts, and a SELECT that has read some of its rows"):
        settings = {**NO_MERGES, "storage_policy": "tiered"}
        table = bulky_table("read", node=tiered_node(), settings=settings)
        before = active_parts(table)

    with held_read(table) as read:
        with When("the parts are moved to another disk"):
            table.node.query(MOVE_ALL.format(table=table, disk="two"))

        with Then(
            "the SELECT is still in the middle, and its parts can not be moved back meanwhile"
        ):
            assert disks_of_all(table) == ["two"] and read.is_in_the_middle, error()
            back = MOVE_ALL.format(table=table, disk="one")
            table.node.fails(back, code=DIRECTORY_EXISTS, text="already exists")

        with And("it returns every row once"):
            assert read.finish() == expected_rows(), error()

    with And("so does a new one, of the same parts"):
        assert active_parts(table).keys() == before.keys(), error()
        rows = table.node.query(f"SELECT i, left(owner, 1) FROM {table} ORDER BY i")
        assert rows == expected_rows(), error()

    with And("they can be moved back, when the disk has no more of them"):
        wait_until_removed([part.folder for part in before.values()])
        table.node.query(back)
        assert disks_of_all(table) == ["one"], error()


def disks_of_all(table: Table) -> list[str]:
    """The disks on which active parts lie."""
    return table.node.column(
        "SELECT DISTINCT disk_name FROM system.parts WHERE active "
        f"AND database = '{table.database}' AND table = '{table.name}'"
    )
