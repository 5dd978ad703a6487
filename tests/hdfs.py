"""Rows on HDFS, wherever it runs."""

from __future__ import annotations

from helpers.cluster.node import Node

STRUCTURE = "'TSV', 'n UInt64'"
SUM_AND_KEY = [(45, 1)]


def write_rows(node: Node, url: str) -> str:
    """Have ClickHouse write rows; the statement that reads SUM_AND_KEY of them."""
    node.query(
        f"INSERT INTO FUNCTION hdfs('{url}/a/k=1/x.tsv', {STRUCTURE}) "
        "SELECT number FROM numbers(10)"
    )
    return f"SELECT sum(n), any(k) FROM hdfs('{url}/a/*/x.tsv', {STRUCTURE})"
