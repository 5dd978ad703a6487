"""A table is the sum of its active parts: every row is in exactly one of them."""

from testflows.asserts import error
from testflows.core import And, Given, Requirements, TestScenario, Then, When

from helpers.marks import deviates
from requirements.srs102_table_parts import RQ_SRS_102_ClickHouse_TableParts
from steps.part_life import active_parts, rows_by_part
from steps.refusals import listed
from steps.tables import Table, contents, create_table, insert

ROWS = [(number % 4, number, "first") for number in range(40)]
# What happens to the table, and what is then to be in it.
LIFE = (
    (
        "rows are inserted",
        "INSERT INTO {table} SELECT number % 4, number, 'second' FROM numbers(40, 25)",
        lambda rows: rows + [(number % 4, number, "second") for number in range(40, 65)],
    ),
    ("a partition is merged", "OPTIMIZE TABLE {table} PARTITION 1 FINAL", lambda rows: rows),
    (
        "rows are changed",
        "ALTER TABLE {table} UPDATE owner = 'changed' WHERE i % 3 = 0",
        lambda rows: [(p, i, "changed" if i % 3 == 0 else owner) for p, i, owner in rows],
    ),
    (
        "rows are deleted",
        "ALTER TABLE {table} DELETE WHERE i % 5 = 0",
        lambda rows: [row for row in rows if row[1] % 5],
    ),
    (
        "a partition is dropped",
        "ALTER TABLE {table} DROP PARTITION 2",
        lambda rows: [row for row in rows if row[0] != 2],
    ),
    ("all is merged", "OPTIMIZE TABLE {table} FINAL", lambda rows: rows),
)
WITH_PATCHES = {"enable_block_number_column": 1, "enable_block_offset_column": 1}
LIGHTWEIGHT = {
    "DELETE FROM": "DELETE FROM {table} WHERE i = 3",
    "UPDATE": "UPDATE {table} SET owner = 'patched' WHERE i < 5",
}


def counted(table: Table) -> tuple[int, int]:
    """The rows of all active parts, and those of the table."""
    return sum(part.rows for part in active_parts(table).values()), len(contents(table))


@TestScenario
@Requirements(RQ_SRS_102_ClickHouse_TableParts("1.0"))
def every_row_is_in_one_active_part(self):
    """Whatever happens to a table, reading its active parts one by one gives its rows, once each."""
    with Given("a table with rows in four partitions"):
        table, expected = create_table("life"), sorted(ROWS)
        insert(table, ROWS)

    violations = []
    for what, sql, effect in LIFE:
        with When(what):
            before = active_parts(table)
            table.node.query(sql.format(table=table), settings={"mutations_sync": 2})
            expected = sorted(effect(expected))
            assert active_parts(table) != before, f"it proves nothing: {what}, but no part shows it"

            read = rows_by_part(table)
            if sorted(row for rows in read.values() for row in rows) != expected:
                violations.append(f"{what}: the parts have other rows than expected")
            parts = {name: part.rows for name, part in active_parts(table).items() if part.rows}
            if {name: len(rows) for name, rows in read.items()} != parts:
                violations.append(f"{what}: {parts} do not count the rows that are read from them")

    with Then("each time all rows are there, as many in each part as it says"):
        assert violations == [], error()

    with And("the table has in the end what the parts have"):
        assert counted(table) == (len(expected), len(expected)), error()


@TestScenario
@Requirements(RQ_SRS_102_ClickHouse_TableParts("1.0"))
@deviates(
    step="the rows of the active parts add up to those of the table",
    effect="wrong sums: DELETE FROM: 10 in the parts and 9 in the table; "
    "UPDATE: 15 in the parts and 10 in the table",
    reason="rows that a lightweight DELETE has masked count as rows of their part until it is merged, "
    "and the patch parts of a lightweight UPDATE count as active parts with rows of their own",
)
def lightweight_changes_keep_the_sum(self):
    """A lightweight DELETE or UPDATE leaves parts whose rows add up to those of the table."""
    with Given("a table of ten rows for each of the statements"):
        tables = {name: create_table("light", settings=WITH_PATCHES) for name in LIGHTWEIGHT}
        for table in tables.values():
            insert(table, [(1, number, "first") for number in range(10)])
            assert counted(table) == (10, 10), error()

    with When("I run it"):
        for name, table in tables.items():
            table.node.query(
                LIGHTWEIGHT[name].format(table=table), settings={"enable_lightweight_update": 1}
            )

    with Then("the rows of the active parts add up to those of the table"):
        sums = {name: counted(table) for name, table in tables.items()}
        wrong = [
            f"{name}: {parts} in the parts and {rows} in the table"
            for name, (parts, rows) in sums.items()
            if parts != rows
        ]
        assert not wrong, listed("wrong sums", wrong)
