"""Parts: what system.parts says about a table."""

from __future__ import annotations

from dataclasses import dataclass

from steps.tables import Table


@dataclass(frozen=True)
class Part:
    """An active part. Two parts with the same hash hold the same files."""

    name: str
    partition_id: str
    rows: int
    kind: str
    hash: str


def parts(table: Table, *, partition: int | str | None = None) -> list[Part]:
    """The active parts with rows in them, by name. (An empty part may cover what a restart finds.)"""
    where = "" if partition is None else f" AND partition_id = '{partition}'"
    found = table.node.query(
        "SELECT name, partition_id, rows, part_type, hash_of_all_files FROM system.parts "
        f"WHERE database = '{table.database}' AND table = '{table.name}' AND active AND rows > 0"
        f"{where} ORDER BY name"
    )
    return [Part(*row) for row in found]


def part_hashes(table: Table, *, partition: int | str | None = None) -> list[str]:
    """What the parts hold, whatever they are called."""
    return sorted(part.hash for part in parts(table, partition=partition))
