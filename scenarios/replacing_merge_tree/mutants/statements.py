"""What the statements of this feature say, as its mutants need to know it."""

from __future__ import annotations

import re
from collections.abc import Callable

RQ = "RQ.SRS-101.ClickHouse.ReplacingMergeTree"
_ENGINE = re.compile(r"ENGINE = ReplacingMergeTree(?:\((?P<parameters>[\w, ]*)\))?")
_FINAL = re.compile(r"(?<= FROM )(?P<table>\S+) FINAL\b(?! (?:PREWHERE|SAMPLE)\b)")


def rq(*names: str) -> list[str]:
    """The requirements of these names."""
    return [f"{RQ}.{name}" for name in names]


def parameters_in(sql: str) -> list[str] | None:
    """The parameters of the engine in a CREATE TABLE; None if it is another statement."""
    match = _ENGINE.search(sql)
    if not match:
        return None
    return [name.strip() for name in (match["parameters"] or "").split(",") if name.strip()]


def with_engine(sql: str, engine: str) -> str:
    """The same CREATE TABLE with another engine."""
    return _ENGINE.sub(f"ENGINE = {engine}", sql, count=1)


def finals_in(sql: str) -> list[str]:
    """The tables that a query reads with FINAL: one, several by UNION ALL, or none.

    What a plan says is of no interest: it reads nothing.
    """
    if not sql.startswith("SELECT") or "EXPLAIN" in sql:
        return []
    return [match["table"] for match in _FINAL.finditer(sql)]


def with_finals(sql: str, source: Callable[[str], str]) -> str:
    """The same query with something else in the place of each `table FINAL`."""
    return _FINAL.sub(lambda match: source(match["table"]), sql)


def optimized_table(sql: str) -> str | None:
    match = re.match(r"OPTIMIZE TABLE (\S+) ", sql)
    return match[1] if match else None


def table_written(sql: str) -> str | None:
    match = re.match(r"INSERT INTO (\S+)", sql)
    return match[1] if match else None
