"""Parts: what system.parts says about a table."""

from __future__ import annotations

import hashlib
from dataclasses import astuple, dataclass
from pathlib import Path

from helpers.cluster.node import Node
from helpers.scenario.step import step
from steps.tables import Table


@dataclass(frozen=True)
class Part:
    """A part. Two parts with the same hash hold the same files."""

    name: str
    partition_id: str
    rows: int
    kind: str
    hash: str


def parts(table: Table, *, partition: int | str | None = None, active: bool = True) -> list[Part]:
    """The active parts with rows in them, by name, or those that are outdated and still there.

    (An empty part may cover what a restart finds.)
    """
    where = "" if partition is None else f" AND partition_id = '{partition}'"
    columns = "part_type, hash_of_all_files" if not table.node.is_outdated else "'Wide', path"
    # Each row has the number of all: an answer with a row missing or doubled is noticed.
    number = "count() OVER ()" if not table.node.is_outdated else "1"
    rows = table.node.query(
        f"SELECT {number}, name, partition_id, rows, {columns} FROM system.parts "
        f"WHERE database = '{table.database}' AND table = '{table.name}' AND rows > 0"
        f" AND active = {int(active)}{where} ORDER BY name"
    )
    if table.node.is_outdated:
        # It knows one kind of part and no windows, and the hashes of a part's files are in a file.
        rows = [(len(rows), *row[1:-1], _hash_of_checksums(Path(row[-1]))) for row in rows]
    found = [Part(*row[1:]) for row in rows]
    assert {row[0] for row in rows} <= {len(found)}, f"not all parts of {table}: {rows}"
    assert all(part.name.startswith(f"{part.partition_id}_") for part in found), f"mixed up: {rows}"
    # no mutant: an operator changes a value, none makes it empty
    assert all(map(all, map(astuple, found))), f"something is missing: {found}"
    return found


def _hash_of_checksums(part: Path) -> str:
    return hashlib.sha256((part / "checksums.txt").read_bytes()).hexdigest()


def part_hashes(table: Table, *, partition: int | str | None = None) -> list[str]:
    """What the parts hold, whatever they are called."""
    return sorted(part.hash for part in parts(table, partition=partition))


@step("I have {table} merged")
def rewrite(table: Table) -> None:
    """Have a merge write every partition anew, and see that it did: one part for each, with all rows."""
    before = parts(table)
    table.node.query(f"OPTIMIZE TABLE {table} FINAL")
    after = parts(table)
    left = {part.name for part in before} & {part.name for part in after}
    assert before and not left, f"{table} has {left} still, of {before}"
    merged = sorted(part.partition_id for part in after)
    assert merged == sorted({part.partition_id for part in before}), f"{before} became {after}"
    rows = [sum(part.rows for part in some) for some in (before, after)]
    assert rows[0] == rows[1], f"of {rows[0]} rows {rows[1]} are left"


def data_path(table: Table, disk: str = "default") -> Path:
    """The table's folder on one of its disks."""
    node = table.node
    root = node.value(f"SELECT path FROM system.disks WHERE name = '{disk}'")
    paths = node.value(
        "SELECT data_paths FROM system.tables "
        f"WHERE database = '{table.database}' AND name = '{table.name}'"
    )
    inside = [path for path in paths if path.startswith(root)]
    assert len(inside) == 1 and inside[0].endswith("/"), (
        f"{table} has {len(inside)} folders on the disk {disk}: {paths}"
    )
    return Path(inside[0])


def writes_statistics(node: Node) -> bool:
    """Whether parts of this server have statistics by themselves."""
    named = "name = 'auto_statistics_types'"
    return any(node.column(f"SELECT value FROM system.merge_tree_settings WHERE {named}"))


def without_statistics(node: Node) -> dict[str, str]:
    """Settings of a table whose parts have no statistics, on every server."""
    return {"auto_statistics_types": ""} if writes_statistics(node) else {}
