"""Copies of parts that FREEZE PARTITION has made: whether they are there, and the rows in them."""

from __future__ import annotations

import shutil
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from helpers.cluster.client.interception import action
from helpers.cluster.client.session import Row
from helpers.cluster.node import Node
from steps.parts import data_path
from steps.tables import Table, contents, create_table, drop_table

# FREEZE PARTITION answers with one row for each part: its name is the third, its copy the last value.
VERBOSE = {"alter_partition_verbose_result": 1}


def copies(answer: Iterable[Row]) -> dict[str, Path]:
    """The folders of the copies, by the name of the part."""
    return {row[2]: Path(row[-1]) for row in answer}


def files_of(answer: Iterable[Row]) -> list[str]:
    """All files of all copies that are there."""
    return sorted(
        str(file) for copy in copies(answer).values() for file in copy.rglob("*") if file.is_file()
    )


def frozen_rows(answer: Iterable[Row], node: Node, **options: Any) -> list[Row]:
    """The rows in the copies: they are attached to a table that is made for it with these options."""
    table = create_table("from_backup", node=node, **options)
    for part, copy in copies(answer).items():
        copy_to_detached(copy, part, table)
        table.node.query(f"ALTER TABLE {table} ATTACH PART '{part}'")
    rows = contents(table)
    drop_table(table)
    return rows


@action
def copy_to_detached(copy: Path, part: str, table: Table) -> None:
    """Put a copy of a part among the detached parts of a table, on the disk where the copy is."""
    folder = data_path(table, disk_of(copy, table.node)) / "detached" / part
    shutil.copytree(copy, folder)


def disk_of(path: Path, node: Node) -> str:
    """The disk that a folder is on: the one with the longest path that leads there."""
    disks = node.query("SELECT name, path FROM system.disks")
    inside = [(len(root), str(name)) for name, root in disks if str(path).startswith(root)]
    return max(inside)[1]
