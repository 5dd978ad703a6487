"""Limits for the number of parts: inserts are slowed down, then refused."""

from collections.abc import Mapping

from testflows.asserts import error
from testflows.core import And, Given, Requirements, TestScenario, Then, When

from helpers.cluster.client.session import Row
from helpers.scenario.context import this
from requirements.srs102_table_parts import (
    RQ_SRS_102_ClickHouse_TableParts_Insert_Delayed,
    RQ_SRS_102_ClickHouse_TableParts_Insert_TooManyParts,
)
from steps.refusals import Refusal, wrong_refusals
from steps.statement_log import finished_statements
from steps.table_parts.part_life import KEPT, active_parts, inactive_parts, merge, mutate
from steps.tables import NO_MERGES, Table, contents, create_table, insert

TOO_MANY_PARTS = 252
LIMIT = 3
# Settings, what a refusal says, and whether parts of several partitions count together.
LIMITS = {  # 3 variants
    "parts_to_throw_insert": (f"Too many parts ({LIMIT} with average size", False),
    "max_parts_in_total": (f"Too many parts ({LIMIT}) in all partitions", True),
    "inactive_parts_to_throw_insert": (f"Too many inactive parts ({LIMIT})", False),
}
ACTIVE = ("parts_to_throw_insert", "max_parts_in_total")  # 2 variants
# Parts of more than a byte are large.
LARGE_PARTS = "MODIFY SETTING max_avg_part_size_for_too_many_parts = 1"
# Where inserts into a full table go: to the partition with the parts, and to another one.
PARTITIONS = (1, 9)  # 2 variants
DELAYED = {
    **NO_MERGES,
    "parts_to_delay_insert": 2,
    "parts_to_throw_insert": 5,
    "min_delay_to_insert_ms": 100,
    "max_delay_to_insert": 1,
}


def partition_of(setting: str, number: int) -> int:
    """The partition of a part: where parts of several partitions count together, each has its own."""
    return number if LIMITS[setting][1] else 1


def full_table(setting: str) -> Table:
    """A table that has as many parts as this setting allows."""
    table = create_table("full", settings={**NO_MERGES, **KEPT, setting: LIMIT})
    for number in range(LIMIT - (setting == "inactive_parts_to_throw_insert")):
        insert(table, [(partition_of(setting, number), number, "row")])
    if setting == "inactive_parts_to_throw_insert":
        merge(table)
        mutate(table, "UPDATE owner = 'changed' WHERE 1")
        assert list(inactive_parts(table)) == ["1_1_1_0", "1_1_2_1", "1_2_2_0"], error()
        assert list(active_parts(table)) == ["1_1_2_1_3"], error()
    else:
        assert len(active_parts(table)) == LIMIT, error()
    return table


def make_room(table: Table, setting: str) -> None:
    """A part less."""
    if setting == "inactive_parts_to_throw_insert":
        table.node.query(f"ALTER TABLE {table} MODIFY SETTING {setting} = {LIMIT + 1}")
    else:
        table.node.query(f"ALTER TABLE {table} DROP PART '{partition_of(setting, 0)}_1_1_0'")


def refusals(table: Table, setting: str) -> dict[str, str]:
    """Inserts into a full table that were not refused as they should, by partition."""
    inserts = {
        f"{setting}, {partition}": Refusal(
            f"INSERT INTO {table} SELECT {partition}, 100, 'late'",
            TOO_MANY_PARTS,
            LIMITS[setting][0],
        )
        for partition in PARTITIONS
    }
    return wrong_refusals(table, inserts)


def all_refusals(tables: Mapping[str, Table]) -> dict[str, str]:
    """The same of a table for each setting."""
    return {
        cell: wrong
        for setting, table in tables.items()
        for cell, wrong in refusals(table, setting).items()
    }


def assert_accepted(table: Table) -> None:
    """One more row can be inserted."""
    before, row = contents(table), (1, 100, "late")
    insert(table, [row])
    assert contents(table) == sorted([*before, row]), error()


@TestScenario
@Requirements(RQ_SRS_102_ClickHouse_TableParts_Insert_TooManyParts("1.0"))
def too_many_parts_are_refused(self):
    """At each limit an insert is refused and leaves the table alone; with a part less it is not."""
    with Given("a table at each limit"):
        tables = {setting: full_table(setting) for setting in LIMITS}

    with When("I insert into the full partition and into another one"):
        violations = all_refusals(tables)

    with Then("each insert is refused and leaves rows and parts alone"):
        assert violations == {}, error()

    with And("with a part less it is accepted"):
        for setting, table in tables.items():
            make_room(table, setting)
            assert_accepted(table)

    with And("that has filled them again, but for superseded parts, of which more are allowed now"):
        full = {setting: tables[setting] for setting in ACTIVE}
        assert all_refusals(full) == {}, error()

    with And("parts that are large on average lift the limit of one partition, and no other"):
        for table in full.values():
            table.node.query(f"ALTER TABLE {table} {LARGE_PARTS}")
        assert_accepted(full.pop("parts_to_throw_insert"))
        assert all_refusals(full) == {}, error()


def delay(table: Table, number: int) -> list[Row]:
    """For how many milliseconds the server has made an insert wait, and whether it took as long."""
    query_id = this().unique(f"{this().database}_insert")
    table.node.query(f"INSERT INTO {table} SELECT 1, {number}, 'row'", query_id=query_id)
    return finished_statements(
        table.node,
        "intDiv(ProfileEvents['DelayedInsertsMilliseconds'], "
        "greatest(ProfileEvents['DelayedInserts'], 1)) AS delay, "
        "query_duration_ms BETWEEN delay AND delay + 2000",
        f"query_id = '{query_id}'",
    )


@TestScenario
@Requirements(RQ_SRS_102_ClickHouse_TableParts_Insert_Delayed("1.0"))
def inserts_are_delayed(self):
    """From one number of parts on inserts wait, the longer the more parts there are."""
    with When("I insert part after part"):
        table = create_table("delayed", settings=DELAYED)
        delays = [delay(table, number) for number in range(5)]

    with Then("the first ones do not wait"):
        assert delays[:2] == [[(0, 1)]] * 2, error()

    with And("the others wait, each longer than the one before, up to the greatest delay"):
        assert delays[2:] == [[(333, 1)], [(666, 1)], [(1000, 1)]], error()

    with And("every row has arrived, in a part of its own"):
        assert contents(table) == [(1, number, "row") for number in range(5)], error()
        rows = {name: part.rows for name, part in active_parts(table).items()}
        assert rows == {f"1_{block}_{block}_0": 1 for block in range(1, 6)}, error()
