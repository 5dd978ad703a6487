"""A table is the sum of its active parts: every row is in exactly one of them."""

from collections.abc import Mapping

from testflows.asserts import error
from testflows.core import And, Given, Requirements, TestScenario, Then, When

from helpers.scenario.marks import equivalent
from requirements.srs102_table_parts import RQ_SRS_102_ClickHouse_TableParts
from steps.background_changes import until_done
from steps.table_parts.part_life import (
    PartRecord,
    active_parts,
    filled_parts,
    rows_by_part,
    sorted_rows,
)
from steps.tables import Table, contents, create_table, insert

ROWS = [(number % 4, number, f"first {number}") for number in range(40)]
# What happens to the table, and what is then to be in it.
LIFE = (  # 6 variants
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
Parts = Mapping[str, PartRecord]
ALL = {"0", "1", "2", "3"}
# The partitions that have other parts afterwards.
CHANGED = {
    "rows are inserted": ALL,
    "a partition is merged": {"1"},
    "rows are changed": ALL,
    "rows are deleted": ALL,
    "a partition is dropped": {"2"},
    "all is merged": ALL - {"2"},
}
WITH_PATCHES = {"enable_block_number_column": 1, "enable_block_offset_column": 1}
LIGHTWEIGHT = {  # 2 variants
    "DELETE FROM": "DELETE FROM {table} WHERE i = 3",
    "UPDATE": "UPDATE {table} SET owner = 'patched' WHERE i < 5",
}


TEN_ROWS = [(1, number, f"first {number}") for number in range(10)]
EXPECTED = {  # 2 variants
    "DELETE FROM": [row for row in TEN_ROWS if row[1] != 3],
    "UPDATE": [(p, i, "patched" if i < 5 else owner) for p, i, owner in TEN_ROWS],
}


def changed_partitions(before: Parts, after: Parts) -> set[str]:
    """The partitions that parts have come to or gone from."""
    changed = before.keys() ^ after.keys()
    return {name.split("_")[0] for name in changed}


def rows_of_parts(table: Table) -> int:
    """The rows of all active parts."""
    return sum(part.rows for part in active_parts(table).values())


@TestScenario
@equivalent(
    mutant="omit[FINAL]",
    statement="PARTITION 1 FINAL",
    reason="OPTIMIZE of a partition with several parts merges all of them, with FINAL or without",
)
@Requirements(RQ_SRS_102_ClickHouse_TableParts("1.1"))
def every_row_is_in_one_active_part(self):
    """Whatever happens to a table, reading its active parts one by one gives its rows, once each."""
    with Given("a table with rows in four partitions"):
        table, expected = create_table("life"), sorted(ROWS)
        insert(table, ROWS)

        parts = filled_parts(table)
        assert len(parts) == 4, error()

    violations = []
    for what, sql, effect in LIFE:
        with When(what):
            before = parts
            statement = sql.format(table=table)
            table.node.query(statement, settings=until_done(statement))
            expected = sorted(effect(expected))
            parts, read = filled_parts(table), rows_by_part(table)
            changed = changed_partitions(before, parts)
            assert changed == CHANGED[what], f"{what}: {changed} have other parts"
            if sorted_rows(read) != expected:
                violations.append(f"{what}: the parts have other rows than expected")
            counts = {name: part.rows for name, part in parts.items()}
            if {name: len(rows) for name, rows in read.items()} != counts:
                violations.append(f"{what}: {counts} do not count the rows that are read from them")

    with Then("each time all rows are there, as many in each part as it says"):
        assert violations == [], error()

    with And("the table has in the end what the parts have"):
        assert contents(table) == expected and rows_of_parts(table) == len(expected), error()


@TestScenario
@Requirements(RQ_SRS_102_ClickHouse_TableParts("1.1"))
def lightweight_changes_keep_the_sum(self):
    """Parts count the rows that a lightweight DELETE masks; an UPDATE adds patches, and no rows."""
    with Given("a table of ten rows for each of the statements"):
        tables = {name: create_table("light", settings=WITH_PATCHES) for name in LIGHTWEIGHT}
        for table in tables.values():
            insert(table, TEN_ROWS)
            parts = {name: part.rows for name, part in active_parts(table).items()}
            assert parts == {"1_1_1_0": 10}, error()

    with When("I run it"):
        for name, table in tables.items():
            table.node.query(LIGHTWEIGHT[name].format(table=table))

    with Then("the tables have the rows that they should have"):
        for name, table in tables.items():
            assert contents(table) == EXPECTED[name], error()

    with And("the parts count masked rows, and patches apart"):
        assert [rows_without_patches(table) for table in tables.values()] == [10, 10], error()

    with And("once they are merged the parts have the rows of the table"):
        for table in tables.values():
            table.node.query(f"OPTIMIZE TABLE {table} FINAL")
        merged = {name: rows_without_patches(table) for name, table in tables.items()}
        assert merged == {name: len(rows) for name, rows in EXPECTED.items()}, error()


def rows_without_patches(table: Table) -> int:
    """The rows of the active parts that are no patches."""
    parts = active_parts(table).values()
    return sum(part.rows for part in parts if not part.name.startswith("patch-"))
