"""Who reads what: a new SELECT the active parts, a running one those that were active when it began."""

from functools import partial

from testflows.asserts import error
from testflows.core import And, Given, Requirements, TestScenario, Then, When

from requirements.srs102_table_parts import (
    RQ_SRS_102_ClickHouse_TableParts_Active_Read,
    RQ_SRS_102_ClickHouse_TableParts_Active_RunningQuery,
    RQ_SRS_102_ClickHouse_TableParts_Inactive_Removal,
)
from steps.part_life import (
    CLEANED,
    KEPT,
    SUPERSEDE,
    active_parts,
    in_background,
    inactive_parts,
    rows_by_part,
    seen_removed,
    tidy_node,
)
from steps.part_readers import PARTS, ROWS, bulky_table, expected_rows, held_read
from steps.tables import NO_MERGES, create_table, insert


@TestScenario
@Requirements(RQ_SRS_102_ClickHouse_TableParts_Active_Read("1.0"))
def new_read_sees_active_parts_only(self):
    """After each merge and mutation every row comes from an active part, though older ones are there."""
    with Given("a table that keeps its superseded parts"):
        table = create_table("read", settings={**NO_MERGES, **KEPT})
        rows = [(number % 2, number, "a") for number in range(20)]
        insert(table, rows[:10])
        insert(table, rows[10:])

    violations = []
    for turn in range(2):
        for what, happen in SUPERSEDE.items():
            with When(f"{what} has finished, round {turn + 1}"):
                owners = "b" if turn or what == "a mutation" else "a"
                before = active_parts(table)
                happen(table)
                read, active = rows_by_part(table), active_parts(table)
                if not before.keys() <= inactive_parts(table).keys():
                    violations.append(f"{what}: {sorted(before)} are not all superseded and there")
                if read.keys() != active.keys():
                    violations.append(
                        f"{what}: rows of {sorted(read)}, active are {sorted(active)}"
                    )
                found = sorted(row for part in read.values() for row in part)
                if found != sorted((p, i, owners) for p, i, _ in rows):
                    violations.append(f"{what}: {len(found)} rows are not those of the table")

    with Then("no row came from a part that was not active, and all rows came"):
        assert violations == [], error()


@TestScenario
@Requirements(
    RQ_SRS_102_ClickHouse_TableParts_Active_RunningQuery("1.0"),
    RQ_SRS_102_ClickHouse_TableParts_Inactive_Removal("1.0"),
)
def running_read_keeps_its_parts(self):
    """A SELECT reads to the end what it has begun with; until then the server does not remove it."""
    for what, supersede in SUPERSEDE.items():
        with Given("two equal tables without a lifetime for superseded parts"):
            node = tidy_node()
            settings = {**NO_MERGES, **CLEANED, "old_parts_lifetime": 0}
            table, unread = (
                bulky_table(name, node=node, settings=settings) for name in ("read", "unread")
            )
            sources = active_parts(table)

        with held_read(table) as read:
            with When(f"{what} supersedes their parts in the middle of a SELECT from one of them"):
                for one in (table, unread):
                    supersede(one)
                assert active_parts(table).keys().isdisjoint(sources), error()

            with And("the server removes the superseded parts that nobody reads"):
                in_background(partial(inactive_parts, unread), equals={})

            with Then("those that the SELECT reads are still there, inactive"):
                assert inactive_parts(table).keys() == sources.keys(), error()
                assert all(part.folder.exists() for part in sources.values()), error()

            with And("it is still in the middle"):
                so_far = read.rows_read
                assert 0 < so_far < PARTS * ROWS, error()

            with And("reads all rows as they were when it began"):
                assert read.finish() == expected_rows(), error()

        with And("when it is over the server removes them as well"):
            in_background(partial(inactive_parts, table), equals={})
            seen_removed([part.folder for part in sources.values()])
