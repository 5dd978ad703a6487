"""The life of parts: merged, mutated, superseded, detached, removed."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeVar

from helpers.cluster.node import Node
from helpers.context import this
from steps.tables import Table

Value = TypeVar("Value")
# Superseded parts stay for as long as any scenario lasts.
KEPT: Mapping[str, Any] = {"old_parts_lifetime": 600}
# Superseded and empty parts are looked for every second (by default the intervals grow to minutes).
CLEANED: Mapping[str, Any] = {
    "cleanup_delay_period": 1,
    "max_cleanup_delay_period": 1,
    "cleanup_delay_period_random_add": 0,
}
# Settings with which every part is written in this format.
FORMATS: Mapping[str, Mapping[str, Any]] = {
    "Compact": {"min_bytes_for_wide_part": 0, "min_rows_for_wide_part": 1_000_000},
    "Wide": {"min_bytes_for_wide_part": 0, "min_rows_for_wide_part": 0},
}
# For what the background does in its own time.
BACKGROUND_SECONDS = 40.0


@dataclass(frozen=True)
class PartRecord:
    """A line of system.parts, of an active part or of one that waits for its removal."""

    name: str
    active: int
    rows: int
    partition_id: str
    min_block: int
    max_block: int
    level: int
    data_version: int
    kind: str
    hash: str
    bytes: int
    path: str

    @property
    def folder(self) -> Path:
        return Path(self.path)

    def covers(self, other: PartRecord) -> bool:
        """Whether this part was made from the other one, by a merge or by several."""
        return (
            self.partition_id == other.partition_id
            and self.min_block <= other.min_block
            and other.max_block <= self.max_block
            and other.level < self.level
        )


def part_records(table: Table) -> dict[str, PartRecord]:
    """All parts that the table has, by name: active ones and superseded ones, empty ones too."""
    found = table.node.query(
        "SELECT name, active, rows, partition_id, min_block_number, max_block_number, level, "
        "data_version, part_type, hash_of_all_files, bytes_on_disk, path FROM system.parts "
        f"WHERE database = '{table.database}' AND table = '{table.name}' ORDER BY name"
    )
    records = [PartRecord(*row) for row in found]
    return {record.name: record for record in records}


def active_parts(table: Table) -> dict[str, PartRecord]:
    return {name: part for name, part in part_records(table).items() if part.active}


def inactive_parts(table: Table) -> dict[str, PartRecord]:
    return {name: part for name, part in part_records(table).items() if not part.active}


def merge(table: Table, partition: int | None = None) -> None:
    """Merge all parts of the partition, or those of each partition, into one."""
    where = "" if partition is None else f"PARTITION {partition} "
    table.node.query(f"OPTIMIZE TABLE {table} {where}FINAL", settings={"optimize_throw_if_noop": 1})


def mutate(table: Table, change: str) -> None:
    """ALTER TABLE with this change, and wait until all parts have it."""
    table.node.query(f"ALTER TABLE {table} {change}", settings={"mutations_sync": 2})


# What makes all parts of a table inactive, and puts others in their places.
SUPERSEDE: Mapping[str, Callable[[Table], None]] = {
    "a merge": merge,
    "a mutation": lambda table: mutate(table, "UPDATE owner = 'b' WHERE 1"),
}


def rows_by_part(table: Table, columns: str = "*") -> dict[str, list[tuple[Any, ...]]]:
    """What a SELECT returns, by the part that each row comes from and in the order it has there."""
    found: dict[str, list[tuple[Any, ...]]] = {}
    for part, _, *row in table.node.query(
        f"SELECT _part, _part_offset, {columns} FROM {table} ORDER BY _part, _part_offset"
    ):
        found.setdefault(part, []).append(tuple(row))
    return found


def detached_parts(table: Table) -> dict[str, str]:
    """What system.detached_parts lists of the table: names and reasons."""
    found = table.node.query(
        "SELECT name, reason FROM system.detached_parts "
        f"WHERE database = '{table.database}' AND table = '{table.name}' ORDER BY name"
    )
    return dict(found)


def tidy_node() -> Node:
    """A node whose background is at work all the time (configs/fragments/tidy.xml)."""
    return this().node("tidy", fragments=("tidy",))


def in_background(ask: Callable[[], Value], **options: Any) -> Value:
    """Wait for what the server does by itself, in its own time."""
    return this().eventually(ask, timeout=BACKGROUND_SECONDS, **options)


def seen_removed(folders: Iterable[Path]) -> None:
    """Wait until the server has removed these parts; system.parts forgets them a moment before."""
    in_background(lambda: [folder.name for folder in folders if folder.exists()], equals=[])


def merges_of(table: Table) -> dict[str, list[PartRecord]]:
    """The parts that merges have made, and what each was made of, if nothing has been removed yet."""
    records = list(part_records(table).values())
    made = {}
    for part in records:
        covered = [one for one in records if part.covers(one)]
        sources = [one for one in covered if not any(other.covers(one) for other in covered)]
        if sources:
            made[part.name] = sources
    return made


def overlaps(parts: Iterable[PartRecord]) -> list[str]:
    """Pairs among these parts that have blocks of a partition in common."""
    by_place = sorted(parts, key=lambda part: (part.partition_id, part.min_block))
    return [
        f"{one.name} and {other.name}"
        for one, other in itertools.pairwise(by_place)
        if one.partition_id == other.partition_id and one.max_block >= other.min_block
    ]
