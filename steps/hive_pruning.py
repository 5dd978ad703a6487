"""What a query has to read of hive-partitioned data, and what is wrong with what it read."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from helpers.cluster.node import Node
from helpers.cluster.session import Row
from steps.hive import readings
from steps.hive_sources import ROWS_A_FILE


@dataclass(frozen=True)
class Expected:
    """The rows of an answer, the number of files that are read for it, and of rows beside those of files."""

    rows: list[Row]
    files: int
    other_rows: int = 0


def wrong_readings(node: Node, queries: Mapping[str, Expected]) -> dict[str, str]:
    """What is wrong with the answers of queries or with what they read, by the query."""
    violations = {}
    for sql, found in zip(queries, readings(node, list(queries)), strict=True):
        expected = queries[sql]
        if found.rows != sorted(expected.rows):
            violations[sql] = f"returned {found.rows}"
        elif found.files != expected.files:
            violations[sql] = f"read {found.files} files"
        elif found.read_rows != ROWS_A_FILE * found.files + expected.other_rows:
            violations[sql] = f"read {found.read_rows} rows of {found.files} files"
    return violations
