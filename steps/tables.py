"""Tables: making them, filling them with rows that tell whose they are, and reading them back."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, TypeVar

from helpers.cluster.client.session import Row
from helpers.cluster.node import Node
from helpers.scenario.context import this
from helpers.scenario.drawing import DistinctNumbers
from helpers.scenario.step import step

Value = TypeVar("Value")
COLUMNS = "p UInt64, i UInt64, owner String"
# Parts stay as they were inserted, whatever the background would like to do with them.
NO_MERGES: Mapping[str, Any] = {"max_bytes_to_merge_at_max_space_in_pool": 1}


@dataclass(frozen=True)
class Table:
    """A table on a node."""

    node: Node = field(repr=False)
    database: str
    name: str

    def __str__(self) -> str:
        return f"{self.database}.{self.name}"


@step("I create a table {name} with {engine}")
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
    """An empty table in this scenario's database; `more` is appended after ORDER BY (PRIMARY KEY, TTL …)."""
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
    _assert_definition(table, engine, partition_by, settings)
    return table


def _assert_definition(
    table: Table, engine: str, partition_by: str, settings: Mapping[str, Any]
) -> None:
    """The fixture proves itself: the table has the engine, partition key and settings it was created with."""
    definition = table.node.value(
        "SELECT engine_full FROM system.tables "
        f"WHERE database = '{table.database}' AND name = '{table.name}'"
    )
    keys, _, listed = definition.partition(" SETTINGS ")
    shown, hidden, _ = keys.partition("[HIDDEN]")  # what the server shows in place of a password
    is_engine = f"{keys} ".startswith(f"{engine.removesuffix('()')} ")
    # no mutant: another engine would be refused, and operators change the end of a text
    assert engine.startswith(shown) if hidden else is_engine, f"{table} is {definition}"
    assert (" PARTITION BY " in keys) == bool(partition_by), f"{table} is {definition}"
    # The server adds its granularity, and it writes a fraction in its own way.
    unclear = {key for key, value in settings.items() if isinstance(value, float)}
    exact = {f"{key} = {value!r}" for key, value in settings.items() if key not in unclear}
    actual = set(listed.split(", ")) - {"index_granularity = 8192", ""}
    others = {setting.split(" = ")[0] for setting in actual - exact}
    assert exact - actual <= {"index_granularity = 8192"} and others == unclear, (
        f"the fixture is wrong: {table} has the settings {listed}, not {dict(settings)}"
    )


@step("I fill partitions {partitions} of {table}")
def fill(
    table: Table,
    partitions: Sequence[int] = (1, 2, 3),
    *,
    rows: int = 10,
    parts: int = 1,
    check: bool = True,
) -> list[Row]:
    """Insert rows that carry the table's name, so that one table's rows are never another's.

    Each partition gets `parts` parts of `rows` rows; the numbers are random, from the run's seed, and no
    number comes twice in a scenario. Returns all rows, sorted, once the table has each of them; `check` is
    false where the caller reads them, or nobody can.
    """
    planned = drawn_parts(this().numbers, table.name, partitions, rows=rows, parts=parts)
    for part in planned:
        insert(table, part)
    inserted = sorted(row for part in planned for row in part)
    if check:
        own = set(inserted)
        held = [row for row in _rows_in(table, partitions) if row in own]
        assert held == inserted, f"the fixture is wrong: {table} has {held} of {inserted}"
    return inserted


def drawn_parts(
    numbers: DistinctNumbers, name: str, partitions: Sequence[int], *, rows: int, parts: int
) -> list[list[Row]]:
    """The rows that `fill` inserts, by part."""
    return [
        [(partition, number, f"{name} {number}") for number in numbers.draw(rows)]
        for partition in partitions
        for _ in range(parts)
    ]


@step("I fill the empty partitions {partitions} of {table}")
def fill_and_check(table: Table, partitions: Sequence[int], **options: Any) -> list[Row]:
    """The same, and see that these partitions hold exactly these rows; they were empty before."""
    inserted = fill(table, partitions, check=False, **options)
    held = _rows_in(table, partitions)
    assert held == inserted, f"the fixture is wrong: {table} holds {held} instead of {inserted}"
    return inserted


def _rows_in(table: Table, partitions: Sequence[int]) -> list[Row]:
    listed = ", ".join(map(str, partitions))
    return sorted(table.node.query(f"SELECT * FROM {table} WHERE p IN ({listed})"))


@step("I insert rows into {table}")
def insert(table: Table, rows: Sequence[Sequence[Any]]) -> None:
    """These rows, as one part for each partition among them."""
    table.node.query(f"INSERT INTO {table} VALUES", data=rows)


@step("I create a source and a destination with partitions {partitions}")
def partitioned_pair(
    partitions: int | Sequence[int] = 3, *, rows: int = 10, parts: int = 2, **options: Any
) -> tuple[Table, Table]:
    """A source and a destination with the same partitions; no number of one is in the other."""
    numbers = range(1, partitions + 1) if isinstance(partitions, int) else partitions
    source, destination = (create_table(name, **options) for name in ("source", "destination"))
    held: list[Row] = []
    for table in (source, destination):
        inserted = fill(table, numbers, rows=rows, parts=parts, check=False)
        seen = contents(table)
        assert seen == inserted, f"the fixture is wrong: {table} has {seen} instead of {inserted}"
        held += inserted
    repeated = repeated_numbers(held)
    # no mutant: the numbers are drawn here, the server has no part in it
    assert not repeated, f"the fixture is wrong: these rows share a number: {repeated}"
    return source, destination


def repeated_numbers(rows: Sequence[Row]) -> list[Row]:
    """The rows whose number, the second column, another one of these rows has as well."""
    times = Counter(row[1] for row in rows)
    return sorted(row for row in rows if times[row[1]] > 1)


@step("I create a source and a destination with partitions {partitions} of one part each")
def one_part_pair(partitions: int | Sequence[int] = 3, **options: Any) -> tuple[Table, Table]:
    """The same with one part a partition: nothing is there to be merged, and no setting is needed."""
    return partitioned_pair(partitions, parts=1, settings={}, **options)


def contents(table: Table, *, partition: int | None = None) -> list[Row]:
    """All rows, sorted; of one partition only if it is named."""
    where = "" if partition is None else f" WHERE p = {partition}"
    return sorted(table.node.query(f"SELECT * FROM {table}{where}"))


def different_contents(*tables: Table) -> list[list[Row]]:
    """The rows of each of these tables, which have equally many and none in common."""
    rows_by_table = [contents(table) for table in tables]
    numbers = [len(rows) for rows in rows_by_table]
    distinct = {row for rows in rows_by_table for row in rows}
    assert len(set(numbers)) == 1 and 0 < len(distinct) == sum(numbers), (
        f"the fixture is wrong: of {numbers} rows {len(distinct)} are different"
    )
    return rows_by_table


def contents_of_all(tables: Sequence[Table]) -> list[list[Row]]:
    """The same of several tables of one structure on one node, in one statement."""
    node, rows_by_table = tables[0].node, [list[Row]() for _ in tables]
    assert {table.node for table in tables} == {node}, f"not on one node: {tables}"
    selects = [f"SELECT {number}, * FROM {table}" for number, table in enumerate(tables)]
    for number, *row in node.query(" UNION ALL ".join(selects)):
        rows_by_table[number].append(tuple(row))
    return [sorted(rows) for rows in rows_by_table]


def by_partition(table: Table) -> dict[int, list[Row]]:
    """All rows, sorted, by their first column: the partition."""
    return divided(contents(table))


def divided(rows: Sequence[Row]) -> dict[int, list[Row]]:
    """Rows by their first column: the partition."""
    partitions: dict[int, list[Row]] = {}
    for row in rows:
        partitions.setdefault(row[0], []).append(row)
    return partitions


def distinct(values: Sequence[Value]) -> set[Value]:
    """These values, none of which may come twice: a set would hide that an answer has a row too many."""
    assert len(set(values)) == len(values), f"something is there twice: {sorted(values, key=repr)}"
    return set(values)


@step("I drop {table}")
def drop_table(table: Table) -> None:
    table.node.drop_table(str(table))
    assert not table.node.value(f"EXISTS TABLE {table}"), f"{table} was not dropped"


def column_names(table: Table) -> list[str]:
    """All columns that the table has, stored or computed."""
    return table.node.column(
        "SELECT name FROM system.columns "
        f"WHERE database = '{table.database}' AND table = '{table.name}'"
    )


def every_column(table: Table, *, partition: int) -> list[Row]:
    """The rows of a partition with all columns, those too that * leaves out."""
    names = ", ".join(f"`{name}`" for name in sorted(distinct(column_names(table))))
    return sorted(table.node.query(f"SELECT {names} FROM {table} WHERE p = {partition}"))


def definition(table: Table) -> str:
    """The table's CREATE statement without its name."""
    text = table.node.value(
        "SELECT create_table_query FROM system.tables "
        f"WHERE database = '{table.database}' AND name = '{table.name}'"
    )
    return str(text).replace(str(table), "")
