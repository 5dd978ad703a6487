"""Merges that have a reason of their own: age, masked rows, rows whose time has passed."""

import time

from testflows.asserts import error
from testflows.core import And, Given, Requirements, TestScenario, Then, When

from requirements.srs102_table_parts import (
    RQ_SRS_102_ClickHouse_TableParts_Merge_Age,
    RQ_SRS_102_ClickHouse_TableParts_Merge_ExpiredRows,
    RQ_SRS_102_ClickHouse_TableParts_Merge_MaskedRows,
)
from steps.table_parts.part_events import part_events, statements_on
from steps.table_parts.part_life import (
    CLEANED,
    KEPT,
    active_parts,
    in_background,
    merge,
    rows_by_part,
    table_of_parts,
    tidy_node,
)
from steps.tables import Table, contents, create_table, insert

# Ages: one that is not reached, none, and one that is soon reached. In this order: the tables that are
# not to be merged have had more time.
AGES = (600, 0, 1)  # 3 variants
# Seconds until rows expire: more of them where a slow machine needs as long to write the parts.
SOON = (2, 6, 18)  # 3 variants
ROWS = [(1, number, f"row {number}") for number in range(10)]


def two_parts(age: int) -> Table:
    """Two small parts, which are too few for the background to merge them for their size."""
    settings = {**KEPT, "min_age_to_force_merge_seconds": age}
    table = create_table("aging", node=tidy_node(), settings=settings)
    for start in (0, 5):
        insert(table, ROWS[start : start + 5])
    return table


@TestScenario
@Requirements(RQ_SRS_102_ClickHouse_TableParts_Merge_Age("1.0"))
def old_parts_are_merged(self):
    """Two small parts are merged without a command when they are old enough, and only then."""
    with Given("equal tables whose parts are merged much later, not for their age, or soon"):
        later, never, soon = (two_parts(age) for age in AGES)

    with When("the server has merged the parts that are old enough"):
        merges = {"1_1_2_1": (["1_1_1_0", "1_2_2_0"],)}
        in_background(lambda: part_events(soon, "MergeParts", "merged_from"), equals=merges)

    with Then("the merged part is active, and nobody has asked for the merge"):
        assert list(active_parts(soon)) == ["1_1_2_1"], error()
        assert statements_on(soon) == [{"Create": 1, "Insert": 2}], error()

    with And("the others are as they were inserted"):
        for table in (later, never):
            assert list(active_parts(table)) == ["1_1_1_0", "1_2_2_0"], error()

    with And("no row was lost"):
        for table in (soon, later, never):
            assert contents(table) == ROWS, error()


def masked(table: Table) -> list[tuple[str, int, int]]:
    """Active parts, with their rows and whether some of them are masked."""
    return table.node.query(
        "SELECT name, rows, has_lightweight_delete FROM system.parts WHERE active "
        f"AND database = '{table.database}' AND table = '{table.name}' ORDER BY name"
    )


def stored(table: Table) -> list[int]:
    """The numbers of all rows that are in the parts, masked ones too."""
    sql = f"SELECT i FROM {table} ORDER BY i SETTINGS apply_deleted_mask = 0"
    return table.node.column(sql)


@TestScenario
@Requirements(RQ_SRS_102_ClickHouse_TableParts_Merge_MaskedRows("1.0"))
def masked_rows_are_left_out(self):
    """Rows that DELETE FROM has masked are in their parts until a merge writes others without them."""
    with Given("two parts, some rows of one of which are masked"):
        table = table_of_parts("masked", [ROWS[:5], ROWS[5:]])
        table.node.query(f"DELETE FROM {table} WHERE i < 3")

    with When("I look at them before and after a merge"):
        before = masked(table), stored(table), contents(table)
        merge(table)
        after = masked(table), stored(table), contents(table)

    with Then("the masked rows are stored before the merge, and not read"):
        parts = [("1_1_1_0_3", 5, 1), ("1_2_2_0_3", 5, 0)]
        assert before == (parts, [*range(10)], ROWS[3:]), error()

    with And("the merged part does not have them"):
        assert after == ([("1_1_2_1_3", 7, 0)], [*range(3, 10)], ROWS[3:]), error()

    with And("it has the rows that are read"):
        assert rows_by_part(table) == {"1_1_2_1_3": ROWS[3:]}, error()


def expiring(seconds: int) -> Table:
    """Three parts, of whose rows some, all and none expire after these seconds."""
    table = create_table(
        "expiring",
        node=tidy_node(),
        columns="p UInt64, i UInt64, time DateTime",
        more="TTL time DELETE",
        settings={**KEPT, **CLEANED, "merge_with_ttl_timeout": 0},
    )
    for partition, expired in ((1, 5), (2, 10), (3, 0)):
        table.node.query(
            f"INSERT INTO {table} SELECT {partition}, number, "
            f"now() + if(number < {expired}, {seconds}, 600) FROM numbers(10)"
        )
    return table


@TestScenario
@Requirements(RQ_SRS_102_ClickHouse_TableParts_Merge_ExpiredRows("1.0"))
def expired_rows_are_removed(self):
    """Rows whose time has passed are gone by themselves, and parts of nothing but such rows as a whole."""
    with Given("parts that expire in part, as a whole, and not at all"):
        # At the beginning nothing has expired: the server can only remove what it has stored.
        for seconds in SOON:
            start = time.monotonic()
            table = expiring(seconds)
            stored_rows = [part.rows for part in active_parts(table).values()]
            if stored_rows == [10, 10, 10]:
                break
            # (The times of rows are whole seconds.)
            assert time.monotonic() - start > seconds - 1, f"too early for {stored_rows}"
            assert statements_on(table) == [{"Create": 1, "Insert": 3}], error()
        assert stored_rows == [10, 10, 10], error()

    with When("the server has removed what has expired"):
        in_background(lambda: list(active_parts(table)), equals=["1_1_1_1", "3_3_3_0"])

    with Then("the other rows are there"):
        expected = [*((1, number) for number in range(5, 10)), *((3, n) for n in range(10))]
        assert sorted(table.node.query(f"SELECT p, i FROM {table}")) == expected, error()

    with And("merges in the background have done it, for this reason"):
        assert part_events(table, "MergeParts", "merge_reason", "rows") == {
            "1_1_1_1": ("TTLDeleteMerge", 5),
            "2_2_2_1": ("TTLDropMerge", 0),
        }, error()
        assert statements_on(table) == [{"Create": 1, "Insert": 3}], error()
