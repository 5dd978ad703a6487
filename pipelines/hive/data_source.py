"""The data source `hive_parquet`: Parquet files on S3 in folders named after their values."""

from __future__ import annotations

from collections.abc import MutableMapping

from pyspark.sql import DataFrame, SparkSession
from pyspark.sql.datasource import DataSourceWriter
from pyspark.sql.types import StructType

from pipelines.clickhouse import options as given
from pipelines.errors import PipelineError
from pipelines.hive.layout import parse_types
from pipelines.hive.read import HiveParquetReader, find_schema
from pipelines.hive.write import HiveParquetWriter
from pipelines.s3.store import Place, Store
from pipelines.spark.dataframes import dataframe_of, set_active_session
from pipelines.spark.errors import clear_errors

NAME = "hive_parquet"
KNOWN = (
    *("endpoint", "access_key", "secret_key", "region", "certificate", "path"),
    *("where", "partition_types", "partition_by", "compression"),
)


class HiveParquetSource(given.CheckedSource):
    """`spark.read.format("hive_parquet")` and `df.write.format("hive_parquet")`."""

    NAME, OPTIONS = NAME, KNOWN

    def __init__(self, options: MutableMapping[str, str]) -> None:
        super().__init__(options)
        address = self.required("endpoint", "access_key", "secret_key")
        self.store = Store(**address, **self.given("region", "certificate"))
        self.place = Place.parse(**self.required("path"))
        self.types = parse_types(given.names(options, "partition_types"))
        # The schema is the files' own, and not one that names some columns only.
        self.whole = False

    def schema(self) -> StructType:
        self.whole = True
        return find_schema(self.store, self.place, self.types)

    def reader(self, schema: StructType) -> HiveParquetReader:
        where = self.options.get("where", "")
        return HiveParquetReader(self.store, self.place, schema, self.types, where, self.whole)

    def writer(self, schema: StructType, overwrite: bool) -> DataSourceWriter:
        by = given.names(self.options, "partition_by")
        compression = self.options.get("compression", "zstd")
        return HiveParquetWriter(self.store, self.place, schema, by, compression, overwrite)


def read_hive(
    session: SparkSession, store: Store, path: str, *, s3a: bool = False, **options: str
) -> DataFrame:
    """A hive-partitioned data set as a DataFrame; `s3a` reads it with Hadoop's own S3 client."""
    if s3a:
        return _read_s3a(session, store, Place.parse(path))
    source = HiveParquetSource({**store.options(), "path": path, **options})
    return dataframe_of(session, source.reader(source.schema()))


def write_hive(
    frame: DataFrame, store: Store, path: str, *, partition_by: list[str], overwrite: bool = False
) -> None:
    """Write a DataFrame as a hive-partitioned data set: all of it, or nothing."""
    with clear_errors():
        set_active_session(frame.sparkSession)
        frame.sparkSession.dataSource.register(HiveParquetSource)
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
