"""The data source `hive_parquet`: Parquet files on S3 in folders named after their values."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator, MutableMapping
from dataclasses import dataclass

import pyarrow as pa
import pyarrow.parquet as pq
from pyspark.sql import DataFrame, SparkSession
from pyspark.sql.datasource import DataSource, DataSourceReader, DataSourceWriter, InputPartition
from pyspark.sql.types import StructField, StructType

from pipelines import hive_layout
from pipelines import options as given
from pipelines.active import activate
from pipelines.arrow import arrow_schema, conform_all, spark_schema
from pipelines.errors import PipelineError, clear_errors
from pipelines.fits import fits
from pipelines.frames import frame_of
from pipelines.hive_journal import counting
from pipelines.hive_parquet_write import HiveParquetWriter
from pipelines.hive_where import parse_where
from pipelines.s3 import Place, Store

NAME = "hive_parquet"
KNOWN = (
    *("endpoint", "access_key", "secret_key", "region", "certificate", "path"),
    *("where", "partition_types", "partition_by", "compression"),
)
SMALLEST_TASK, LARGEST_TASK, TASKS = 4 * 2**20, 64 * 2**20, 8
ROWS = 65_536


@dataclass(frozen=True)
class File:
    """A Parquet file and the values that its folders give its rows."""

    key: str
    size: int
    values: dict[str, hive_layout.Value]


class HiveParquetSource(DataSource):
    """`spark.read.format("hive_parquet")` and `df.write.format("hive_parquet")`."""

    def __init__(self, options: MutableMapping[str, str]) -> None:
        super().__init__(options)
        given.check_options(NAME, options, KNOWN)
        self.store = Store(
            given.required(NAME, options, "endpoint"),
            given.required(NAME, options, "access_key"),
            given.required(NAME, options, "secret_key"),
            options.get("region", "") or "us-east-1",
            options.get("certificate", ""),
        )
        self.place = Place.parse(given.required(NAME, options, "path"))
        # The schema is the files' own, and not one that names some columns only.
        self.whole = False

    @classmethod
    def name(cls) -> str:
        return NAME

    def schema(self) -> StructType:
        files = find_files(self.store, self.place)
        by_folder = self.partition_fields(files)
        inside = spark_schema(_footer(self.store, self.place, files[0][0]), files[0][0])
        names = {field.name for field in by_folder}
        self.whole = True
        return StructType([*(one for one in inside.fields if one.name not in names), *by_folder])

    def partition_fields(self, files: list[tuple[str, int]]) -> list[StructField]:
        """The columns that the folders give, with the type asked for or the one that fits all."""
        types = hive_layout.parse_types(given.names(self.options, "partition_types"))
        values = [hive_layout.parse_folder(key[len(self.place.prefix) :]) for key, _ in files]
        for (key, _), one in zip(files, values, strict=True):
            if list(one) != list(values[0]):
                raise PipelineError(
                    f"{self.place} mixes folder layouts: see {files[0][0]} and {key}."
                )
        for name in types:
            if name not in values[0]:
                raise PipelineError(f"{self.place} has no folders {name}=…, but a type for them.")
        return [
            StructField(name, types.get(name) or hive_layout.infer(one[name] for one in values))
            for name in values[0]
        ]

    def reader(self, schema: StructType) -> HiveParquetReader:
        return HiveParquetReader(self, schema)

    def writer(self, schema: StructType, overwrite: bool) -> DataSourceWriter:
        by = given.names(self.options, "partition_by")
        compression = self.options.get("compression", "zstd")
        return HiveParquetWriter(self.store, self.place, schema, by, compression, overwrite)


class Files(InputPartition):
    """The files that one task reads."""

    def __init__(self, files: list[File]) -> None:
        super().__init__(None)
        self.files = files


class HiveParquetReader(DataSourceReader):
    """Reads the files whose folders pass the condition, and opens no other."""

    def __init__(self, source: HiveParquetSource, schema: StructType) -> None:
        self.store, self.place, self.schema = source.store, source.place, schema
        self.whole = source.whole
        found = find_files(source.store, source.place)
        self.by_folder = {field.name: field.dataType for field in source.partition_fields(found)}
        # A schema of the caller's own decides the types.
        for field in schema.fields:
            if field.name in self.by_folder:
                self.by_folder[field.name] = field.dataType
        wanted = parse_where(source.options.get("where", ""), self.by_folder)
        files = [File(key, size, self._values(key)) for key, size in found]
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
                f"data set by spark.read.format('{NAME}').schema(…), which says what to read."
            )
        found = spark_schema(pa.schema([held.field(field.name) for field in wanted]), where)
        for ours, theirs in zip(wanted, found.fields, strict=True):
            if not fits(theirs.dataType, ours.dataType):
                raise PipelineError(
                    f"Column {ours.name} of {where} is {theirs.dataType.simpleString()}, and "
                    f"{ours.dataType.simpleString()} in the data set, which cannot hold all of it."
                )


def find_files(store: Store, place: Place) -> list[tuple[str, int]]:
    """Key and size of the data files below a place; names with _ or . in front are not data."""
    found = []
    for key, size in counting(store, place):
        *folders, name = key[len(place.prefix) :].split("/")
        # A column's name may start like that.
        plain = [name, *(one for one in folders if "=" not in one)]
        if name.endswith(".parquet") and not any(one.startswith(("_", ".")) for one in plain):
            found.append((key, size))
    if not found:
        raise PipelineError(f"There are no Parquet files below {place} at {store.endpoint}.")
    return found


def read_hive(
    session: SparkSession, store: Store, path: str, *, s3a: bool = False, **options: str
) -> DataFrame:
    """A hive-partitioned data set as a DataFrame; `s3a` reads it with Hadoop's own S3 client."""
    if s3a:
        return _read_s3a(session, store, Place.parse(path))
    source = HiveParquetSource({**store.options(), "path": path, **options})
    return frame_of(session, source.reader(source.schema()))


def write_hive(
    frame: DataFrame, store: Store, path: str, *, partition_by: list[str], overwrite: bool = False
) -> None:
    """Write a DataFrame as a hive-partitioned data set: all of it, or nothing."""
    with clear_errors():
        activate(frame.sparkSession)
        writer = frame.write.format(NAME).options(**store.options())
        writer.option("partition_by", ",".join(partition_by)).mode(
            "overwrite" if overwrite else "append"
        ).save(path)


def _read_s3a(session: SparkSession, store: Store, place: Place) -> DataFrame:
    context = session.sparkContext
    try:
        context._jvm.java.lang.Class.forName("org.apache.hadoop.fs.s3a.S3AFileSystem")
    except Exception:
        raise PipelineError(
            "s3a needs hadoop-aws on the class path: start the session with conf spark.jars or "
            "spark.jars.packages, or leave the option out."
        ) from None
    settings = context._jsc.hadoopConfiguration()
    for name, value in {
        "endpoint": store.endpoint,
        "endpoint.region": store.region,
        "access.key": store.access_key,
        "secret.key": store.secret_key,
        "path.style.access": "true",
    }.items():
        settings.set(f"fs.s3a.bucket.{place.bucket}.{name}", value)
    with clear_errors():
        return session.read.parquet(f"s3a://{place.bucket}/{place.prefix}")


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
