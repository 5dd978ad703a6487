"""What the mutants of hive partitioning know about statements: which of them read hive-partitioned data."""

from __future__ import annotations

import re

RQ = "RQ.HivePartitioning"
KEYS = ("year", "country", "city", "zone", "key", "region", "date", "day")
SOURCE = r"(?:s3|s3Cluster|hdfs|file|url)\((?:[^()']|'(?:[^'\\]|\\.)*')*\)|\w+\.(?:hive|hdfs)_\d+"
READ = re.compile(rf"^(?:SELECT|WITH)\b.*?\bFROM (?P<source>{SOURCE})", re.DOTALL)
NAMES_KEY = re.compile(rf"\b(?:{'|'.join(KEYS)})\b")


def source_in(sql: str) -> str | None:
    """The function or table that a query reads hive-partitioned data from."""
    found = READ.match(sql)
    return found["source"] if found else None


def names_a_key(sql: str) -> bool:
    """Whether a query of hive-partitioned data names a key outside of its source."""
    source = source_in(sql)
    return source is not None and bool(NAMES_KEY.search(sql.replace(source, "")))
