"""Hive-partitioned files on HDFS: the same rows as in steps/hive_partitioning/sources.py."""

from __future__ import annotations

import secrets
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from helpers.cluster.client.recording import literal
from helpers.cluster.node import Node
from helpers.cluster.services.hdfs import Hdfs
from helpers.scenario.context import this
from steps.hive_partitioning.sources import NUMBERS, STRUCTURE, path_of
from steps.tables import Table


@dataclass(frozen=True)
class HdfsFolder:
    """A folder on HDFS that nothing else uses, and the node that reads there."""

    node: Node
    hdfs: Hdfs
    name: str

    @property
    def url(self) -> str:
        return f"{self.hdfs.url}/{self.name}"

    def close(self) -> None:
        """Let HDFS take no further block in this folder; empty files it takes."""
        self.hdfs.limit_space(f"/{self.name}", 1)


def filled_hdfs() -> HdfsFolder:
    """A new folder with one file for each year and country. Hadoop's own client writes them: ClickHouse
    acknowledges files that HDFS does not take."""
    node, hdfs = this().node(), this().cluster.hdfs()
    name, files = f"{this().database}-{secrets.token_hex(4)}", this().folder / "hdfs"
    for keys, number in NUMBERS.items():
        file = files / path_of(*keys)
        file.parent.mkdir(parents=True)
        file.write_text(f"{number}\n{number + 100}\n")
    hdfs.put(files, f"/{name}")
    return HdfsFolder(node, hdfs, name)


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
