"""What a query has to read of hive-partitioned data, and what is wrong with what it read."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from helpers.cluster.client.session import Row
from helpers.cluster.node import Node
from steps.hive_partitioning.queries import readings
from steps.hive_partitioning.sources import ROWS_A_FILE


@dataclass(frozen=True)
class Expected:
    """The rows of an answer, the number of files that are read for it, and of rows beside those of files."""

    rows: list[Row]
    files: int
    other_rows: int = 0


def wrong_readings(node: Node, queries: Mapping[str, Expected]) -> dict[str, str]:
    """What is wrong with the answers of queries or with what they read, by the query."""
    violations = {}
    for sql, reading in zip(queries, readings(node, list(queries)), strict=True):
        expected = queries[sql]
        if reading.rows != sorted(expected.rows):
            violations[sql] = f"returned {reading.rows}"
        elif reading.files != expected.files:
            violations[sql] = f"read {reading.files} files"
        elif reading.read_rows != ROWS_A_FILE * reading.files + expected.other_rows:
            violations[sql] = f"read {reading.read_rows} rows of {reading.files} files"
    return violations
