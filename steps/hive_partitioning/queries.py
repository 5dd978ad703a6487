"""Hive-partitioned data in statements: functions and tables over a lake, and what a query read of it."""

from __future__ import annotations

import uuid
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from helpers.cluster.client.recording import literal
from helpers.cluster.client.session import Row
from helpers.cluster.node import Node
from helpers.scenario.context import this
from helpers.scenario.step import step
from steps.hive_partitioning.objects import COLLECTION, Lake
from steps.statement_log import finished_statements
from steps.tables import Table


def from_s3(
    lake: Lake,
    path: str,
    *,
    structure: str = "id UInt32",
    format: str = "TSV",
    collection: str = COLLECTION,
    **arguments: Any,
) -> str:
    """The table function s3 over a path; an empty structure leaves it to the server to infer one."""
    return f"s3({_arguments(lake, path, structure, format, collection, arguments)})"


def s3_table(
    lake: Lake,
    path: str,
    *,
    columns: str = "id UInt32",
    format: str = "TSV",
    partition_by: str = "",
    collection: str = COLLECTION,
    settings: Mapping[str, Any] | None = None,
    **arguments: Any,
) -> Table:
    """A table of the engine S3 over a path; without columns the server infers them."""
    engine = f"S3({_arguments(lake, path, '', format, collection, arguments)})"
    return hive_table(lake, engine, columns, partition_by=partition_by, settings=settings)


@step("I create a table of {engine} with the columns {columns}")
def hive_table(
    lake: Lake,
    engine: str,
    columns: str = "id UInt32",
    *,
    partition_by: str = "",
    settings: Mapping[str, Any] | None = None,
) -> Table:
    """A table of any engine that reads files."""
    table = Table(lake.node, this().database, this().unique("hive"))
    lake.node.query(
        f"CREATE TABLE {table}"
        + (f" ({columns})" if columns else "")
        + f" ENGINE = {engine}"
        + (f" PARTITION BY {partition_by}" if partition_by else ""),
        settings=settings,
    )
    return table


def _arguments(
    lake: Lake,
    path: str,
    structure: str,
    format: str,
    collection: str,
    arguments: Mapping[str, Any],
) -> str:
    # A whole address takes the place of the collection's address and the name behind it.
    place = {} if "url" in arguments else {"filename": lake.filename(path)}
    named = {**place, "format": format, **arguments}
    if structure:
        named["structure"] = structure
    return ", ".join(
        [
            lake.collection(collection),
            *(f"{name} = {literal(value)}" for name, value in named.items()),
        ]
    )


@dataclass(frozen=True)
class Reading:
    """The rows of a query, sorted, and how many files and rows it read for them."""

    rows: list[Row]
    files: int
    read_rows: int
    query_id: str


def reading(node: Node, sql: str, settings: Mapping[str, Any] | None = None) -> Reading:
    """Run one query, and look up what it read."""
    return readings(node, [sql], settings)[0]


def readings(
    node: Node, queries: Sequence[str], settings: Mapping[str, Any] | None = None
) -> list[Reading]:
    """Run queries one after the other, and look up what each of them read."""
    rows = {}
    for sql in queries:
        query_id = str(uuid.uuid4())
        rows[query_id] = sorted(node.query(sql, settings=settings, query_id=query_id))
    logged = files_read(node, list(rows))
    return [Reading(rows[query_id], *logged[query_id], query_id) for query_id in rows]


def query_seconds(node: Node, query_ids: Sequence[str]) -> list[float]:
    """How long queries took that are in the log, by the server's own clock."""
    named = ", ".join(map(literal, query_ids))
    milliseconds = node.column(
        "SELECT query_duration_ms FROM system.query_log "
        f"WHERE type = 'QueryFinish' AND query_id IN ({named})"
    )
    assert len(milliseconds) == len(query_ids), f"{len(milliseconds)} queries are in the log"
    return [duration / 1000 for duration in milliseconds]


def files_read(node: Node, query_ids: Sequence[str]) -> dict[str, tuple[int, int]]:
    """The number of files and of rows that queries read on this node, by the queries' ids."""
    named = ", ".join(map(literal, query_ids))
    logged = finished_statements(
        node,
        "query_id, ProfileEvents['EngineFileLikeReadFiles'], read_rows",
        f"query_id IN ({named})",
    )
    found = sorted(query_id for query_id, _, _ in logged)
    assert found == sorted(query_ids), f"the query log of {node.name} has {found}"
    return {query_id: (files, read_rows) for query_id, files, read_rows in logged}
