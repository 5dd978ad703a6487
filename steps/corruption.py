"""Partitions that have one damage each."""

from __future__ import annotations

import itertools
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from steps.damage import DAMAGES, damage
from steps.part_kinds import ANY_BYTES, Kind, fill_with_kind
from steps.partitions import replacing
from steps.parts import parts
from steps.refusals import Attempt, attempt_over_http, listed
from steps.tables import NO_MERGES, Table, create_table

COMPACT, WIDE = "Compact", "Wide"
_EVERYWHERE = {
    "index": "primary.*idx",
    "checksums": "checksums.txt",
    "columns": "columns.txt",
    "count": "count.txt",
}
# The server reads the marks of the first column when it loads a wide part, the others later.
FILES: Mapping[str, Mapping[str, str]] = {
    COMPACT: {"data": "data.bin", "marks": "data.*mrk*", **_EVERYWHERE},
    WIDE: {"data": "i.bin", "marks": "i.*mrk*", "first marks": "p.*mrk*", **_EVERYWHERE},
}


@dataclass(frozen=True)
class Cell:
    """One way to corrupt a partition: its kind, the type of the damaged part, its file, the damage."""

    kind: Kind
    part_type: str
    file: str
    damage: str

    def __str__(self) -> str:
        place = " beside a sound part" if self.kind is Kind.MIXED else ""
        return f"{self.file} {self.damage} in a {self.part_type.lower()} part{place}"


PLACES = ((Kind.COMPACT, COMPACT), (Kind.WIDE, WIDE), (Kind.MIXED, COMPACT), (Kind.MIXED, WIDE))
CELLS = tuple(
    Cell(kind, part_type, file, how)
    for kind, part_type in PLACES
    for file, how in itertools.product(FILES[part_type], DAMAGES)
)


def sound_pair(cells: Sequence[Cell]) -> tuple[Table, Table]:
    """A source and a destination with a partition for each cell, numbered from 1 on."""
    pair = tuple(
        create_table(name, settings={**NO_MERGES, **ANY_BYTES})
        for name in ("source", "destination")
    )
    for kind in dict.fromkeys(cell.kind for cell in cells):
        numbers = [number for number, cell in enumerate(cells, 1) if cell.kind is kind]
        for table in pair:
            fill_with_kind(table, kind, numbers)
    return pair[0], pair[1]


def damage_partitions(table: Table, cells: Sequence[Cell]) -> None:
    """Do to each partition of the table what its cell says."""
    found = table.node.query(
        "SELECT partition_id, part_type, path FROM system.parts "
        f"WHERE database = '{table.database}' AND table = '{table.name}' AND active"
    )
    folders = {(partition, part_type): Path(path) for partition, part_type, path in found}
    for number, cell in enumerate(cells, 1):
        _damage(folders[str(number), cell.part_type], cell)


def _damage(folder: Path, cell: Cell) -> None:
    pattern = FILES[cell.part_type][cell.file]
    files = list(folder.glob(pattern))
    assert len(files) == 1, f"{folder} has {len(files)} files {pattern}, expected one"
    damage(files[0], cell.damage)


def all_accepted(cells: Sequence[Cell]) -> str:
    """How the message begins if the statement returned without an error for each of the cells."""
    return f"accepted {len(cells)} of {len(cells)} damages"


def replace_all(source: Table, destination: Table, cells: Sequence[Cell]) -> list[Attempt]:
    """Replace the partition of each cell; where it was accepted, see that the parts are other ones."""
    before = {part.name for part in parts(destination)}
    outcomes = [
        attempt_over_http(destination.node, replacing(destination, source, number))
        for number in range(1, len(cells) + 1)
    ]
    kept = {part.partition_id for part in parts(destination) if part.name in before}
    for number, outcome in enumerate(outcomes, 1):
        assert outcome.accepted != (str(number) in kept), f"{cells[number - 1]}: {outcome}, untrue"
    return outcomes


def expect_errors(cells: Sequence[Cell], outcomes: Sequence[Attempt]) -> None:
    """The requirement: an error for every damage."""
    accepted = [
        str(cell) for cell, outcome in zip(cells, outcomes, strict=True) if outcome.accepted
    ]
    assert not accepted, listed(f"accepted {len(accepted)} of {len(cells)} damages", accepted)
