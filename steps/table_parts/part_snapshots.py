"""Snapshots of all parts of a table, file for file, and how two of them differ."""

from __future__ import annotations

import re
from typing import NamedTuple

from steps.table_parts.part_files import FileState, changes, files_of
from steps.table_parts.part_life import active_parts, part_hashes, part_records
from steps.tables import Table

INDEX = re.compile("skp_idx_[a-z]+")


class PartState(NamedTuple):
    """What the server says of a part, and its files."""

    active: int
    kind: str
    hash: str
    files: dict[str, FileState]


Snapshot = dict[str, PartState]


def snapshot(table: Table) -> Snapshot:
    """All parts, active or not."""
    records, hashes = part_records(table), part_hashes(table)
    assert records.keys() == hashes.keys(), f"{sorted(records)} are not {sorted(hashes)}"
    return {
        name: PartState(part.active, part.kind, hashes[name], files_of(part.folder))
        for name, part in records.items()
    }


def active(state: Snapshot) -> list[str]:
    return [name for name, part in state.items() if part.active]


def differences(before: Snapshot, after: Snapshot) -> list[str]:
    """Changes of parts that were there before."""
    wrong = [f"{name} is gone" for name in before.keys() - after.keys()]
    for name in before.keys() & after.keys():
        if after[name].hash != before[name].hash:
            wrong.append(f"{name} has another hash")
        touched = changes(before[name].files, after[name].files)
        wrong += [f"{name}/{file} has changed" for file in touched]
    return wrong


def stored(table: Table) -> set[str]:
    """The columns and skip indexes that active parts have on disk, whatever the table's definition says."""
    found: set[str] = set()
    for part in active_parts(table).values():
        found.update((part.folder / "columns.txt").read_text().splitlines()[2:])
        for file in part.folder.glob("skp_idx*"):
            # A file for each index, or one of all of them with their names in it.
            found.update(INDEX.findall(file.name + file.read_bytes().decode("latin-1")))
    return found
