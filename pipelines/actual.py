"""Rows in ClickHouse that a comparison is about: a table, a part of it, or the answer to a query."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from pyspark.sql.types import (
    ArrayType,
    BinaryType,
    DataType,
    DecimalType,
    MapType,
    StringType,
    StructType,
    TimestampNTZType,
    TimestampType,
)

from pipelines.clickhouse import ORDINARY
from pipelines.errors import PipelineError
from pipelines.fits import WHOLE
from pipelines.server import Server
from pipelines.types import literal, map_type, quoted

TEXT = (StringType, BinaryType)
INSTANTS = (TimestampType, TimestampNTZType)


@dataclass(frozen=True)
class Actual:
    """What to select from and the ClickHouse types of its columns, in their order."""

    server: Server
    name: str
    source: str
    types: dict[str, str]
    where: str = ""

    def select(self, what: str, more: str = "", where: str = "") -> list[list[Any]]:
        """The rows of a small answer."""
        return self.server.rows(self.sql(what, more, where))

    def sql(self, what: str, more: str = "", where: str = "") -> str:
        conditions = [f"({one})" for one in (self.where, where) if one]
        condition = f" WHERE {' AND '.join(conditions)}" if conditions else ""
        return f"SELECT {what} FROM {self.source}{condition} {more}"


def table(
    server: Server,
    name: str,
    *,
    final: bool = False,
    where: str = "",
    columns: Sequence[str] = (),
) -> Actual:
    """A table of the server's database; with FINAL, some of its rows or some of its columns."""
    types = _described(server, quoted(name), columns)
    return Actual(server, name, quoted(name) + (" FINAL" if final else ""), types, where)


def part(server: Server, name: str, part_name: str) -> Actual:
    """The rows of one part of a table."""
    found = table(server, name, where=f"_part = {literal(part_name)}")
    if found.select("count()") == [[0]]:
        raise PipelineError(f"{name} has no part {part_name}, or there are no rows in it.")
    return found


def query(server: Server, sql: str) -> Actual:
    """The answer to a query, which has to be the same each time."""
    source = f"({sql.strip().rstrip(';')})"
    return Actual(server, "the query's answer", source, _described(server, source))


def check_columns(schema: StructType, actual: Actual) -> None:
    """Refuse to compare what has other columns, or columns that could never be equal."""
    ours, theirs = set(schema.names), set(actual.types)
    if len(schema.names) != len(ours):
        raise PipelineError(f"A column's name is there twice: {', '.join(schema.names)}.")
    if ours != theirs:
        told = [
            f"{', '.join(sorted(names))} only {where}"
            for names, where in ((ours - theirs, "expected"), (theirs - ours, f"in {actual.name}"))
            if names
        ]
        raise PipelineError(f"The columns differ: {'; '.join(told)}.")
    for field in schema.fields:
        kind = actual.types[field.name]
        if not _comparable(field.dataType, map_type(field.name, kind).spark):
            raise PipelineError(
                f"Column {field.name} is {kind} in {actual.name} and {field.dataType.simpleString()} "
                f"where it is expected: cast it to {map_type(field.name, kind).spark.simpleString()}."
            )


def _described(server: Server, source: str, columns: Sequence[str] = ()) -> dict[str, str]:
    """The types of these columns, by default of those that SELECT * shows."""
    rows = server.rows(f"DESCRIBE TABLE {source}")
    types = {
        row[0]: " ".join(row[1].split())  # a long type is told in several lines
        for row in rows
        if row[2] in ORDINARY or row[0] in columns
    }
    for name in columns:
        if name not in types:
            raise PipelineError(f"{source} has no column {name}: it has {', '.join(types)}.")
    chosen = {name: types[name] for name in columns or types}
    for name, kind in chosen.items():
        map_type(name, kind)  # refused here, before anything is computed
    return chosen


def _comparable(ours: DataType, theirs: DataType) -> bool:
    """Whether equal values have equal hashes: of the same kind, however wide."""
    match theirs:
        case ArrayType():
            return isinstance(ours, ArrayType) and _comparable(ours.elementType, theirs.elementType)
        case MapType():
            return (
                isinstance(ours, MapType)
                and _comparable(ours.keyType, theirs.keyType)
                and _comparable(ours.valueType, theirs.valueType)
            )
        case StructType():
            return (
                isinstance(ours, StructType)
                and len(ours) == len(theirs)
                and all(
                    _comparable(a.dataType, b.dataType) for a, b in zip(ours, theirs, strict=True)
                )
            )
        case DecimalType():
            if isinstance(ours, DecimalType):
                return bool(ours.scale <= theirs.scale)
            return isinstance(ours, WHOLE)
        case _ if isinstance(theirs, WHOLE):
            return isinstance(ours, WHOLE) or (isinstance(ours, DecimalType) and ours.scale == 0)
    return any(
        isinstance(ours, family) and isinstance(theirs, family) for family in (TEXT, INSTANTS)
    ) or type(ours) is type(theirs)
