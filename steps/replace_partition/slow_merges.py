"""Merges that take more than a minute unless they are stopped.

The destination's parts lack a column whose default sleeps: a merge has to compute it, row by row. One
who reads the table has to leave that column out as long as those parts are there.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from helpers.scenario.context import this
from steps.replace_partition.held_statements import PARTITION
from steps.sleeping import sleep_each_row
from steps.tables import NO_MERGES, Table, create_table, fill, insert

PARTS = 8
ROWS = 40
SECONDS_PER_ROW = 0.25
# The shortest time in which the parts can be merged.
NATURAL_SECONDS = (PARTS - 1) * ROWS * SECONDS_PER_ROW
ROW_BY_ROW: Mapping[str, Any] = {"index_granularity": 1, "merge_max_block_size": 1}
# The background merges so many parts as soon as they are there, and fewer never.
WHEN_COMPLETE: Mapping[str, Any] = {**ROW_BY_ROW, "min_parts_to_merge_at_once": PARTS}
ON_DEMAND: Mapping[str, Any] = {**ROW_BY_ROW, **NO_MERGES}


def slow_pair(settings: Mapping[str, Any], *, partition: int = PARTITION) -> tuple[Table, Table]:
    """A source, and a destination that has in one partition all but one of the parts for a slow merge."""
    source, destination = (
        create_table(name, settings=settings) for name in ("source", "destination")
    )
    fill(destination, [partition], rows=ROWS, parts=PARTS - 1)
    sleeping = sleep_each_row(SECONDS_PER_ROW, rows_per_block=ROW_BY_ROW["merge_max_block_size"])
    for table in (source, destination):
        table.node.query(f"ALTER TABLE {table} ADD COLUMN slow UInt8 DEFAULT {sleeping}")
    insert_quickly(source, PARTITION)
    return source, destination


def insert_quickly(table: Table, partition: int = PARTITION) -> None:
    """One part more, of rows that have the slow column's value with them."""
    numbers = this().numbers.draw(ROWS)
    insert(table, [(partition, number, table.name, 0) for number in numbers])


def quick_rows(table: Table) -> list[tuple[Any, ...]]:
    """All rows, without the slow column."""
    return sorted(table.node.query(f"SELECT p, i, owner FROM {table}"))


def rows_read_by_merge(table: Table, partition: int = PARTITION) -> int:
    """How far the one merge of a partition has come."""
    return int(
        table.node.value(
            f"SELECT rows_read FROM system.merges WHERE database = '{table.database}' "
            f"AND table = '{table.name}' AND partition_id = '{partition}'"
        )
    )
