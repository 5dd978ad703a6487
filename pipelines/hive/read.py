"""The reading half of `hive_parquet`: which files there are, what is in them, and who reads which."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

import pyarrow as pa
import pyarrow.parquet as pq
from pyspark.sql.datasource import DataSourceReader, InputPartition
from pyspark.sql.types import DataType, StructField, StructType

from pipelines.clickhouse.arrow import arrow_schema, conform_all, spark_schema
from pipelines.clickhouse.type_compatibility import is_lossless
from pipelines.errors import PipelineError
from pipelines.hive import layout as hive_layout
from pipelines.hive.journal import counting
from pipelines.hive.where import parse_where
from pipelines.s3.store import Place, Store

SMALLEST_TASK, LARGEST_TASK, TASKS = 4 * 2**20, 64 * 2**20, 8
ROWS = 65_536
Types = Mapping[str, DataType]


@dataclass(frozen=True)
class File:
    """A Parquet file and the values that its folders give its rows."""

    key: str
    size: int
    values: dict[str, hive_layout.Value]


class Files(InputPartition):
    """The files that one task reads."""

    def __init__(self, files: list[File]) -> None:
        super().__init__(None)
        self.files = files


class HiveParquetReader(DataSourceReader):
    """Reads the files whose folders pass the condition, and opens no other."""

    def __init__(
        self,
        store: Store,
        place: Place,
        schema: StructType,
        types: Types,
        where: str,
        whole: bool,
    ) -> None:
        self.store, self.place, self.schema, self.whole = store, place, schema, whole
        objects = find_files(store, place)
        by_folder = _folder_fields(place, objects, types)
        self.by_folder = {field.name: field.dataType for field in by_folder}
        # A schema of the caller's own decides the types.
        for field in schema.fields:
            if field.name in self.by_folder:
                self.by_folder[field.name] = field.dataType
        wanted = parse_where(where, self.by_folder)
        files = [File(key, size, self._values(key)) for key, size in objects]
        self.files = [file for file in files if wanted(file.values)]

    def _values(self, key: str) -> dict[str, hive_layout.Value]:
        texts = hive_layout.parse_folder(key[len(self.place.prefix) :])
        return {
            name: hive_layout.typed(name, text, self.by_folder[name])
            for name, text in texts.items()
        }

    def partitions(self) -> list[Files]:
        """Small files share a task, since a task costs more than reading one."""
        enough = sum(file.size for file in self.files) // TASKS
        enough = min(max(enough, SMALLEST_TASK), LARGEST_TASK)
        groups: list[Files] = []
        size = enough
        for file in self.files:
            if size >= enough:
                groups.append(Files([]))
                size = 0
            groups[-1].files.append(file)
            size += file.size
        return groups

    def read(self, partition: InputPartition) -> Iterator[pa.RecordBatch]:
        # Spark asks with a partition of its own making if there are none.
        for file in partition.files if isinstance(partition, Files) else ():
            yield from self._read(file)

    def _read(self, file: File) -> Iterator[pa.RecordBatch]:
        wanted = arrow_schema(self.schema)
        inside = [name for name in wanted.names if name not in file.values]
        where = f"s3://{self.place.bucket}/{file.key}"
        # On disk, because a file is read by columns and memory is for rows.
        with tempfile.TemporaryFile() as copy:
            self.store.copy_to(self.place.bucket, file.key, copy)
            try:
                parquet = pq.ParquetFile(copy)
                self._check(parquet.schema_arrow, file, where)
                batches = parquet.iter_batches(ROWS, columns=inside)
                complete = (_with_values(batch, file.values, wanted) for batch in batches)
                yield from conform_all(complete, wanted, where)
            except (pa.ArrowException, OSError) as error:
                raise PipelineError(f"{where} cannot be read as Parquet: {error}") from None

    def _check(self, held: pa.Schema, file: File, where: str) -> None:
        """Refuse a file whose columns are others, or of a type that could lose something here."""
        wanted = [field for field in self.schema.fields if field.name not in file.values]
        names = {field.name for field in wanted}
        if missing := names - set(held.names):
            raise PipelineError(f"{where} has no column {', '.join(sorted(missing))}.")
        more = set(held.names) - names - set(file.values)
        if more and self.whole:
            raise PipelineError(
                f"{where} has a column {', '.join(sorted(more))} that the first file lacks: read the "
                "data set by spark.read.format('hive_parquet').schema(…), which says what to read."
            )
        in_file = spark_schema(pa.schema([held.field(field.name) for field in wanted]), where)
        for ours, theirs in zip(wanted, in_file.fields, strict=True):
            if not is_lossless(theirs.dataType, ours.dataType):
                raise PipelineError(
                    f"Column {ours.name} of {where} is {theirs.dataType.simpleString()}, and "
                    f"{ours.dataType.simpleString()} in the data set, which cannot hold all of it."
                )


def find_files(store: Store, place: Place) -> list[tuple[str, int]]:
    """Key and size of the data files below a place; names with _ or . in front are not data."""
    files = []
    for key, size in counting(store, place):
        *folders, name = key[len(place.prefix) :].split("/")
        # A column's name may start like that.
        names = [name, *(folder for folder in folders if "=" not in folder)]
        if name.endswith(".parquet") and not any(other.startswith(("_", ".")) for other in names):
            files.append((key, size))
    if not files:
        raise PipelineError(f"There are no Parquet files below {place} at {store.endpoint}.")
    return files


def find_schema(store: Store, place: Place, types: Types) -> StructType:
    """The columns of the first file, and those that the folders give."""
    files = find_files(store, place)
    by_folder = _folder_fields(place, files, types)
    inside = spark_schema(_footer(store, place, files[0][0]), files[0][0])
    names = {field.name for field in by_folder}
    return StructType([*(field for field in inside.fields if field.name not in names), *by_folder])


def _folder_fields(place: Place, files: list[tuple[str, int]], types: Types) -> list[StructField]:
    """The columns that the folders give, with the type asked for or the one that fits all."""
    values = [hive_layout.parse_folder(key[len(place.prefix) :]) for key, _ in files]
    for (key, _), of_file in zip(files, values, strict=True):
        if list(of_file) != list(values[0]):
            raise PipelineError(f"{place} mixes folder layouts: see {files[0][0]} and {key}.")
    for name in types:
        if name not in values[0]:
            raise PipelineError(f"{place} has no folders {name}=…, but a type for them.")
    return [
        StructField(name, types.get(name) or hive_layout.infer(of_file[name] for of_file in values))
        for name in values[0]
    ]


def _footer(store: Store, place: Place, key: str) -> pa.Schema:
    with tempfile.TemporaryFile() as copy:
        store.copy_to(place.bucket, key, copy)
        try:
            return pq.read_schema(copy)
        except (pa.ArrowException, OSError) as error:
            raise PipelineError(f"{key} cannot be read as Parquet: {error}") from None


def _with_values(
    batch: pa.RecordBatch, values: dict[str, hive_layout.Value], wanted: pa.Schema
) -> pa.RecordBatch:
    """A batch with the columns that its folders give."""
    columns = {name: batch.column(name) for name in batch.schema.names}
    for name, value in values.items():
        if name in wanted.names:
            scalar = pa.scalar(value, wanted.field(name).type)
            columns[name] = pa.repeat(scalar, batch.num_rows)
    return pa.RecordBatch.from_pydict(columns)
