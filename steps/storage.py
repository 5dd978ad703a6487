"""Storage: on which disks a table's parts lie, and matrices of where source and destination have theirs.

A matrix is one pair of tables with a partition for each of its cells: cheap enough to run all of it.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from helpers.cluster.node import Node
from helpers.scenario.context import this
from helpers.scenario.drawing import DistinctNumbers
from helpers.scenario.step import step
from steps.damage import content_of
from steps.partitions import replace_each
from steps.tables import NO_MERGES, Table, create_table, distinct, insert

UNTOUCHED = 0
# An encrypted file begins with a signature, a version, the algorithm and a fingerprint of the key.
HEADER = 3 + 2 + 2 + 16
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


@step("I create tables with the storage policy {policy}")
def lay_out(node: Node, policy: str, matrix: Sequence[Cell]) -> tuple[Table, Table]:
    """Source and destination of this policy with the parts of every cell where it wants them."""
    source, destination = (stored_table(name, node, policy) for name in ("source", "destination"))
    place(source, {cell.partition: cell.source for cell in matrix})
    place(destination, {cell.partition: cell.destination for cell in matrix})
    return source, destination


def stored_table(name: str, node: Node, policy: str) -> Table:
    """An empty table of this storage policy."""
    return create_table(name, node=node, settings={**NO_MERGES, "storage_policy": policy})


@step("I place parts of {table} on disks")
def place(table: Table, places: Mapping[int, Place]) -> None:
    """Fill these partitions with one part on each of their disks, and see them there. The table gets
    one partition more, UNTOUCHED, which no cell replaces."""
    for number in range(max(map(len, places.values()))):
        wanted = [
            UNTOUCHED,
            *(partition for partition, disks in places.items() if number < len(disks)),
        ]
        insert(table, drawn_layer(this().numbers, table.name, wanted))
    located = disks_of(table)
    for partition, disks in places.items():
        for (part, lies_on), disk in zip(located[partition].items(), disks, strict=True):
            if lies_on != disk:
                table.node.query(f"ALTER TABLE {table} MOVE PART '{part}' TO DISK '{disk}'")
    located = disks_of(table)
    for partition, disks in places.items():
        actual = tuple(located[partition].values())
        assert actual == disks, f"the fixture {table} lies on {actual} instead of {disks}"


def drawn_layer(
    numbers: DistinctNumbers, name: str, partitions: Sequence[int]
) -> list[tuple[int, int, str]]:
    """One row for each of these partitions."""
    drawn = numbers.draw(len(partitions))
    return [(value, number, name) for value, number in zip(partitions, drawn, strict=True)]


@step("I replace every partition of {destination} from {source}")
def replace_cells(matrix: Sequence[Cell], source: Table, destination: Table) -> list[str]:
    """Replace the partition of every cell; what went wrong, by cell."""
    ours, theirs = disks_of(source), disks_of(destination)
    assert UNTOUCHED in theirs, "nothing would show that the rest is left alone"
    tried = distinct([(cell.source, cell.destination) for cell in matrix])
    assert len(tried) == len({place for place, _ in tried}) ** 2 > 0, f"not every pairing: {tried}"
    for cell in matrix:
        places = tuple(tuple(disks[cell.partition].values()) for disks in (ours, theirs))
        assert places == (cell.source, cell.destination), f"{cell} lies on {places}"
    return replace_each(
        destination,
        {cell.partition: source for cell in matrix},
        {cell.partition: str(cell) for cell in matrix},
    )


def disks_of(table: Table) -> dict[int, dict[str, str]]:
    """The disk of each active part, by partition and name of the part."""
    located: dict[int, dict[str, str]] = {}
    rows = table.node.query(
        "SELECT count() OVER (), toUInt64(partition_id), name, disk_name FROM system.parts "
        "WHERE active AND rows > 0 "
        f"AND database = '{table.database}' AND table = '{table.name}' ORDER BY min_block_number"
    )
    for number, partition, part, disk in rows:
        assert number == len(rows), f"not all parts of {table}: {rows}"
        parts = located.setdefault(partition, {})
        assert part not in parts and part.startswith(f"{partition}_"), f"{part} in {partition}"
        parts[part] = disk
    return located


def parts_in_cleartext(table: Table, marker: str) -> dict[str, str]:
    """The disk of each active part in whose files this text, which the rows carry, can be read."""
    readable, examined = {}, []
    for part, disk, path in table.node.query(
        "SELECT name, disk_name, path FROM system.parts WHERE active AND rows > 0 "
        f"AND database = '{table.database}' AND table = '{table.name}'"
    ):
        assert path.endswith(f"/{part}/"), f"the part {part} of {table} lies in {path}"
        files = [file.read_bytes() for file in Path(path).iterdir() if file.is_file()]
        assert files, f"the part {part} of {table} has no files in {path}"
        examined.append((part, disk))
        if any(marker.encode() in content for content in files):
            readable[part] = disk
    located = [part for parts in disks_of(table).values() for part in parts.items()]
    assert sorted(examined) == sorted(located), f"{examined} of {located} were examined"
    return readable


def is_in_cleartext(node: Node, disk: str, marker: str) -> bool:
    """Whether this text can be read in any file on a disk; one that is just removed does not count."""
    path = node.value(f"SELECT path FROM system.disks WHERE name = '{disk}'")
    assert Path(path).name == disk, f"the disk {disk} lies in {path}"
    files = [file for file in Path(path).rglob("*") if file.is_file()]
    return any(marker.encode() in (content_of(file) or b"") for file in files)


def encrypted_with(node: Node, disk: str) -> set[bytes]:
    """With what the files on an encrypted disk say that they were encrypted: algorithm and key, of which
    their headers have a fingerprint."""
    path = node.value(f"SELECT path FROM system.disks WHERE name = '{disk}'")
    headers = [file.read_bytes()[:HEADER] for file in Path(path).rglob("*") if file.is_file()]
    assert headers and all(header[:3] == b"ENC" for header in headers), f"{disk} is not encrypted"
    return {header[5:] for header in headers}
