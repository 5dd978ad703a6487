"""Hive-partitioned files on HDFS: the same rows as in steps/hive_sources.py."""

from __future__ import annotations

import secrets
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from helpers.cluster.node import Node
from helpers.context import this
from helpers.marks import equivalent_everywhere
from helpers.recording import literal
from steps.hive_sources import NUMBERS, STRUCTURE, all_rows, path_of
from steps.tables import Table

equivalent_everywhere(
    mutant="drop",
    statement="INSERT INTO FUNCTION hdfs",
    reason="what HDFS does not have is written again",
)
equivalent_everywhere(
    mutant="omit[hdfs_truncate_on_insert]",
    statement="INSERT INTO FUNCTION hdfs",
    reason="it is for a file that is written again, because HDFS has not taken it",
)


@dataclass(frozen=True)
class HdfsFolder:
    """A folder on HDFS that nothing else uses, and the node that reads there."""

    node: Node
    url: str


def filled_hdfs() -> HdfsFolder:
    """A new folder with one file for each year and country; nothing but ClickHouse can write to this HDFS."""
    node, hdfs = this().node(), this().cluster.hdfs()
    folder = HdfsFolder(node, f"{hdfs.url}/{this().database}-{secrets.token_hex(4)}")
    for keys in NUMBERS:
        _write(folder, *keys)

    def complete() -> bool:
        """ClickHouse acknowledges what HDFS does not take, so what is missing is written again."""
        rows = node.query(f"SELECT * FROM {from_hdfs(folder, path_of('*', '*'))}")
        for keys, number in NUMBERS.items():
            if not {(number,), (number + 100,)} <= set(rows):
                _write(folder, *keys)
        return sorted(rows) == all_rows()

    this().eventually(complete)
    return folder


def _write(folder: HdfsFolder, year: int, country: str) -> None:
    number = NUMBERS[year, country]
    folder.node.query(
        f"INSERT INTO FUNCTION {from_hdfs(folder, path_of(year, country))} "
        f"SELECT {number} UNION ALL SELECT {number + 100}",
        settings={"hdfs_truncate_on_insert": 1},
    )


def from_hdfs(folder: HdfsFolder, path: str) -> str:
    """The table function hdfs over a path."""
    return f"hdfs({literal(f'{folder.url}/{path}')}, TSV, '{STRUCTURE}')"


def hdfs_table(
    folder: HdfsFolder,
    path: str,
    *,
    columns: str = STRUCTURE,
    partition_by: str = "",
    settings: Mapping[str, Any] | None = None,
) -> Table:
    """A table of the engine HDFS over a path."""
    table = Table(folder.node, this().database, this().unique("hdfs"))
    folder.node.query(
        f"CREATE TABLE {table} ({columns}) ENGINE = HDFS({literal(f'{folder.url}/{path}')}, TSV)"
        + (f" PARTITION BY {partition_by}" if partition_by else ""),
        settings=settings,
    )
    return table
