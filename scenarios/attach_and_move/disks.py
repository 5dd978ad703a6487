"""Detached parts on several disks, moves that meet moves and mutations, and other storage policies."""

from collections.abc import Callable, Mapping

from testflows.asserts import error
from testflows.core import And, Given, Requirements, TestScenario, Then, When

from helpers.cluster.client.failures import QueryFailed
from helpers.cluster.client.session import Row
from helpers.cluster.node import Node
from helpers.scenario.context import this
from helpers.scenario.violations import assert_no_violations
from requirements.srs103_attach_and_move import (
    RQ_SRS_103_ClickHouse_AttachAndMove_Disks,
    RQ_SRS_103_ClickHouse_AttachAndMove_MoveAndMutation,
    RQ_SRS_103_ClickHouse_AttachAndMove_OpposingMoves,
    RQ_SRS_103_ClickHouse_AttachAndMove_StoragePolicy,
)
from steps.background_changes import in_background
from steps.parts import data_path
from steps.storage import disks_of, place, stored_table
from steps.table_parts.part_life import detached_parts
from steps.tables import Table, contents, create_table

POLICIES = ("jbod", "tiered")  # 2 variants
DISKS = ("one", "two")  # 2 variants
BACK = ("ATTACH PARTITION 1", "ATTACH PART")  # 2 variants


def disks_node() -> Node:
    return this().node("disks", fragments=("disks",))


def folders(table: Table, disk: str, inside: str = "") -> set[str]:
    """The directories of parts that the table has on this disk."""
    return {path.name for path in (data_path(table, disk) / inside).glob("[0-9]*_*")}


def moved_parts(table: Table) -> dict[str, str]:
    """The disk of each part of partition 1."""
    return disks_of(table)[1]


@TestScenario
@Requirements(RQ_SRS_103_ClickHouse_AttachAndMove_Disks("1.0"))
def parts_come_back_on_every_disk(self):
    """A detached part lies on the disk where it was, is found there, and stays there."""
    for policy in POLICIES:
        for statement in BACK:
            with Given(f"a partition with a part on each disk of the policy {policy}"):
                table = stored_table("shelf", disks_node(), policy)
                place(table, {1: DISKS})
                rows, lie_on = contents(table), moved_parts(table)

            with When("I detach it"):
                table.node.query(f"ALTER TABLE {table} DETACH PARTITION 1")

            with Then("each part is detached on its disk"):
                assert [row for row in contents(table) if row[0] == 1] == [], error()
                detached = {disk: folders(table, disk, "detached") for disk in DISKS}
                assert detached == {disk: {part} for part, disk in lie_on.items()}, error()

            with When(f"I bring the parts back by {statement}"):
                named = (
                    [f"ATTACH PART '{part}'" for part in lie_on]
                    if statement == "ATTACH PART"
                    else [statement]
                )
                for command in named:
                    table.node.query(f"ALTER TABLE {table} {command}")

            with Then("all rows are there, each part on the disk where it was"):
                assert contents(table) == rows and detached_parts(table) == {}, error()
                assert sorted(moved_parts(table).values()) == sorted(DISKS), error()
                assert not moved_parts(table).keys() & lie_on.keys(), error()


PARTS, ROUNDS = 16, 3


def many_parts_on(policy: str) -> Table:
    """A table with a partition of many parts of one row, which no merge takes by itself."""
    settings = {"storage_policy": policy, "max_bytes_to_merge_at_max_space_in_pool": 1}
    table = create_table("moved", node=disks_node(), settings=settings)
    table.node.query(
        f"INSERT INTO {table} SELECT 1, number, 'row' FROM numbers({PARTS})",
        settings={"max_block_size": 1, "min_insert_block_size_rows": 1},
    )
    assert len(moved_parts(table)) == PARTS, error()
    return table


# A part is on that disk already, another statement moves it, or its earlier copy there is not removed yet.
NOT_MOVED = {"479", "384", "84"}


@TestScenario
@Requirements(RQ_SRS_103_ClickHouse_AttachAndMove_OpposingMoves("1.0"))
def opposing_moves(self):
    """Clients move a partition to two disks at once: every part ends on one, with all of its rows."""
    with Given("a partition of many parts"):
        table = many_parts_on("jbod")
        rows, parts = contents(table), moved_parts(table)
        assert len(rows) == len(parts) == PARTS, error()

    met = 0
    for _ in range(ROUNDS):
        with When("it is moved to both disks at once"):
            statements = [
                table.node.background(f"ALTER TABLE {table} MOVE PARTITION 1 TO DISK '{disk}'")
                for disk in DISKS
            ]
            outcomes = [statement.outcome() for statement in statements]
            starts = [statement.started for statement in statements]
            ends = [statement.started + statement.elapsed for statement in statements]
            met += max(starts) < min(ends)

        with Then("a refusal says that the parts are there, or being moved"):
            refused = [outcome for outcome in outcomes if isinstance(outcome, QueryFailed)]
            assert sorted({f"{failed.code}" for failed in refused} - NOT_MOVED) == [], error()
            assert all(outcome is None or outcome in refused for outcome in outcomes), error()

        with And("every row is there once, and each part is on one disk"):
            assert contents(table) == rows, error()
            lie_on = moved_parts(table)
            assert lie_on.keys() == parts.keys(), error()
            this().eventually(
                lambda: {disk: folders(table, disk) for disk in DISKS},
                equals={disk: {part for part in lie_on if lie_on[part] == disk} for disk in DISKS},
            )

    with And("statements met"):
        assert met > 0, error()


# Statements that are issued while a partition is being moved, and what they make of its rows.
BESIDE: Mapping[str, Callable[[list[Row]], list[Row]]] = {  # 6 variants
    "INSERT INTO {table} VALUES (1, 1000, 'new')": lambda rows: [*rows, (1, 1000, "new")],
    "ALTER TABLE {table} UPDATE owner = 'x' WHERE i < 5 SETTINGS mutations_sync = 2": lambda rows: [
        (p, i, "x" if i < 5 else owner) for p, i, owner in rows
    ],
    "DELETE FROM {table} WHERE i < 5": lambda rows: [row for row in rows if row[1] >= 5],
    "OPTIMIZE TABLE {table} FINAL": lambda rows: rows,
    "ALTER TABLE {table} DROP PARTITION 1": lambda rows: [],
    "SELECT sum(cityHash64(*)) FROM {table}": lambda rows: rows,
}


@TestScenario
@Requirements(RQ_SRS_103_ClickHouse_AttachAndMove_OpposingMoves("1.0"))
def statements_beside_a_move(self):
    """A statement that meets MOVE PARTITION has its effect on every row once; the move may be refused."""
    violations = {}
    met = 0
    for statement, expected in BESIDE.items():
        with Given(f"a partition of many parts: {statement}"):
            table = many_parts_on("jbod")
            rows = contents(table)

        with When("it is moved while the statement is executed"):
            move = f"ALTER TABLE {table} MOVE PARTITION 1 TO DISK 'two'"
            statements = [
                table.node.background(sql) for sql in (move, statement.format(table=table))
            ]
            moved, other = (running.outcome() for running in statements)
            starts = [running.started for running in statements]
            ends = [running.started + running.elapsed for running in statements]
            met += max(starts) < min(ends)

        with Then("the rows are those that the statement has left"):
            refused = isinstance(moved, QueryFailed) and f"{moved.code}" in NOT_MOVED
            if other is not None or not (moved is None or refused):
                violations[statement] = f"{moved}, {other}"
            elif contents(table) != sorted(expected(rows)):
                violations[statement] = f"{len(contents(table))} of {len(expected(rows))} rows"

        with And("after the table was loaded again, too"):
            table.node.query(f"DETACH TABLE {table} SYNC")
            table.node.query(f"ATTACH TABLE {table}")
            if contents(table) != sorted(expected(rows)):
                violations[f"{statement}, loaded again"] = f"{len(contents(table))} rows"

    with Then("no row is lost or doubled"):
        assert_no_violations(violations)

    with And("statements met"):
        assert met > 0, error()


@TestScenario
@Requirements(RQ_SRS_103_ClickHouse_AttachAndMove_MoveAndMutation("1.0"))
def mutation_waits_for_a_moved_part(self):
    """A mutation that waits is carried out where the part is when its turn comes."""
    with Given("a part on the first disk, and a mutation that waits"):
        table = stored_table("moved", disks_node(), "tiered")
        place(table, {1: ("one",), 2: ("one",)})
        rows = contents(table)
        table.node.query(f"SYSTEM STOP MERGES {table}")
        update = f"ALTER TABLE {table} UPDATE owner = 'updated' WHERE p IN (1, 2)"
        table.node.query(update, settings=in_background(update))
        assert contents(table) == rows and waiting(table) == 1, error()

    with When("the part is moved to the second disk"):
        table.node.query(f"ALTER TABLE {table} MOVE PARTITION 1 TO DISK 'two'")

    with Then("it is there, with the rows of before, and the mutation waits still"):
        assert list(moved_parts(table).values()) == ["two"], error()
        assert contents(table) == rows and waiting(table) == 1, error()

    with When("the mutation is carried out"):
        table.node.query(f"SYSTEM START MERGES {table}")
        this().eventually(lambda: waiting(table), equals=0)

    with Then("the rows are changed, on the second disk and on the first one"):
        expected = [(p, i, "updated" if p else owner) for p, i, owner in rows]
        assert contents(table) == expected, error()
        lie_on = {partition: set(disks.values()) for partition, disks in disks_of(table).items()}
        assert lie_on == {0: {"one"}, 1: {"two"}, 2: {"one"}}, error()


def waiting(table: Table) -> int:
    """How many mutations are not done."""
    return int(
        table.node.value(
            "SELECT count() FROM system.mutations WHERE NOT is_done "
            f"AND database = '{table.database}' AND table = '{table.name}'"
        )
    )


# Policies that lack the disk of the table's policy, or a volume of its name.
LACKING = ("tiered", "with_default", "default")  # 3 variants


@TestScenario
@Requirements(RQ_SRS_103_ClickHouse_AttachAndMove_StoragePolicy("1.0"))
def policy_is_changed(self):
    """A policy that lacks a disk is refused; one that adds a disk is taken, and the disk is used."""
    with Given("a table whose policy has one disk"):
        table = stored_table("stored", disks_node(), "single")
        table.node.query(f"INSERT INTO {table} VALUES (1, 1, 'first'), (2, 2, 'second')")
        rows = contents(table)

    for policy in LACKING:
        with When(f"I change its policy to {policy}, which has not all of it"):
            table.node.fails(changing(table, policy), code=36, text="New storage policy")

        with Then("the table is as it was"):
            assert contents(table) == rows and moved_parts(table) == {"1_1_1_0": "one"}, error()

    with When("I change it to one that has the disk and another one"):
        table.node.query(changing(table, "jbod"))

    with Then("the new disk can be used, and the rows are what they were"):
        table.node.query(f"ALTER TABLE {table} MOVE PARTITION 1 TO DISK 'two'")
        assert moved_parts(table) == {"1_1_1_0": "two"}, error()
        assert folders(table, "two") == {"1_1_1_0"} and contents(table) == rows, error()

    with And("the earlier policy, which lacks that disk, is refused now"):
        table.node.fails(changing(table, "single"), code=36, text="New storage policy")
        assert contents(table) == rows, error()


def changing(table: Table, policy: str) -> str:
    return f"ALTER TABLE {table} MODIFY SETTING storage_policy = '{policy}'"
