"""The statements that manipulate a partition, and what each has to leave behind REPLACE PARTITION."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from pathlib import Path

from helpers.cluster.session import Row
from helpers.context import this
from steps.beside_replace import SETTINGS, Check, Operation, Tables, rows
from steps.overlap import PARTITION
from steps.tables import Table, fill, insert

EVEN = "i % 2 = 0"
FREEZE = "ALTER TABLE {destination} FREEZE PARTITION 1 WITH NAME '{backup}'"


def ends_with(
    expected: Sequence[Row], tables: Tables, found: Sequence[Row], what: str
) -> list[str]:
    """What is wrong with these rows, or nothing."""
    same = sorted(found) == sorted(expected)
    return [] if same else [f"{what} {tables.told(found)} rows"]


def partition_ends_empty(tables: Tables) -> list[str]:
    return ends_with([], tables, rows(tables.destination), "the partition ends with")


def new_rows_are_detached(tables: Tables) -> list[str]:
    """What was detached shows when it is attached again."""
    wrong = partition_ends_empty(tables)
    before = Counter(rows(tables.destination))
    tables.destination.node.query(f"ALTER TABLE {tables.destination} ATTACH PARTITION {PARTITION}")
    detached = list((Counter(rows(tables.destination)) - before).elements())
    return wrong + ends_with(tables.new, tables, detached, "detached are")


def detach_some(tables: Tables) -> None:
    """Rows that ATTACH PARTITION can bring back."""
    numbers = this().random.sample(range(1_000_000), 5)
    insert(tables.destination, [(PARTITION, number, "attached") for number in numbers])
    tables.made = rows(tables.destination)
    tables.destination.node.query(f"ALTER TABLE {tables.destination} DETACH PARTITION {PARTITION}")


def freeze_some(tables: Tables) -> None:
    """A backup that UNFREEZE PARTITION can remove; the answer ends with the folder of each part."""
    fill(tables.destination, [PARTITION])
    sql = FREEZE.format(**vars(tables))
    tables.made = tables.destination.node.query(sql, settings=SETTINGS)
    assert backup_is_there(tables), f"the fixture is empty: no backup in {tables.made}"


def backup_is_there(tables: Tables) -> bool:
    return any(Path(row[-1]).exists() for row in tables.made)


def new_parts_are_frozen(tables: Tables) -> list[str]:
    """The answer of FREEZE PARTITION names the parts; an old part has another name than a new one."""
    frozen = {part for row in tables.answer for part in row if isinstance(part, str)}
    names = [name for name, *_ in active(tables.destination, "is_frozen")]
    missing = [name for name, is_frozen in active(tables.destination, "is_frozen") if not is_frozen]
    if missing or not frozen.issuperset(names) or len(tables.answer) != len(names):
        return [f"{len(names) - len(missing)} of {len(names)} new parts are in the backup"]
    return []


def moved(tables: Tables) -> list[str]:
    disks = sorted({disk for _, disk in active(tables.destination, "disk_name")})
    wrong = [] if disks == ["hold_other"] else [f"the new parts are on {', '.join(disks)}"]
    return wrong + as_new(lambda row: row)(tables)


def index_is_cleared(tables: Tables) -> list[str]:
    sizes = [size for _, size in active(tables.destination, "secondary_indices_compressed_bytes")]
    kept = len([size for size in sizes if size])
    wrong = [f"{kept} of {len(sizes)} new parts keep the index"] if kept or not sizes else []
    return wrong + as_new(lambda row: row)(tables)


def active(table: Table, column: str) -> list[Row]:
    """Name and one more column of the active parts of the partition."""
    return table.node.query(
        f"SELECT name, {column} FROM system.parts WHERE database = '{table.database}' "
        f"AND table = '{table.name}' AND active AND rows > 0 AND partition_id = '{PARTITION}'"
    )


def as_new(change: Callable[[Row], Row | None]) -> Check:
    """The partition ends with the new rows, each changed so, or left out where that gives None."""

    def wrong(tables: Tables) -> list[str]:
        expected = [row for row in map(change, tables.new) if row is not None]
        return ends_with(expected, tables, rows(tables.destination), "the partition ends with")

    return wrong


def both_sides(
    destination: Callable[[Tables], list[Row]], third: Callable[[Tables], list[Row]]
) -> Check:
    """What the partition has to hold in the destination and in the third table."""

    def wrong(tables: Tables) -> list[str]:
        here, there = rows(tables.destination), rows(tables.third)
        return [
            *ends_with(destination(tables), tables, here, "the partition ends with"),
            *ends_with(third(tables), tables, there, "the third table ends with"),
        ]

    return wrong


ALTER = "ALTER TABLE {destination} "
DETACH = Operation(ALTER + "DETACH PARTITION 1", new_rows_are_detached)
DROP = Operation(ALTER + "DROP PARTITION 1", partition_ends_empty)
ATTACH = Operation(
    ALTER + "ATTACH PARTITION 1",
    both_sides(lambda tables: tables.new + tables.made, lambda tables: tables.other),
    prepare=detach_some,
)
ATTACH_FROM = Operation(
    ALTER + "ATTACH PARTITION 1 FROM {third}",
    both_sides(lambda tables: tables.new + tables.other, lambda tables: tables.other),
)
REPLACE = Operation(
    ALTER + "REPLACE PARTITION 1 FROM {third}",
    both_sides(lambda tables: tables.other, lambda tables: tables.other),
)
REPLACE_THIRD = Operation(
    "ALTER TABLE {third} REPLACE PARTITION 1 FROM {destination}",
    both_sides(lambda tables: tables.new, lambda tables: tables.new),
)
MOVE_TO_TABLE = Operation(
    ALTER + "MOVE PARTITION 1 TO TABLE {third}",
    both_sides(lambda tables: [], lambda tables: tables.other + tables.new),
)
CLEAR_COLUMN = Operation(
    ALTER + "CLEAR COLUMN owner IN PARTITION 1", as_new(lambda row: (*row[:2], ""))
)
CLEAR_INDEX = Operation(ALTER + "CLEAR INDEX numbers IN PARTITION 1", index_is_cleared)
FREEZE_PARTITION = Operation(FREEZE, new_parts_are_frozen)
UNFREEZE = Operation(
    ALTER + "UNFREEZE PARTITION 1 WITH NAME '{backup}'",
    lambda tables: ["the backup is still there"] if backup_is_there(tables) else [],
    prepare=freeze_some,
    meanwhile=lambda tables: [] if backup_is_there(tables) else ["the backup was gone by then"],
)
MOVE_TO_DISK = Operation(ALTER + "MOVE PARTITION 1 TO DISK 'hold_other'", moved)
MOVE_TO_VOLUME = Operation(ALTER + "MOVE PARTITION 1 TO VOLUME 'other'", moved)
UPDATE = Operation(
    ALTER + f"UPDATE owner = 'changed' IN PARTITION 1 WHERE {EVEN}",
    as_new(lambda row: row if row[1] % 2 else (*row[:2], "changed")),
)
DELETE = Operation(
    ALTER + f"DELETE IN PARTITION 1 WHERE {EVEN}", as_new(lambda row: row if row[1] % 2 else None)
)
