"""Crashes while a part is written: what was there before is there, nothing is there in half."""

from functools import partial

from testflows.asserts import error
from testflows.core import And, Given, Requirements, TestScenario, Then, When

from helpers.cluster.capabilities import Capability
from helpers.scenario.marks import needs
from requirements.srs102_table_parts import (
    RQ_SRS_102_ClickHouse_TableParts_Crash_Insert,
    RQ_SRS_102_ClickHouse_TableParts_Crash_Merge,
    RQ_SRS_102_ClickHouse_TableParts_Crash_Mutation,
)
from steps.table_parts.killed_writes import ROWS, killed_while_writing, leftovers
from steps.table_parts.part_files import table_folder
from steps.table_parts.part_life import active_parts, in_background, part_records
from steps.tables import Table, insert

PARTS = ["1_1_1_0", "1_2_2_0", "1_3_3_0"]  # 3 variants
OLD = [(1, number, "old") for number in range(ROWS)]


def rows(table: Table) -> list[tuple[int, int, str]]:
    """All rows, without the column that takes its time."""
    return table.node.query(f"SELECT p, i, owner FROM {table} ORDER BY i")


def after_insert(table: Table) -> None:
    """The table is what it was before the INSERT, and the next one is stored."""
    assert list(part_records(table)) == PARTS, error()
    assert rows(table) == OLD, error()
    insert(table, [(1, ROWS, "new")])
    assert rows(table) == [*OLD, (1, ROWS, "new")], error()


def after_merge(table: Table) -> None:
    """The sources are active, there is no other part, and they have all rows."""
    active = {name: part.active for name, part in part_records(table).items()}
    assert active == dict.fromkeys(PARTS, 1), error()
    assert rows(table) == OLD, error()


def after_mutation(table: Table) -> None:
    """At first each row is as before or as after the mutation; then all are changed, in their places."""
    at_first = rows(table)
    assert [row[:2] for row in at_first] == [row[:2] for row in OLD], error()
    assert {row[2] for row in at_first} <= {"old", "new"}, error()
    in_background(lambda: rows(table), equals=[(p, i, "new") for p, i, _ in OLD])
    in_background(lambda: list(active_parts(table)), equals=[f"{name}_4" for name in PARTS])


AFTERWARDS = {
    "an insert": after_insert,
    "a merge": after_merge,
    "a mutation": after_mutation,
}  # 3 variants
# How the folder is called in which a part is written.
WRITTEN_IN = {"an insert": "tmp_insert_", "a merge": "tmp_merge_", "a mutation": "tmp_mut_"}


@TestScenario
@Requirements(
    RQ_SRS_102_ClickHouse_TableParts_Crash_Insert("1.0"),
    RQ_SRS_102_ClickHouse_TableParts_Crash_Merge("1.0"),
    RQ_SRS_102_ClickHouse_TableParts_Crash_Mutation("1.0"),
)
@needs(Capability.PROCESS_CONTROL)
def crash_while_a_part_is_written(self):
    """What was there is there after a crash, and nothing of a part that was written in half."""
    for what, check in AFTERWARDS.items():
        with Given(f"a server that was killed while {what} wrote a part"):
            table, left = killed_while_writing(what)
            assert [name for name in left if not name.startswith(WRITTEN_IN[what])] == [], error()

        with When("it starts again"):
            table.node.start()

        with Then("the table has the parts and rows that it should have"):
            check(table)

        with And("nothing is left of the part that was written in half"):
            in_background(partial(leftovers, table_folder(table)), equals=[])
