"""Tables whose parts are going to be superseded, and what there is to compare before and after."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from helpers.cluster.session import Row
from steps.part_life import KEPT, PartRecord, active_parts, inactive_parts
from steps.tables import NO_MERGES, Table, contents, create_table, insert


@dataclass(frozen=True)
class State:
    """The parts and rows of a table."""

    active: dict[str, PartRecord]
    inactive: dict[str, PartRecord]
    rows: list[Row]


def state(table: Table) -> State:
    return State(active_parts(table), inactive_parts(table), contents(table))


def two_parts(partitions: Sequence[int] = (1,), **settings: Any) -> Table:
    """Two parts in each partition, which are kept when they are superseded."""
    table = create_table("restarted", settings={**NO_MERGES, **KEPT, **settings})
    for start in (0, 10):
        insert(table, [(p, start + one, "old") for p in partitions for one in range(10)])
    return table
