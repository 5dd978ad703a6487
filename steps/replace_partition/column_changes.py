"""Changes of a table's columns and rows by ALTER, and what each makes of a row."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from helpers.cluster.client.session import Row
from helpers.cluster.node import Node
from helpers.scenario.context import this
from helpers.scenario.drawing import DistinctNumbers
from steps.tables import Table, create_table, insert

COLUMNS = "p UInt64, i UInt64, owner String, extra UInt64 DEFAULT i + 1, computed UInt64 MATERIALIZED i * 2"
EXTRA = 3
ROWS = 6


@dataclass(frozen=True)
class Change:
    """What follows ALTER TABLE, and the row that it makes of (p, i, owner, extra, computed).

    `structural`: the table has other columns at once, whether the parts have been rewritten or not.
    """

    sql: str
    apply: Callable[[Row], Row | None]
    structural: bool = True

    def applied(self, rows: Sequence[Row]) -> list[Row]:
        return sorted(row for row in map(self.apply, rows) if row is not None)


def with_extra(row: Row, value: object) -> Row:
    return (*row[:EXTRA], value, *row[EXTRA + 1 :])


def same(row: Row) -> Row:
    return row


ADD = Change("ADD COLUMN added UInt64 DEFAULT i * 3", lambda row: (*row[:-1], row[1] * 3, row[-1]))
DROP = Change("DROP COLUMN extra", lambda row: (*row[:EXTRA], row[-1]))
RENAME = Change("RENAME COLUMN extra TO renamed", same)
MODIFY_TYPE = Change("MODIFY COLUMN extra String", lambda row: with_extra(row, str(row[EXTRA])))
MODIFY_DEFAULT = Change("MODIFY COLUMN extra UInt64 DEFAULT 7", same)
CLEAR = Change("CLEAR COLUMN extra", lambda row: with_extra(row, row[1] + 1), structural=False)
MATERIALIZE = Change("MATERIALIZE COLUMN computed", same, structural=False)
UPDATE = Change(
    "UPDATE owner = 'changed' WHERE i % 2 = 0",
    lambda row: row if row[1] % 2 else (*row[:2], "changed", *row[EXTRA:]),
    structural=False,
)
DELETE = Change("DELETE WHERE i % 2 = 0", lambda row: row if row[1] % 2 else None, structural=False)


def pair_with_extra(node: Node | None = None, **options: object) -> tuple[Table, Table]:
    """A source and a destination with different rows in one part each; no value is a default."""
    tables = [
        create_table(name, node=node, columns=COLUMNS, **options)  # type: ignore[arg-type]
        for name in ("source", "destination")
    ]
    for table in tables:
        # Even and odd numbers, so that conditions tell them apart.
        inserted = drawn_rows(this().numbers, table.name)
        insert(table, inserted)
        stored = [(*row, row[1] * 2) for row in inserted]
        assert all_columns(table) == stored, f"the fixture is wrong: {table} does not hold {stored}"
    source, destination = tables
    return source, destination


def drawn_rows(numbers: DistinctNumbers, name: str) -> list[Row]:
    return [(1, number, name, 2_000_000 + number) for number in numbers.draw_run(ROWS)]


def all_columns(table: Table) -> list[Row]:
    """All rows with all columns, the computed one last."""
    return sorted(table.node.query(f"SELECT *, computed FROM {table}"))


def describe_extra(actual: Sequence[Row], expected: Sequence[Row]) -> str:
    """How rows differ from those that are expected, where only the column `extra` may."""
    if actual == sorted(with_extra(row, row[1] + 1) for row in expected):
        return "its default instead of the column's values"
    if actual == sorted(with_extra(row, 2_000_000 + row[1]) for row in expected):
        return "the column's values instead of its default"
    return f"{actual} instead of {expected}"
