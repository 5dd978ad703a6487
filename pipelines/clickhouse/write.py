"""The writing half of the data source `clickhouse`: rows are staged, then committed in one step."""

from __future__ import annotations

import contextlib
import re
import uuid
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import chain

import pyarrow as pa
from pyspark.sql.datasource import DataSourceArrowWriter, WriterCommitMessage
from pyspark.sql.types import BinaryType, StructType

from pipelines.clickhouse.arrow import conform_all, wire_field
from pipelines.clickhouse.server import Server
from pipelines.clickhouse.type_compatibility import is_lossless
from pipelines.clickhouse.types import Mapped, literal, map_type, quoted
from pipelines.errors import PipelineError
from pipelines.spark.write_cleanup import clean_up_after

# attach: staged, then one ALTER … ATTACH PARTITION ALL FROM. exchange: staged next to a clone of
# the table, then EXCHANGE TABLES. direct: inserted as it comes, for engines without parts.
COMMITS = ("attach", "exchange", "direct")
STAGE = "__staged_"
SETTINGS: dict[str, str | int] = {
    "input_format_null_as_default": 0,
    "insert_deduplicate": 0,  # two equal blocks are twice the rows
    "async_insert": 0,
}


@dataclass
class Staged(WriterCommitMessage):
    """What one task left behind: the table with its rows, if it had any."""

    table: str
    rows: int


@dataclass(frozen=True)
class Column:
    """A column to write: its name, its type in the table and how it is transferred."""

    name: str
    clickhouse: str
    mapped: Mapped


class ClickHouseWriter(DataSourceArrowWriter):
    """Each attempt of a task fills a table of its own; the driver commits those that succeeded."""

    def __init__(
        self, server: Server, table: str, schema: StructType, commit: str, overwrite: bool
    ) -> None:
        self.server, self.table, self.overwrite = server, table, overwrite
        self.how = "exchange" if overwrite else commit
        self.stage = f"{table}{STAGE}{uuid.uuid4().hex[:12]}_"
        self.columns = self._match(schema)
        self.engine = self._staging_engine()

    def _match(self, schema: StructType) -> list[Column]:
        """The table's columns for the DataFrame's; refused where rows could change on the way."""
        described = self.server.rows(f"DESCRIBE TABLE {quoted(self.table)}")
        types = {row[0]: row[1] for row in described if row[2] not in ("ALIAS", "MATERIALIZED")}
        columns = []
        for field in schema.fields:
            if field.name not in types:
                raise PipelineError(f"Table {self.table} has no column {field.name} to write to.")
            kind = types[field.name]
            mapped = map_type(field.name, kind, binary=isinstance(field.dataType, BinaryType))
            if not is_lossless(field.dataType, mapped.spark):
                raise PipelineError(
                    f"Column {field.name} is {field.dataType.simpleString()} in Spark and {kind} in "
                    f"table {self.table}: cast it to {mapped.spark.simpleString()} first."
                )
            columns.append(Column(field.name, kind, mapped))
        return columns

    def _staging_engine(self) -> str:
        """Plain MergeTree with the keys of the table: parts of it can be attached to the table."""
        if self.how == "direct":
            return ""
        rows = self.server.rows(
            "SELECT engine, engine_full FROM system.tables "
            f"WHERE database = currentDatabase() AND name = {literal(self.table)}"
        )
        engine, full = rows[0] if rows else ("", "")
        if not engine.endswith("MergeTree"):
            raise PipelineError(
                f"Table {self.table} has engine {engine or '(unknown)'}, which has no parts to commit: "
                "use commit=direct, which is not all or nothing."
            )
        if self.how == "exchange" and engine.startswith("Replicated"):
            raise PipelineError(f"{engine} {self.table} cannot be exchanged: use commit=attach.")
        return without_arguments(full)

    def write(self, iterator: Iterator[pa.RecordBatch]) -> WriterCommitMessage:
        first = next(iterator, None)
        if first is None:
            return Staged("", 0)
        schema = pa.schema([wire_field(column.name, column.mapped.wire) for column in self.columns])
        batches = conform_all(chain([first], iterator), schema, self.table)
        if self.how == "direct":
            return Staged("", self._insert(self.table, schema, batches))
        stage = f"{self.stage}{uuid.uuid4().hex[:12]}"
        try:
            self._create(stage, self.engine)
            return Staged(stage, self._insert(stage, schema, batches))
        except BaseException:
            with contextlib.suppress(PipelineError):
                self.server.run(f"DROP TABLE IF EXISTS {quoted(stage)} SYNC")
            raise

    def _insert(self, table: str, schema: pa.Schema, batches: Iterator[pa.RecordBatch]) -> int:
        names = ", ".join(quoted(column.name) for column in self.columns)
        wires = ", ".join(f"{quoted(c.name)} {c.mapped.wire}" for c in self.columns)
        values = ", ".join(f"CAST({quoted(c.name)} AS {c.clickhouse})" for c in self.columns)
        checks = [check for column in self.columns if (check := same_when_read_back(column))]
        where = f" WHERE {' AND '.join(checks)}" if checks else ""
        return self.server.insert(
            f"INSERT INTO {quoted(table)} ({names}) SELECT {values} FROM input({literal(wires)})"
            f"{where} FORMAT ArrowStream",
            schema,
            batches,
            **SETTINGS,
        )

    def commit(self, messages: list[WriterCommitMessage | None]) -> None:
        try:
            staged = [message for message in messages if isinstance(message, Staged)]
            stages = [message.table for message in staged if message.table]
            if self.how == "direct":
                return
            if self.how == "attach":
                if stages:
                    self._gather(stages[1:], stages[0])
                    self._attach(stages[0], self.table)
                return
            complete = f"{self.stage}all"
            clone = "AS" if self.overwrite else "CLONE AS"
            self.server.run(f"CREATE TABLE {quoted(complete)} {clone} {quoted(self.table)}")
            self._gather(stages, complete)
            self.server.run(f"EXCHANGE TABLES {quoted(complete)} AND {quoted(self.table)}")
        finally:
            self._drop_stages()

    def abort(self, messages: list[WriterCommitMessage | None]) -> None:
        clean_up_after(messages, self._drop_stages)

    def _gather(self, stages: list[str], into: str) -> None:
        for stage in stages:
            self._attach(stage, into)

    def _attach(self, stage: str, into: str) -> None:
        self.server.run(f"ALTER TABLE {quoted(into)} ATTACH PARTITION ALL FROM {quoted(stage)}")

    def _create(self, table: str, engine: str) -> None:
        self.server.run(f"CREATE TABLE {quoted(table)} AS {quoted(self.table)} ENGINE = {engine}")

    def _drop_stages(self) -> None:
        """Drop every staging table of this write, also those of attempts that died."""
        try:
            for (name,) in self.server.rows(
                "SELECT name FROM system.tables WHERE database = currentDatabase() "
                f"AND startsWith(name, {literal(self.stage)})"
            ):
                self.server.run(f"DROP TABLE IF EXISTS {quoted(name)} SYNC")
        except PipelineError as error:
            raise PipelineError(
                f"{error} Tables named {self.stage}… may be left: drop them."
            ) from None


def same_when_read_back(column: Column) -> str:
    """A condition that ends the INSERT if a value would not be read back as it was written."""
    name, wire = quoted(column.name), column.mapped.wire
    if wire == column.clickhouse:
        return ""
    back = f"CAST(CAST({name} AS {column.clickhouse}) AS {wire})"
    # As bytes, since neither NULL nor NaN equals itself.
    same = f"formatRow('RowBinary', {back}) = formatRow('RowBinary', {name})"
    words = f"a value of column {column.name} has no equal in type {column.clickhouse}"
    return f"throwIf(NOT ({same}), {literal(words)}) = 0"


def without_arguments(engine: str) -> str:
    """An engine's definition with plain MergeTree for whatever kind of MergeTree it is."""
    rest = re.sub(r"^\w+", "", engine)
    if not rest.startswith("("):
        return f"MergeTree{rest}"
    depth, quote, at = 0, "", 0
    while True:
        character = rest[at]
        if quote:
            if character == "\\":
                at += 1
            elif character == quote:
                quote = ""
        elif character in "'`\"":
            quote = character
        else:
            depth += {"(": 1, ")": -1}.get(character, 0)
        at += 1
        if depth == 0 and not quote:
            return f"MergeTree{rest[at:]}"
