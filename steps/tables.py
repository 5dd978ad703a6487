"""Tables: making them, filling them with rows that tell whose they are, and reading them back."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from helpers.cluster.node import Node
from helpers.cluster.session import Row
from helpers.context import this

COLUMNS = "p UInt64, i UInt64, owner String"
# Parts stay as they were inserted, whatever the background would like to do with them.
NO_MERGES: Mapping[str, Any] = {"max_bytes_to_merge_at_max_space_in_pool": 1}


@dataclass(frozen=True)
class Table:
    """A table on a node."""

    node: Node
    database: str
    name: str

    def __str__(self) -> str:
        return f"{self.database}.{self.name}"


def create_table(
    name: str,
    *,
    node: Node | None = None,
    columns: str = COLUMNS,
    engine: str = "MergeTree",
    partition_by: str = "p",
    order_by: str = "i",
    settings: Mapping[str, Any] = NO_MERGES,
    more: str = "",
) -> Table:
    """An empty table in this scenario's database; `more` goes behind ORDER BY (PRIMARY KEY, TTL …)."""
    node = node or this().node()
    table = Table(node, this().database, this().unique(name))
    options = ", ".join(f"{key} = {value!r}" for key, value in settings.items())
    node.query(
        f"CREATE TABLE {table} ({columns}) ENGINE = {engine}"
        + (f" PARTITION BY {partition_by}" if partition_by else "")
        + (f" ORDER BY {order_by}" if order_by else "")
        + (f" {more}" if more else "")
        + (f" SETTINGS {options}" if options else "")
    )
    return table


def fill(
    table: Table, partitions: Sequence[int] = (1, 2, 3), *, rows: int = 10, parts: int = 1
) -> None:
    """Rows that carry the table's name: one table's rows are never another's.

    Each partition gets `parts` parts of `rows` rows; the dice of the run choose the numbers.
    """
    for partition in partitions:
        for _ in range(parts):
            numbers = this().random.sample(range(1_000_000), rows)
            insert(table, [(partition, number, table.name) for number in numbers])


def insert(table: Table, rows: Sequence[Sequence[Any]]) -> None:
    """These rows, as one part for each partition among them."""
    table.node.query(f"INSERT INTO {table} VALUES", data=rows)


def partitioned_pair(
    partitions: int | Sequence[int] = 3, *, rows: int = 10, parts: int = 2, **options: Any
) -> tuple[Table, Table]:
    """A source and a destination with the same partitions and different rows in each of them."""
    numbers = range(1, partitions + 1) if isinstance(partitions, int) else partitions
    source, destination = (create_table(name, **options) for name in ("source", "destination"))
    for table in (source, destination):
        fill(table, numbers, rows=rows, parts=parts)
    for number in numbers:
        assert_differ(source, destination, partition=number)
    return source, destination


def assert_differ(one: Table, other: Table, *, partition: int) -> None:
    """Both have rows in this partition and no two are the same: a copy will show."""
    ours, theirs = contents(one, partition=partition), contents(other, partition=partition)
    assert ours, f"the fixture is empty: no row of {one} in partition {partition}"
    assert theirs, f"the fixture is empty: no row of {other} in partition {partition}"
    common = set(ours) & set(theirs)
    assert not common, f"the fixture proves nothing: {one} and {other} share {common}"


def contents(table: Table, *, partition: int | None = None) -> list[Row]:
    """All rows, sorted; of one partition only if it is named."""
    where = "" if partition is None else f" WHERE p = {partition}"
    return sorted(table.node.query(f"SELECT * FROM {table}{where}"))


def by_partition(table: Table) -> dict[int, list[Row]]:
    """All rows, sorted, by their first column: the partition."""
    found: dict[int, list[Row]] = {}
    for row in contents(table):
        found.setdefault(row[0], []).append(row)
    return found


def drop_table(table: Table) -> None:
    table.node.query(f"DROP TABLE {table} SYNC")
