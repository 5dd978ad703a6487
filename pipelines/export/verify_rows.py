"""Compare the rows of exported files with those of their parts: Spark reads the files."""

from __future__ import annotations

import re
import socket
import tempfile
import uuid
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from decimal import Decimal
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
from pyspark.sql import SparkSession
from pyspark.sql.types import StructType

from pipelines.clickhouse.arrow import arrow_schema, conform
from pipelines.clickhouse.rows import ClickHouseRows
from pipelines.clickhouse.server import Server
from pipelines.clickhouse.types import literal, map_type, quoted, spark_field, split_type
from pipelines.compare.oracle import compare
from pipelines.errors import PipelineError
from pipelines.export.commit import Commit
from pipelines.export.errors import ExportRefused
from pipelines.export.source import Part, ServerTable, find_parts, find_table, snapshot
from pipelines.s3.store import Store
from pipelines.spark.dataframes import dataframe_of

WRAPPERS = ("LowCardinality", "Nullable")
SPECIAL = ("UUID", "IPv4", "IPv6", "Int128", "UInt128", "Int256", "UInt256")
SPECIAL_INSIDE = re.compile(r"\b(UUID|IPv[46]|U?Int(128|256)|DateTime64\([789])")
NANOSECONDS = 9


@dataclass(frozen=True)
class SourcePart:
    """A part on a server that has still the rows that were exported."""

    server: Server
    table: ServerTable
    part: Part

    @property
    def detach(self) -> str:
        """The statement that takes it out of the table; it can be undone by ATTACH PART."""
        return f"ALTER TABLE {self.table.sql} DETACH PART {literal(self.part.name)};"


@dataclass
class Sources:
    """The parts that commit files name, as the servers have them now."""

    servers: Sequence[Server]
    _known: dict[tuple[Server, str, str], tuple[ServerTable, dict[str, Part], str] | None] = field(
        default_factory=dict
    )

    def find(self, commit: Commit) -> SourcePart | str:
        """The part, or why there is none to compare with."""
        reason = "no server that was named has its table"
        for server in self.servers:
            found = self._table(server, commit.database, commit.table)
            if found is None or found[0].identity != commit.source:
                continue
            table, parts, digest = found
            part = parts.get(commit.part)
            if part is None or part.checksum != commit.checksum:
                reason = "the part is not there any more"
            elif digest != commit.snapshot:
                reason = "columns, mutations or patches of its table are others since"
            else:
                return SourcePart(server, table, part)
        return reason

    def _table(
        self, server: Server, database: str, name: str
    ) -> tuple[ServerTable, dict[str, Part], str] | None:
        key = (server, database, name)
        if key not in self._known:
            try:
                table = find_table(server, database, name)
                parts = {part.name: part for part in find_parts(server, table, "1")}
                self._known[key] = table, parts, snapshot(server, database, name).digest
            except ExportRefused:
                self._known[key] = None
        return self._known[key]


def differences(
    session: SparkSession, store: Store, bucket: str, commit: Commit, source: SourcePart
) -> list[str]:
    """In what the rows of a part and those of its files differ."""
    without = left_out(commit.columns)
    types = {name: kind for name, kind in commit.columns.items() if name not in without}
    if not types:
        return []
    reader = FileReader(store, bucket, commit.keys, types)
    columns = ", ".join(map(quoted, types))
    sql = f"(SELECT {columns} FROM {source.table.sql} WHERE _part = {literal(commit.part)})"
    rows = ClickHouseRows(source.server, f"{commit.part} of {source.table}", sql, types)
    try:
        found = compare(dataframe_of(session, reader), rows)
    except PipelineError as error:
        return [f"{commit.shown} cannot be compared: {error}"]
    if found is None:
        return []
    return [f"{commit.shown} has other rows than its part; by the rows of the file, {found}"]


def left_out(columns: Mapping[str, str]) -> list[str]:
    """The columns that are not compared: Spark has no type for them, or one inside of another one."""
    found = []
    for name, kind in columns.items():
        outer, arguments = _plain(kind)
        try:
            map_type(name, kind)
        except PipelineError:
            found.append(name)
            continue
        if outer not in SPECIAL and SPECIAL_INSIDE.search(", ".join(arguments)):
            found.append(name)
    return found


def _plain(kind: str) -> tuple[str, list[str]]:
    """A type without what only concerns how it is kept."""
    name, arguments = split_type(kind)
    return _plain(arguments[0]) if name in WRAPPERS else (name, arguments)


class FileReader:
    """Reads files of exports in Spark's tasks, in the types that their columns have in Spark."""

    def __init__(
        self, store: Store, bucket: str, keys: Sequence[str], types: Mapping[str, str]
    ) -> None:
        self.store, self.bucket, self.keys, self.types = store, bucket, keys, types
        fields = [spark_field(name, kind, binary=True) for name, kind in types.items()]
        self.schema = StructType(fields)

    def partitions(self) -> list[str]:
        return list(self.keys)

    def read(self, partition: str) -> Iterator[pa.RecordBatch]:
        schema = arrow_schema(self.schema)
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "file.parquet"
            with self.store.errors(f"Reading s3://{self.bucket}/{partition}"):
                self.store.client().fget_object(self.bucket, partition, str(path))
            for batch in pq.ParquetFile(path).iter_batches(columns=list(self.types)):
                arrays = [
                    _converted(batch.column(name), kind, schema.field(name))
                    for name, kind in self.types.items()
                ]
                yield pa.RecordBatch.from_arrays(arrays, schema=schema)


def _converted(array: pa.Array, kind: str, target: pa.Field) -> pa.Array:
    name, arguments = _plain(kind)
    convert = _converter(name, arguments)
    if pa.types.is_dictionary(array.type):
        array = array.dictionary_decode()
    if convert is None:
        return conform(array, target, f"column {target.name} of the file")
    if name == "DateTime64":
        array = array.cast(pa.timestamp("ns", "UTC")).cast(pa.int64())
    values = [None if value is None else convert(value) for value in array.to_pylist()]
    return pa.array(values, target.type)


def _converter(name: str, arguments: Sequence[str]) -> Callable[[Any], Any] | None:
    """What makes ClickHouse's text of a value in a file, where it is not read as it is."""
    match name:
        case "UUID":
            return lambda value: str(
                value if isinstance(value, uuid.UUID) else uuid.UUID(bytes=value)
            )
        case "IPv4":
            return lambda value: socket.inet_ntop(socket.AF_INET, int(value).to_bytes(4))
        case "IPv6":
            return lambda value: socket.inet_ntop(socket.AF_INET6, value)
        case "Int128" | "Int256":
            return lambda value: str(int.from_bytes(value, "little", signed=True))
        case "UInt128" | "UInt256":
            return lambda value: str(int.from_bytes(value, "little"))
        case "DateTime64" if int(arguments[0]) > 6:
            digits = int(arguments[0])
            return lambda value: Decimal(value // 10 ** (NANOSECONDS - digits)).scaleb(-digits)
    return None
