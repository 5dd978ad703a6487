"""Tables whose parts are going to be superseded, and what there is to compare before and after."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from helpers.cluster.client.session import Row
from steps.table_parts.part_life import PartRecord, active_parts, inactive_parts, table_of_parts
from steps.tables import Table, contents


@dataclass(frozen=True)
class PartsState:
    """The parts and rows of a table."""

    active: dict[str, PartRecord]
    inactive: dict[str, PartRecord]
    rows: list[Row]


def state(table: Table) -> PartsState:
    return PartsState(active_parts(table), inactive_parts(table), contents(table))


def two_parts_rows(partitions: Sequence[int] = (1,), owner: str = "old") -> list[Row]:
    """What two such parts have in each partition, sorted."""
    return [(p, number, owner) for p in partitions for number in range(20)]


def two_parts(partitions: Sequence[int] = (1,), **settings: Any) -> Table:
    """Two parts in each partition, which are kept when they are superseded."""
    parts = [
        [row for row in two_parts_rows(partitions) if start <= row[1] < start + 10]
        for start in (0, 10)
    ]
    return table_of_parts("restarted", parts, settings=settings)
