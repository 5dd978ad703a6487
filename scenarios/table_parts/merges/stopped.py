"""Merges that are stopped by a statement, until another one starts them."""

from testflows.asserts import error
from testflows.core import And, Given, Requirements, TestScenario, Then, When

from requirements.srs102_table_parts import RQ_SRS_102_ClickHouse_TableParts_Merge_Stopped
from steps.refusals import wrong_refusal
from steps.table_parts.part_events import part_events, statements_on
from steps.table_parts.part_life import KEPT, active_parts, in_background, tidy_node
from steps.tables import Table, contents, create_table, insert

ABORTED = 236
ROWS = [(1, number, "row") for number in range(4)]
PARTS, MERGED = ["1_1_1_0", "1_2_2_0"], "1_1_2_1"
# The background merges parts that are a second old.
MERGED_SOON = {**KEPT, "min_age_to_force_merge_seconds": 1}


def two_parts() -> Table:
    """A table of two parts, whose merges are stopped before they come."""
    table = create_table("held", node=tidy_node(), settings=MERGED_SOON)
    table.node.query(f"SYSTEM STOP MERGES {table}")
    for rows in (ROWS[:2], ROWS[2:]):  # part: both parts together are all rows
        insert(table, rows)
    return table


def wait_until_merged(table: Table) -> None:
    """Wait until the background has made one part of the two, which is then the only active one."""
    merges = {MERGED: (PARTS,)}
    in_background(lambda: part_events(table, "MergeParts", "merged_from"), equals=merges)
    assert list(active_parts(table)) == [MERGED], error()


@TestScenario
@Requirements(RQ_SRS_102_ClickHouse_TableParts_Merge_Stopped("1.0"))
def stopped_merges(self):
    """Between SYSTEM STOP MERGES and SYSTEM START MERGES no parts of the table are merged."""
    with Given("two equal tables whose merges are stopped"):
        stopped, other = two_parts(), two_parts()

    with When("those of one of them are started, and it has been merged"):
        other.node.query(f"SYSTEM START MERGES {other}")
        wait_until_merged(other)

    with Then("the parts of the other one, which are older, are as they were inserted"):
        assert list(active_parts(stopped)) == PARTS, error()

    with And("OPTIMIZE does not merge them either"):
        sql = f"OPTIMIZE TABLE {stopped} FINAL"
        wrong = wrong_refusal(stopped, sql, code=ABORTED, text="Cancelled merging parts")
        assert wrong is None, wrong

    with When("they are started as well"):
        stopped.node.query(f"SYSTEM START MERGES {stopped}")
        wait_until_merged(stopped)

    with Then("the background has merged both, and no row was lost"):
        assert statements_on(stopped, other) == [{"Create": 1, "Insert": 2}] * 2, error()
        assert contents(stopped) == contents(other) == ROWS, error()
