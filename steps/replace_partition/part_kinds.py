"""Kinds of partitions by the parts in them: compact, wide, both, none, empty ones."""

from __future__ import annotations

import enum
from collections.abc import Mapping, Sequence
from typing import Any

from helpers.cluster.client.session import Row
from helpers.scenario.context import this
from steps.background_changes import UNTIL_DONE
from steps.tables import NO_MERGES, Table, create_table, drawn_parts

# A part is wide only where it reaches both limits, of rows and of bytes: the one of bytes is always
# reached, so that the one of rows decides.
ANY_BYTES = {"min_bytes_for_wide_part": 0}
ALWAYS_WIDE, NEVER_WIDE = 0, 1_000_000
ROWS = 10


class PartKind(enum.Enum):  # 5 variants
    """What a partition consists of."""

    COMPACT = "compact parts"
    WIDE = "wide parts"
    MIXED = "compact and wide parts"
    NONE = "no parts"
    EMPTY = "empty parts"


def create_table_that_keeps_empty_parts(name: str) -> Table:
    """A table whose parts stay what they are: neither merged nor dropped when they are empty."""
    return create_table(name, settings={**NO_MERGES, **ANY_BYTES, "remove_empty_parts": 0})


def fill_with_kind(
    table: Table,
    kind: PartKind,
    partitions: Sequence[int] = (1,),
    *,
    settings: Mapping[str, Any] | None = None,
) -> list[Row]:
    """Insert parts of this kind into these partitions, with these settings; return their rows."""
    rows: list[Row] = []
    if kind in (PartKind.COMPACT, PartKind.MIXED, PartKind.EMPTY):
        rows += _insert(table, partitions, NEVER_WIDE, settings)
    if kind in (PartKind.WIDE, PartKind.MIXED):
        rows += _insert(table, partitions, ALWAYS_WIDE, settings)
    if kind is PartKind.EMPTY:
        chosen = ", ".join(map(str, partitions))
        table.node.query(f"ALTER TABLE {table} DELETE WHERE p IN ({chosen})", settings=UNTIL_DONE)
        rows = []
    seen = kinds(table, partitions)
    assert seen == dict.fromkeys(partitions, kind), f"the fixture is wrong: {table} has {seen}"
    return sorted(rows)


def kinds(table: Table, partitions: Sequence[int]) -> dict[int, PartKind]:
    """Of which kind these partitions are, as system.parts tells."""
    ids = ", ".join(f"'{partition}'" for partition in partitions)
    rows = table.node.query(
        "SELECT toUInt64(partition_id), groupUniqArrayIf(part_type, rows > 0) FROM system.parts "
        f"WHERE database = '{table.database}' AND table = '{table.name}' AND active "
        f"AND partition_id IN ({ids}) GROUP BY partition_id"
    )
    by_partition = {partition: _kind(types) for partition, types in rows}
    assert len(rows) == len(by_partition), f"{table} has partitions twice: {rows}"
    return dict.fromkeys(partitions, PartKind.NONE) | by_partition


def _kind(types: Sequence[str]) -> PartKind:
    """The kind of a partition whose parts with rows are of these types; any other type is an error."""
    return {
        (): PartKind.EMPTY,
        ("Compact",): PartKind.COMPACT,
        ("Wide",): PartKind.WIDE,
        ("Compact", "Wide"): PartKind.MIXED,
    }[tuple(sorted(types))]


def _insert(
    table: Table, partitions: Sequence[int], wide_from: int, settings: Mapping[str, Any] | None
) -> list[Row]:
    """One part in each partition, with rows that only this table has."""
    table.node.query(f"ALTER TABLE {table} MODIFY SETTING min_rows_for_wide_part = {wide_from}")
    parts = drawn_parts(this().numbers, table.name, partitions, rows=ROWS, parts=1)
    rows = [row for part in parts for row in part]
    table.node.query(f"INSERT INTO {table} VALUES", data=rows, settings=settings)
    return rows
