"""Rows in ClickHouse that a comparison is about: a table, a part of it, or the answer to a query."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from pyspark.sql.types import StructType

from pipelines.clickhouse.server import Server
from pipelines.clickhouse.type_compatibility import is_comparable
from pipelines.clickhouse.types import literal, map_type, quoted
from pipelines.errors import PipelineError

# The kinds of defaults of the columns that SELECT * shows.
ORDINARY = ("", "DEFAULT")


@dataclass(frozen=True)
class ClickHouseRows:
    """What to select from and the ClickHouse types of its columns, in their order."""

    server: Server
    name: str
    source: str
    types: dict[str, str]
    where: str = ""

    def __post_init__(self) -> None:
        for column, kind in self.types.items():
            map_type(column, kind)  # refused here, before anything is computed

    def select(self, what: str, more: str = "", where: str = "") -> list[list[Any]]:
        """The rows of a small answer."""
        return self.server.rows(self.sql(what, more, where))

    def sql(self, what: str, more: str = "", where: str = "") -> str:
        conditions = [f"({condition})" for condition in (self.where, where) if condition]
        condition = f" WHERE {' AND '.join(conditions)}" if conditions else ""
        return f"SELECT {what} FROM {self.source}{condition} {more}".rstrip()


def table(
    server: Server,
    name: str,
    *,
    final: bool = False,
    where: str = "",
    columns: Sequence[str] = (),
) -> ClickHouseRows:
    """A table of the server's database; with FINAL, some of its rows or some of its columns."""
    types = describe(server, quoted(name), columns)
    return ClickHouseRows(server, name, quoted(name) + (" FINAL" if final else ""), types, where)


def part(server: Server, name: str, part_name: str) -> ClickHouseRows:
    """The rows of one part of a table."""
    rows = table(server, name, where=f"_part = {literal(part_name)}")
    if rows.select("count()") == [[0]]:
        raise PipelineError(f"{name} has no part {part_name}, or there are no rows in it.")
    return rows


def query(server: Server, sql: str) -> ClickHouseRows:
    """The answer to a query, which has to be the same each time."""
    source = f"({sql.strip().rstrip(';')})"
    return ClickHouseRows(server, "the query's answer", source, describe(server, source))


def describe(
    server: Server, source: str, columns: Sequence[str] = (), required: Sequence[str] = ()
) -> dict[str, str]:
    """The types of these columns, by default of those that SELECT * shows; `required` exist too."""
    types = {
        name: " ".join(kind.split())  # a long type is described in several lines
        for name, kind, default, *_ in server.rows(f"DESCRIBE TABLE {source}")
        if default in ORDINARY or name in columns
    }
    for name in (*columns, *required):
        if name not in types:
            raise PipelineError(f"{source} has no column {name}: it has {', '.join(types)}.")
    return {name: types[name] for name in columns or types}


def check_columns(schema: StructType, actual: ClickHouseRows) -> None:
    """Refuse to compare what has other columns, or columns that could never be equal."""
    ours, theirs = set(schema.names), set(actual.types)
    if len(schema.names) != len(ours):
        raise PipelineError(f"A column's name is there twice: {', '.join(schema.names)}.")
    if ours != theirs:
        differences = [
            f"{', '.join(sorted(names))} only {where}"
            for names, where in ((ours - theirs, "expected"), (theirs - ours, f"in {actual.name}"))
            if names
        ]
        raise PipelineError(f"The columns differ: {'; '.join(differences)}.")
    for field in schema.fields:
        kind = actual.types[field.name]
        if not is_comparable(field.dataType, map_type(field.name, kind).spark):
            raise PipelineError(
                f"Column {field.name} is {kind} in {actual.name} and {field.dataType.simpleString()} "
                f"where it is expected: cast it to {map_type(field.name, kind).spark.simpleString()}."
            )
