"""ReplacingMergeTree: the rows that a table stores, those that survive, its parts, and its definition."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from helpers.cluster.client.session import Row
from steps.tables import Table


def stored(table: Table) -> list[Row]:
    """What lies in the parts, duplicates and all, sorted."""
    return in_order(table.node.query(f"SELECT * FROM {table}"))


def survivors(
    table: Table, *, where: str = "", settings: Mapping[str, Any] | None = None
) -> list[Row]:
    """What SELECT … FINAL returns, sorted."""
    condition = f" WHERE {where}" if where else ""
    return in_order(table.node.query(f"SELECT * FROM {table} FINAL{condition}", settings=settings))


def in_order(rows: Iterable[Row]) -> list[Row]:
    """By their text: a NULL has no order among other values."""
    return sorted(rows, key=repr)


def part_values(table: Table, column: str = "name") -> list[Any]:
    """What system.parts says about the active parts with rows in them, by name."""
    return table.node.column(
        f"SELECT {column} FROM system.parts WHERE database = '{table.database}' "
        f"AND table = '{table.name}' AND active AND rows > 0 ORDER BY name"
    )


def repeated_in_a_part(table: Table) -> list[Row]:
    """Parts that hold more than one row of a key, with the key and their number."""
    return table.node.query(
        f"SELECT _part, key, count() AS copies FROM {table} "
        "GROUP BY _part, key HAVING copies > 1 ORDER BY _part, key"
    )


def engines(table: Table) -> list[str]:
    """Of the tables of this name: one, or none."""
    return [engine for (engine,) in _system_table(table, "engine")]


def definition(table: Table) -> str:
    """The engine and all that follows it, as the server understood it."""
    definitions = [text for (text,) in _system_table(table, "engine_full")]
    return "; ".join(definitions) or "nothing"


def keys_of(table: Table) -> Row:
    """Its partition key, sorting key, primary key and sampling key."""
    (keys,) = _system_table(table, "partition_key, sorting_key, primary_key, sampling_key")
    return keys


def _system_table(table: Table, columns: str) -> list[Row]:
    return table.node.query(
        f"SELECT {columns} FROM system.tables "
        f"WHERE database = '{table.database}' AND name = '{table.name}'"
    )
