"""Storage: on which disks a table's parts lie, and matrices of where source and destination have theirs.

A matrix is one pair of tables with a partition for each of its cells: cheap enough to run all of it.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from helpers.cluster.node import Node
from helpers.context import this
from steps.partitions import replace_each
from steps.tables import NO_MERGES, Table, by_partition, create_table, insert

UNTOUCHED = 0
Place = tuple[str, ...]


@dataclass(frozen=True)
class Cell:
    """A partition of a matrix: one part of the source on each of these disks, and the destination's."""

    partition: int
    source: Place
    destination: Place

    def __str__(self) -> str:
        return f"{'+'.join(self.source)} to {'+'.join(self.destination)}"


def cells(places: Iterable[Place]) -> list[Cell]:
    """Every place as the source's with every place as the destination's."""
    pairs = itertools.product(places, repeat=2)
    return [Cell(number, *pair) for number, pair in enumerate(pairs, start=UNTOUCHED + 1)]


def lay_out(node: Node, policy: str, matrix: Sequence[Cell]) -> tuple[Table, Table]:
    """Source and destination of this policy with the parts of every cell where it wants them."""
    source, destination = (stored_table(name, node, policy) for name in ("source", "destination"))
    place(source, {cell.partition: cell.source for cell in matrix})
    place(destination, {cell.partition: cell.destination for cell in matrix})
    return source, destination


def stored_table(name: str, node: Node, policy: str) -> Table:
    """An empty table of this storage policy."""
    return create_table(name, node=node, settings={**NO_MERGES, "storage_policy": policy})


def place(table: Table, places: Mapping[int, Place]) -> None:
    """Fill these partitions with one part on each of their disks, and see them there. The table gets
    one partition more, UNTOUCHED, which no cell replaces."""
    for number in range(max(map(len, places.values()))):
        wanted = [UNTOUCHED, *(one for one, disks in places.items() if number < len(disks))]
        dice = this().random.sample(range(1_000_000), len(wanted))
        insert(table, [(one, dice.pop(), table.name) for one in wanted])
    located = disks_of(table)
    for partition, disks in places.items():
        for (part, lies_on), disk in zip(located[partition].items(), disks, strict=True):
            if lies_on != disk:
                table.node.query(f"ALTER TABLE {table} MOVE PART '{part}' TO DISK '{disk}'")
    located = disks_of(table)
    for partition, disks in places.items():
        found = tuple(located[partition].values())
        assert found == disks, f"the fixture {table} lies on {found} instead of {disks}"


def replace_cells(matrix: Sequence[Cell], source: Table, destination: Table) -> list[str]:
    """Replace the partition of every cell; what went wrong, by cell."""
    assert UNTOUCHED in by_partition(destination), "nothing would show that the rest is left alone"
    return replace_each(
        destination,
        {cell.partition: source for cell in matrix},
        {cell.partition: str(cell) for cell in matrix},
    )


def disks_of(table: Table) -> dict[int, dict[str, str]]:
    """The disk of each active part, by partition and name of the part."""
    found: dict[int, dict[str, str]] = {}
    for partition, part, disk in table.node.query(
        "SELECT toUInt64(partition_id), name, disk_name FROM system.parts WHERE active AND rows > 0 "
        f"AND database = '{table.database}' AND table = '{table.name}' ORDER BY min_block_number"
    ):
        found.setdefault(partition, {})[part] = disk
    return found


def readable_parts(table: Table, marker: str) -> dict[str, bool]:
    """Whether this text, which the rows carry, can be read in the files of each active part."""
    found = {}
    for part, path in table.node.query(
        "SELECT name, path FROM system.parts WHERE active AND rows > 0 "
        f"AND database = '{table.database}' AND table = '{table.name}'"
    ):
        files = [file.read_bytes() for file in Path(path).iterdir() if file.is_file()]
        assert files, f"the part {part} of {table} has no files in {path}"
        found[part] = any(marker.encode() in content for content in files)
    return found
