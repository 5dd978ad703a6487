"""The data source `clickhouse`: read tables and queries over HTTP as Arrow, write tables.

A session does not know it until `register(session)` was called; `write_table` does that itself, and
`read_table` and `read_query` do not need it.
"""

from __future__ import annotations

from collections.abc import Iterator, MutableMapping
from typing import Any

import pyarrow as pa
from pyspark.sql import DataFrame, SparkSession
from pyspark.sql.datasource import DataSourceReader, DataSourceWriter, InputPartition
from pyspark.sql.types import StructType

from pipelines.clickhouse import options as given
from pipelines.clickhouse.arrow import arrow_schema, conform_all
from pipelines.clickhouse.rows import describe
from pipelines.clickhouse.server import PreparedQuery, Server
from pipelines.clickhouse.types import METADATA, literal, map_type, quoted, spark_field
from pipelines.clickhouse.write import COMMITS, ClickHouseWriter
from pipelines.errors import PipelineError
from pipelines.spark.dataframes import dataframe_of, set_active_session
from pipelines.spark.errors import clear_errors

NAME = "clickhouse"
SPLITS = ("parts", "partitions", "ranges", "none")
KNOWN = (
    *("url", "user", "password", "database", "table", "query"),
    *("columns", "binary", "where", "split", "rows_per_range", "commit"),
)
ROWS_PER_RANGE = 1_000_000
# A block becomes a batch, and each batch costs half a millisecond on its way to Java, whatever its size.
BLOCKS = {"max_block_size": 131_072, "preferred_block_size_bytes": 8_000_000}
UNKNOWN_IDENTIFIER = 47


class ClickHouseSource(given.CheckedSource):
    """`spark.read.format("clickhouse")` and `df.write.format("clickhouse")`."""

    NAME, OPTIONS = NAME, KNOWN

    def __init__(self, options: MutableMapping[str, str]) -> None:
        super().__init__(options)
        login = self.given("user", "password", "database")
        self.server = Server(**self.required("url"), **login)
        table, query = options.get("table", ""), options.get("query", "").strip().rstrip(";")
        if bool(table) == bool(query):
            raise PipelineError(
                f"The data source {NAME} needs one of the options 'table', 'query'."
            )
        self.split = given.choice(NAME, options, "split", SPLITS)
        self.commit = given.choice(NAME, options, "commit", COMMITS)
        self.table = table
        self.source = quoted(table) if table else f"({query})"

    def schema(self) -> StructType:
        wanted = given.names(self.options, "columns")
        binary = given.names(self.options, "binary")
        types = describe(self.server, self.source, wanted, binary)
        return StructType(
            [spark_field(name, kind, binary=name in binary) for name, kind in types.items()]
        )

    def reader(self, schema: StructType) -> ClickHouseReader:
        return ClickHouseReader(self, schema)

    def writer(self, schema: StructType, overwrite: bool) -> DataSourceWriter:
        if not self.table:
            raise PipelineError(f"The data source {NAME} writes into a 'table', not into a query.")
        return ClickHouseWriter(self.server, self.table, schema, self.commit, overwrite)


class Slice(InputPartition):
    """The rows that one task reads: a condition, how many rows it must find, and the statement."""

    def __init__(self, condition: str = "", rows: int | None = None) -> None:
        super().__init__(None)
        self.condition = condition
        self.rows = rows
        self.statement: PreparedQuery | None = None


class ClickHouseReader(DataSourceReader):
    """One task for each part, partition or range of a part; each row belongs to exactly one."""

    def __init__(self, source: ClickHouseSource, schema: StructType) -> None:
        self.server, self.source = source.server, source.source
        self.schema = schema
        if not all(METADATA in field.metadata for field in schema.fields):
            raise PipelineError(f"The data source {NAME} knows its schema: do not give it another.")
        self.where = source.options.get("where", "").strip()
        self.rows_per_range = given.number(NAME, source.options, "rows_per_range", ROWS_PER_RANGE)
        self.asked = "split" in source.options
        self.split = source.split
        if not source.table:
            if self.asked and self.split != "none":
                raise PipelineError("A query has no parts: leave out the option 'split'.")
            self.split = "none"

    def partitions(self) -> list[Slice]:
        slices = self._slices()
        for part in slices:
            # There are as many streams as tasks: more threads for each would only slow them down.
            threads = {"max_threads": 1} if part.condition else {}
            part.statement = self.server.prepare(self.select(part), {**BLOCKS, **threads})
        return slices

    def _slices(self) -> list[Slice]:
        if self.split == "none":
            return [Slice()]
        keys = {
            "parts": "_part",
            "partitions": "_partition_id",
            "ranges": f"_part, intDiv(_part_offset, {self.rows_per_range}) AS _range",
        }[self.split]
        where = f"WHERE {self.where} " if self.where else ""
        try:
            rows = self.server.rows(
                f"SELECT {keys}, toString(count()) FROM {self.source} {where}GROUP BY ALL ORDER BY ALL"
            )
        except Exception as refused:
            unknown, _, _ = str(refused).partition(" in scope ")  # which repeats the query
            if getattr(refused, "code", 0) != UNKNOWN_IDENTIFIER or "`_part" not in unknown:
                raise
            if self.asked:
                raise PipelineError(
                    f"{self.source} is no MergeTree table, so it has no {self.split}: use split=none."
                ) from None
            return [Slice()]
        return [Slice(self._condition(row[:-1]), int(row[-1])) for row in rows]

    def _condition(self, key: list[Any]) -> str:
        if self.split == "partitions":
            return f"_partition_id = {literal(key[0])}"
        condition = f"_part = {literal(key[0])}"
        if self.split == "ranges":
            start = int(key[1]) * self.rows_per_range
            end = start + self.rows_per_range
            condition += f" AND _part_offset >= {start} AND _part_offset < {end}"
        return condition

    def read(self, partition: InputPartition) -> Iterator[pa.RecordBatch]:
        # Spark asks with a partition of its own making if there are none.
        if not isinstance(partition, Slice) or partition.statement is None:
            return
        rows = 0
        # A merge between planning and reading takes the part away, and its rows with it.
        batches = self.server.batches_of(partition.statement)
        for batch in conform_all(batches, arrow_schema(self.schema), self.source):
            rows += batch.num_rows
            yield batch
        if partition.rows not in (None, rows):
            raise PipelineError(
                f"{self.source} changed while it was read: {partition.condition} had "
                f"{partition.rows} rows and now has {rows}. Make a new DataFrame "
                "of it, and stop merges if they are why."
            )

    def select(self, part: Slice) -> str:
        """The query by which a task reads."""
        conditions = [f"({text})" for text in (part.condition, self.where) if text]
        source = self.source
        if conditions:
            # Inside, where a column's name is the column; outside it would be what it is cast to.
            names = ", ".join(quoted(name) for name in self.schema.names)
            source = f"(SELECT {names} FROM {source} WHERE {' AND '.join(conditions)})"
        return f"SELECT {self._columns()} FROM {source}"

    def _columns(self) -> str:
        """What to select: a cast only where the type cannot travel as it is."""
        selected = []
        for field in self.schema.fields:
            name, kind = quoted(field.name), field.metadata[METADATA]
            wire = map_type(field.name, kind).wire
            selected.append(name if wire == kind else f"CAST({name} AS {wire}) AS {name}")
        return ", ".join(selected)


def register(session: SparkSession) -> None:
    """Make the data source known to a session, for `spark.read.format("clickhouse")` and `df.write`."""
    session.dataSource.register(ClickHouseSource)


def read_table(session: SparkSession, server: Server, table: str, **options: Any) -> DataFrame:
    """A table as a DataFrame; options as of the data source: columns, where, split, binary, …"""
    return _load(session, server, table=table, **options)


def read_query(session: SparkSession, server: Server, query: str, **options: Any) -> DataFrame:
    """The answer to a query as a DataFrame of one partition."""
    return _load(session, server, query=query, **options)


def write_table(
    frame: DataFrame, server: Server, table: str, *, commit: str = "attach", overwrite: bool = False
) -> None:
    """Write the rows of a DataFrame into an existing table; see COMMITS for what `commit` may be."""
    with clear_errors():
        set_active_session(frame.sparkSession)
        register(frame.sparkSession)
        writer = frame.write.format(NAME).options(**server.options(), table=table, commit=commit)
        writer.mode("overwrite" if overwrite else "append").save()


def _load(session: SparkSession, server: Server, **options: Any) -> DataFrame:
    texts = {name: _text(value) for name, value in options.items()}
    source = ClickHouseSource({**server.options(), **texts})
    source.server = server
    return dataframe_of(session, source.reader(source.schema()))


def _text(value: object) -> str:
    return ",".join(map(str, value)) if isinstance(value, list | tuple) else str(value)
