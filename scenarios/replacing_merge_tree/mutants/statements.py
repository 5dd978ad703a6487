"""What the statements of this feature say, as its mutants need to know it."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import NamedTuple

from helpers.sensitivity.mutant import Answer, InterceptedStatement

RQ = "RQ.SRS-101.ClickHouse.ReplacingMergeTree"
NEWEST_INSERT = "_part DESC, _part_offset DESC"
OLDEST_INSERT = "_part ASC, _part_offset ASC"
_ENGINE = re.compile(r"ENGINE = ReplacingMergeTree(?:\((?P<parameters>[\w, ]*)\))?")
_FINAL = re.compile(r"(?<= FROM )(?P<table>\S+) FINAL\b(?! (?:PREWHERE|SAMPLE)\b)")
_FILTERED = re.compile(
    r"SELECT (?P<columns>.+) FROM (?P<table>\S+) FINAL WHERE (?P<where>.+)", re.DOTALL
)
_OPTIMIZE = re.compile(r"OPTIMIZE TABLE (?P<table>\S+) (?P<how>.*)")
_CREATE = re.compile(r"CREATE TABLE (?P<table>\S+) \((?P<columns>.+)\) ENGINE = ", re.DOTALL)


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


def columns_in(sql: str) -> list[str]:
    """The names of the columns in a CREATE TABLE of simple types."""
    match = _CREATE.match(sql)
    return [column.split()[0] for column in match["columns"].split(", ")] if match else []


class Filtered(NamedTuple):
    """A SELECT … FINAL WHERE … of one table."""

    columns: str
    table: str
    where: str


def filtered_in(sql: str) -> Filtered | None:
    match = _FILTERED.fullmatch(sql) if finals_in(sql) else None
    return Filtered(match["columns"], match["table"], match["where"]) if match else None


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


def qualified(statement: InterceptedStatement, table: str) -> str:
    """The table's name with its database, without quotes."""
    name = table.replace("`", "")
    return name if "." in name else f"{statement.node.database}.{name}"


@dataclass(frozen=True)
class Optimize:
    """An OPTIMIZE TABLE: of which table, and all that follows."""

    table: str
    how: str


def optimize_in(sql: str) -> Optimize | None:
    match = _OPTIMIZE.fullmatch(sql)
    return Optimize(match["table"], match["how"]) if match else None


def table_written(sql: str) -> str | None:
    match = re.match(r"INSERT INTO (\S+)", sql)
    return match[1] if match else None


def chosen(
    statement: InterceptedStatement, table: str, order: str, where: str = "1", within: str = ""
) -> str:
    """A query for one row of each key: the first in this order (where it knows no version, or no
    deletion column, these are left out). Deletion rows are among them."""
    key, engine = _definition(statement, table)
    parameters = parameters_in(f"ENGINE = {engine}") or []
    known = dict(zip(("<version>", "<deleted>"), parameters, strict=False))
    for word in ("<version>", "<deleted>"):
        order = order.replace(word, known.get(word, "''"))
    by = ", ".join(part for part in (within, key) if part)
    limit = f"LIMIT 1 BY {by}" if by else "LIMIT 1"
    return f"SELECT * FROM {table} WHERE {where} ORDER BY {order} {limit}"


def deletion_column(statement: InterceptedStatement, table: str) -> str:
    """The condition for rows that are not deleted."""
    parameters = parameters_in(f"ENGINE = {_definition(statement, table)[1]}") or []
    return f"{parameters[1]} = 0" if len(parameters) == 2 else "1"


def _definition(statement: InterceptedStatement, table: str) -> tuple[str, str]:
    """The sorting key and the engine with all that follows it; nothing if there is no such table."""
    answer = statement.inspect(
        "SELECT sorting_key, engine_full FROM system.tables "
        f"WHERE database || '.' || name = '{qualified(statement, table)}'"
    )
    return answer[0] if answer else ("", "")


def read_final(statement: InterceptedStatement, order: str) -> Answer:
    """Answer a query as if FINAL had chosen the first row of each key in this order."""
    if not finals_in(statement.sql):
        return statement.execute()

    def survivors(table: str) -> str:
        rows = chosen(statement, table, order)
        return f"(SELECT * FROM ({rows}) WHERE {deletion_column(statement, table)})"

    return statement.substitute(with_finals(statement.sql, survivors))


def merge_as(
    statement: InterceptedStatement, order: str, *, keep: str = "1", within: str = "_partition_id"
) -> Answer:
    """Carry out an OPTIMIZE TABLE … FINAL that leaves the first row of each key in this order."""
    optimize = optimize_in(statement.sql)
    if optimize is None or optimize.how != "FINAL":
        return statement.execute()
    merged = f"{optimize.table}_merged"
    rows = chosen(statement, optimize.table, order, within=within)
    statement.inject(
        f"CREATE TABLE {merged} ENGINE = Memory AS SELECT * FROM ({rows}) WHERE {keep}"
    )
    statement.inject(f"TRUNCATE TABLE {optimize.table}")
    statement.inject(f"INSERT INTO {optimize.table} SELECT * FROM {merged}")
    statement.inject(f"DROP TABLE {merged} SYNC")
    return statement.acknowledge()
