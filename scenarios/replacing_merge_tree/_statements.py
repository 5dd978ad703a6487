"""What the statements of this feature say, as its mutants need to know it."""

from __future__ import annotations

import re
from dataclasses import dataclass

from helpers.mutants import Answer, Said

RQ = "RQ.SRS-101.ClickHouse.ReplacingMergeTree"
NEWEST_INSERT = "_part DESC, _part_offset DESC"
OLDEST_INSERT = "_part ASC, _part_offset ASC"
_ENGINE = re.compile(r"ENGINE = ReplacingMergeTree(?:\((?P<parameters>[\w, ]*)\))?")
_FINAL = re.compile(
    r"SELECT (?P<columns>.+) FROM (?P<table>\S+) FINAL(?: WHERE (?P<where>.+))?", re.DOTALL
)
_OPTIMIZE = re.compile(r"OPTIMIZE TABLE (?P<table>\S+) (?P<how>.*)")
_CREATE = re.compile(r"CREATE TABLE (?P<table>\S+) \((?P<columns>.+)\) ENGINE = ", re.DOTALL)


def parameters_in(sql: str) -> list[str] | None:
    """The parameters of the engine in a CREATE TABLE; None if it is another statement."""
    found = _ENGINE.search(sql)
    if not found:
        return None
    return [one.strip() for one in (found["parameters"] or "").split(",") if one.strip()]


def with_engine(sql: str, engine: str) -> str:
    """The same CREATE TABLE with another engine."""
    return _ENGINE.sub(f"ENGINE = {engine}", sql, count=1)


def columns_in(sql: str) -> list[str]:
    """The names of the columns in a CREATE TABLE of simple types."""
    found = _CREATE.match(sql)
    return [one.split()[0] for one in found["columns"].split(", ")] if found else []


@dataclass(frozen=True)
class Final:
    """A SELECT … FINAL of one table."""

    columns: str
    table: str
    where: str


def final_in(sql: str) -> Final | None:
    found = _FINAL.fullmatch(sql)
    return Final(found["columns"], found["table"], found["where"] or "1") if found else None


@dataclass(frozen=True)
class Optimize:
    """An OPTIMIZE TABLE: of which table, and all that follows."""

    table: str
    how: str


def optimize_in(sql: str) -> Optimize | None:
    found = _OPTIMIZE.fullmatch(sql)
    return Optimize(found["table"], found["how"]) if found else None


def table_written(sql: str) -> str | None:
    found = re.match(r"INSERT INTO (\S+)", sql)
    return found[1] if found else None


def chosen(said: Said, table: str, order: str, where: str = "1", within: str = "") -> str:
    """A query for one row of each key: the first in this order (where it knows no version, or no
    deletion column, these are left out). Deletion rows are among them."""
    name = table.rpartition(".")[2]
    key, engine = said.look(
        f"SELECT sorting_key, engine_full FROM system.tables WHERE database || '.' || name = '{table}'"
        f" OR name = '{name}' AND database = currentDatabase()"
    )[0]
    parameters = parameters_in(f"ENGINE = {engine}") or []
    known = dict(zip(("<version>", "<deleted>"), parameters, strict=False))
    for word in ("<version>", "<deleted>"):
        order = order.replace(word, known.get(word, "''"))
    by = ", ".join(one for one in (within, key) if one)
    limit = f"LIMIT 1 BY {by}" if by else "LIMIT 1"
    return f"SELECT * FROM {table} WHERE {where} ORDER BY {order} {limit}"


def deletion_column(said: Said, table: str) -> str:
    """The condition for rows that are not deleted."""
    engine = said.look(
        f"SELECT engine_full FROM system.tables WHERE database || '.' || name = '{table}'"
    )
    parameters = parameters_in(f"ENGINE = {engine[0][0]}") if engine else []
    return f"{parameters[1]} = 0" if parameters and len(parameters) == 2 else "1"


def read_final(said: Said, order: str) -> Answer:
    """Answer a SELECT … FINAL with the first row of each key in this order."""
    final = final_in(said.sql)
    if final is None:
        return said.run()
    rows = chosen(said, final.table, order)
    alive = deletion_column(said, final.table)
    return said.lie(
        said.run(f"SELECT {final.columns} FROM ({rows}) WHERE {alive} AND ({final.where})")
    )


def merge_as(said: Said, order: str, *, keep: str = "1", within: str = "_partition_id") -> Answer:
    """Carry out an OPTIMIZE TABLE … FINAL that leaves the first row of each key in this order."""
    optimize = optimize_in(said.sql)
    if optimize is None or optimize.how != "FINAL":
        return said.run()
    merged = f"{optimize.table}_merged"
    rows = chosen(said, optimize.table, order, within=within)
    said.also(f"CREATE TABLE {merged} ENGINE = Memory AS SELECT * FROM ({rows}) WHERE {keep}")
    said.also(f"TRUNCATE TABLE {optimize.table}")
    said.also(f"INSERT INTO {optimize.table} SELECT * FROM {merged}")
    said.also(f"DROP TABLE {merged} SYNC")
    return said.done()
