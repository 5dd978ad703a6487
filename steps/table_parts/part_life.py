"""The life of parts: merged, mutated, superseded, detached, removed."""

from __future__ import annotations

import itertools
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeVar

from helpers.cluster.node import Node
from helpers.scenario.context import this
from helpers.scenario.step import step
from steps.background_changes import UNTIL_DONE
from steps.table_parts.part_files import format_on_disk, rows_on_disk
from steps.tables import NO_MERGES, Table, create_table, insert

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
FORMATS: Mapping[str, Mapping[str, Any]] = {  # 2 variants
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
    path: str

    @property
    def folder(self) -> Path:
        return Path(self.path)

    @property
    def place(self) -> tuple[str, int, int, int]:
        """Partition, blocks and level: what a mutation does not change."""
        return self.partition_id, self.min_block, self.max_block, self.level

    def contradictions(self) -> list[str]:
        """Where this line differs from the part's name and its files."""
        mutated = self.data_version > self.min_block or self.partition_id.startswith("patch-")
        version = f"_{self.data_version}" if mutated else ""
        name = "_".join(map(str, self.place)) + version
        wrong = [] if self.name == name else [f"it is called {self.name}, not {name}"]
        if not mutated and self.data_version != self.min_block:
            wrong.append(f"its data are of version {self.data_version}")
        if not self.path.endswith(f"/{self.name}/"):
            wrong.append(f"it is in {self.path}")
        if self.active not in (0, 1):
            wrong.append(f"active is {self.active}")
        if format_on_disk(self.folder) not in (None, self.kind):
            wrong.append(f"it is not {self.kind}")
        if rows_on_disk(self.folder) not in (None, self.rows):
            wrong.append(f"it does not have {self.rows} rows")
        return wrong

    def covers(self, other: PartRecord) -> bool:
        """Whether this part was made from the other one, by a merge or by several."""
        return (
            self.partition_id == other.partition_id
            and self.min_block <= other.min_block
            and other.max_block <= self.max_block
            and other.level < self.level
        )


def by_name(answer: Sequence[Sequence[Any]]) -> dict[str, tuple[Any, ...]]:
    """What a system table says of each part, by the name in its first column, by which it is sorted."""
    names = [row[0] for row in answer]
    assert names == sorted(set(names)), f"a name is listed twice, or not in its place: {names}"
    return {name: tuple(values) for name, *values in answer}


def part_records(table: Table, condition: str = "") -> dict[str, PartRecord]:
    """All parts that the table has, by name: active ones and superseded ones, empty ones too.

    What the server says of them has to agree with their names and with the disk.
    """
    answer = table.node.query(
        "SELECT name, active, rows, partition_id, min_block_number, max_block_number, level, "
        "data_version, part_type, path FROM system.parts "
        f"WHERE database = '{table.database}' AND table = '{table.name}'{condition} ORDER BY name"
    )
    records = {name: PartRecord(name, *values) for name, values in by_name(answer).items()}
    wrong = {name: record.contradictions() for name, record in records.items()}
    assert not any(wrong.values()), f"system.parts contradicts the parts: {wrong}"
    return records


def part_hashes(table: Table) -> dict[str, str]:
    """What the server says of the content of all parts, by name."""
    answer = table.node.query(
        "SELECT name, hash_of_all_files FROM system.parts "
        f"WHERE database = '{table.database}' AND table = '{table.name}' ORDER BY name"
    )
    return {name: content for name, (content,) in by_name(answer).items()}


@step("I create a table {name} and its parts")
def table_of_parts(name: str, parts: Iterable[Sequence[Sequence[Any]]], **options: Any) -> Table:
    """A table that keeps its superseded parts, with these rows inserted part by part."""
    settings = {**NO_MERGES, **KEPT, **options.pop("settings", {})}
    table = create_table(name, settings=settings, **options)
    for rows in parts:
        insert(table, rows)
    return table


def active_parts(table: Table) -> dict[str, PartRecord]:
    return _records_of(table, active=1)


def filled_parts(table: Table) -> dict[str, PartRecord]:
    """Active parts with rows: without the empty ones that take the places of detached or dropped ones."""
    return part_records(table, " AND active AND rows > 0")


def inactive_parts(table: Table) -> dict[str, PartRecord]:
    return _records_of(table, active=0)


def _records_of(table: Table, active: int) -> dict[str, PartRecord]:
    records = part_records(table, f" AND active = {active}")
    wrong = [name for name, part in records.items() if part.active != active]
    assert not wrong, f"active = {active} is not true of {wrong}"
    return records


@step("I merge {table}")
def merge(table: Table, partition: int | None = None) -> None:
    """Merge all parts of the partition, or those of each partition, into one."""
    where = "" if partition is None else f"PARTITION {partition} "
    table.node.query(f"OPTIMIZE TABLE {table} {where}FINAL")


@step("I alter {table}: {change}")
def mutate(table: Table, change: str) -> None:
    """ALTER TABLE with this change; the statement returns when all parts have it."""
    table.node.query(f"ALTER TABLE {table} {change}", settings=UNTIL_DONE)


# What makes all parts of a table inactive, and puts others in their places.
SUPERSEDING: Mapping[str, Callable[[Table], None]] = {  # 2 variants
    "a merge": merge,
    "a mutation": lambda table: mutate(table, "UPDATE owner = 'b' WHERE 1"),
}


def rows_by_partition(parts: Iterable[PartRecord]) -> Counter[str]:
    """How many rows these parts have in each partition."""
    counts: Counter[str] = Counter()
    for part in parts:
        counts[part.partition_id] += part.rows
    return counts


@step("I supersede the parts of {table} by {how}")
def supersede(table: Table, how: str) -> dict[str, PartRecord]:
    """Supersede all active parts in this way, and prove that it was this way; the new active parts.

    A merge makes parts of a higher level, a mutation makes parts of a higher version in the same places.
    """
    before = active_parts(table)
    SUPERSEDING[how](table)
    after = active_parts(table)
    rows = rows_by_partition(before.values())
    assert rows_by_partition(after.values()) == rows, (
        f"{how} has changed the number of rows: {rows}"
    )
    same_places = {part.place for part in after.values()} == {
        part.place for part in before.values()
    }
    assert same_places == (how == "a mutation"), f"{how} made {sorted(after)} of {sorted(before)}"
    kept = after.keys() & before.keys()
    assert not kept, f"{how} has left {sorted(kept)} as they were"
    covered = {new.name for new in after.values() for old in before.values() if new.covers(old)}
    assert same_places or covered == after.keys(), f"{how} made {sorted(after)} of {sorted(before)}"
    return after


def rows_by_part(table: Table, columns: str = "*") -> dict[str, list[tuple[Any, ...]]]:
    """What a SELECT returns, by the part that each row comes from and in the order it has there."""
    rows: dict[str, list[tuple[Any, ...]]] = {}
    for part, offset, *row in table.node.query(
        f"SELECT _part, _part_offset, {columns} FROM {table} ORDER BY _part, _part_offset"
    ):
        of_part = rows.setdefault(part, [])
        assert offset == len(of_part), f"row {len(of_part)} of {part} is at {offset}"
        of_part.append(tuple(row))
    return rows


def sorted_rows(rows: Mapping[str, Iterable[tuple[Any, ...]]]) -> list[tuple[Any, ...]]:
    """The rows of all these parts, sorted."""
    return sorted(itertools.chain.from_iterable(rows.values()))


def detached_parts(table: Table) -> dict[str, str | None]:
    """What system.detached_parts lists of the table: names and reasons."""
    answer = table.node.query(
        "SELECT name, reason FROM system.detached_parts "
        f"WHERE database = '{table.database}' AND table = '{table.name}' ORDER BY name"
    )
    return {name: reason for name, (reason,) in by_name(answer).items()}


def tidy_node() -> Node:
    """A node whose background is at work all the time (configs/fragments/tidy.xml)."""
    return this().node("tidy", fragments=("tidy",))


def in_background(ask: Callable[[], Value], **options: Any) -> Value:
    """Wait for what the server does by itself, in its own time."""
    return this().eventually(ask, timeout=BACKGROUND_SECONDS, **options)


def wait_until_forgotten(table: Table) -> None:
    """Wait until the server has no superseded parts of the table any more."""
    count = (
        "SELECT count() FROM system.parts WHERE NOT active "
        f"AND database = '{table.database}' AND table = '{table.name}'"
    )
    in_background(lambda: table.node.value(count), equals=0)


def wait_until_removed(folders: Iterable[Path]) -> None:
    """Wait until the server has removed these parts; system.parts forgets them a moment before."""
    in_background(lambda: [folder.name for folder in folders if folder.exists()], equals=[])


def merges_of(table: Table) -> dict[str, list[PartRecord]]:
    """The parts that merges have made, and what each was made of, if nothing has been removed yet."""
    records = list(part_records(table).values())
    made = {}
    for part in records:
        covered = [record for record in records if part.covers(record)]
        sources = [
            record for record in covered if not any(other.covers(record) for other in covered)
        ]
        if sources:
            left = [source.name for source in sources if source.active]
            assert not left, f"{left} are active, and {part.name} was made of them"
            rows = sum(source.rows for source in sources)
            assert rows == part.rows, f"{part.name} has {part.rows} rows, its sources have {rows}"
            made[part.name] = sources
    return made


def overlaps(parts: Iterable[PartRecord]) -> list[str]:
    """Pairs among these parts that have blocks of a partition in common."""
    by_place = sorted(parts, key=lambda part: (part.partition_id, part.min_block))
    return [
        f"{part.name} and {following.name}"
        for part, following in itertools.pairwise(by_place)
        if part.partition_id == following.partition_id and part.max_block >= following.min_block
    ]
