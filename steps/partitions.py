"""Partitions: the statements that move them."""

from __future__ import annotations

from typing import Any

from helpers.cluster.failures import QueryFailed
from steps.tables import Table


def replace_partition(
    destination: Table, *, source: Table | str, partition: int | str, **options: Any
) -> None:
    """ALTER TABLE destination REPLACE PARTITION partition FROM source."""
    destination.node.query(replacing(destination, source, partition), **options)


def replace_is_refused(
    destination: Table,
    *,
    source: Table | str,
    partition: int | str,
    code: int,
    text: str,
    **options: Any,
) -> QueryFailed:
    """The same statement, which the server has to refuse in this way."""
    sql = replacing(destination, source, partition)
    return destination.node.fails(sql, code=code, text=text, **options)


def replacing(destination: Table | str, source: Table | str, partition: int | str) -> str:
    """The statement; a partition given as text is an expression, e.g. "ID '1'"."""
    return f"ALTER TABLE {destination} REPLACE PARTITION {partition} FROM {source}"
