"""The data sources in a real Spark session: the same rows all the way round, and clear errors."""

from __future__ import annotations

import itertools
import os
import signal
from collections.abc import Iterator
from operator import itemgetter

import pyarrow as pa
import pytest
from pyspark.sql import SparkSession
from pyspark.sql import functions as f

from helpers.cluster.embedded.node import EmbeddedNode
from helpers.cluster.object_store import ObjectStore
from pipelines.clickhouse.data_source import read_query, read_table, register, write_table
from pipelines.clickhouse.server import Server
from pipelines.errors import PipelineError
from pipelines.hive.data_source import read_hive, write_hive
from pipelines.s3.store import Place, Store
from pipelines.spark.errors import clear_errors
from tests.pipelines.clickhouse.type_mapping import MAPPING
from tests.pipelines.hive.source import BUCKET

pytestmark = pytest.mark.xdist_group("spark")


def test_every_type_makes_the_round_trip_through_spark(
    spark: SparkSession, node: EmbeddedNode, server: Server
) -> None:
    # Every type is a column of one table, since a read through Spark costs more than a column.
    samples = [(kind, values[0]) for kind, _, values, _ in MAPPING]
    columns = ", ".join(f"c{at} {kind}" for at, (kind, _) in enumerate(samples))
    create = f"CREATE TABLE {{}} ({columns}) ENGINE = MergeTree ORDER BY tuple()"
    for table in ("t", "back"):
        server.run(create.format(table), flatten_nested=0, enable_time_time64_type=1)
    server.run(f"INSERT INTO t VALUES ({', '.join(value for _, value in samples)})")
    frame = read_table(spark, server, "t")
    assert [field.dataType.simpleString() for field in frame.schema] == [row[1] for row in MAPPING]
    # Through the JVM and its own rows, not only past it.
    write_table(frame.repartition(2, f.rand()), server, "back")
    content = "SELECT hex(formatRow('RowBinary', *)) FROM {}"
    before, after = (server.rows(content.format(table)) for table in ("t", "back"))
    assert before == after and len(after) == 1


def test_rows_go_from_a_table_to_s3_and_back(
    spark: SparkSession, node: EmbeddedNode, server: Server, store: Store, path: str
) -> None:
    create = "(p UInt8, n UInt64, s Nullable(String)) ENGINE = MergeTree PARTITION BY p ORDER BY n"
    for table in ("t", "back"):
        node.query(f"CREATE TABLE {table} {create}")
    node.query(
        "INSERT INTO t SELECT number % 4, number, if(number % 3, toString(number), NULL) "
        "FROM numbers(20000)"
    )
    frame = read_table(spark, server, "t", split="ranges", rows_per_range=2000)
    assert frame.rdd.getNumPartitions() == 12
    write_hive(frame, store, path, partition_by=["p"])
    lake = read_hive(spark, store, path, partition_types="p smallint")
    assert lake.where("p = 2 AND n < 1000").count() == 250
    write_table(lake, server, "back")
    check = "SELECT count(), sum(sipHash64(*)) FROM {}"
    assert node.query(check.format("back")) == node.query(check.format("t"))
    assert node.query(check.format("back"))[0][0] == 20000


def test_by_the_names_of_the_data_sources_the_rows_are_the_same(
    spark: SparkSession, node: EmbeddedNode, server: Server, store: Store, path: str
) -> None:
    node.query("CREATE TABLE t (n UInt64, s Nullable(String)) ENGINE = MergeTree ORDER BY n")
    for start in (0, 500):
        node.query(
            f"INSERT INTO t SELECT number, if(number % 3, 'x', NULL) FROM numbers({start}, 500)"
        )
    table = read_table(spark, server, "t")
    write_hive(table, store, path, partition_by=["s"])
    register(spark)
    table_by_name = spark.read.format("clickhouse").options(**server.options(), table="t").load()
    lake_by_name = spark.read.format("hive_parquet").options(**store.options()).load(path)
    for frame, by_name in ((table, table_by_name), (read_hive(spark, store, path), lake_by_name)):
        assert frame.schema == by_name.schema
        rows, rows_by_name = (
            sorted(read.collect(), key=itemgetter("n")) for read in (frame, by_name)
        )
        assert len(rows) == 1000 and rows == rows_by_name


def test_what_is_read_is_not_taken_for_small(
    spark: SparkSession, server: Server, capsys: pytest.CaptureFixture[str]
) -> None:
    """Spark does not know how much it is: a join that sends one side to everybody would be too much."""
    one, other = (read_query(spark, server, "SELECT number AS n FROM numbers(10)") for _ in "ab")
    joined = one.join(other, "n")
    joined.explain()
    assert "SortMergeJoin" in capsys.readouterr().out
    assert joined.count() == 10


def test_a_table_without_rows_is_read_as_no_rows(
    spark: SparkSession, node: EmbeddedNode, server: Server
) -> None:
    node.query("CREATE TABLE t (n Int64) ENGINE = MergeTree ORDER BY n")
    frame = read_table(spark, server, "t")
    assert (frame.columns, frame.collect()) == (["n"], [])


def test_spark_opens_only_the_folders_it_needs(
    spark: SparkSession, store: Store, path: str, object_store: ObjectStore
) -> None:
    write_hive(spark.range(10).withColumn("k", f.col("id") % 2), store, path, partition_by=["k"])
    prefix = Place.parse(path).prefix
    broken = [key for key in object_store.keys(BUCKET, prefix) if "/k=0/" in key]
    assert broken
    whole, odd = read_hive(spark, store, path), read_hive(spark, store, path, where="k = 1")
    # A filter of Spark's own must leave the DataFrame it is derived from as it is.
    assert (whole.where("k = 1").count(), whole.count()) == (5, 10)
    for key in broken:
        store.put(BUCKET, key, b"broken")
    assert sorted(row.id for row in odd.collect()) == [1, 3, 5, 7, 9]
    with pytest.raises(PipelineError, match="cannot be read as Parquet"), clear_errors():
        whole.count()


def test_errors_of_workers_arrive_as_one_line(
    spark: SparkSession, node: EmbeddedNode, server: Server, store: Store, path: str
) -> None:
    with pytest.raises(PipelineError) as missing:
        read_table(spark, server, "missing")
    assert str(missing.value).startswith(f"ClickHouse at {server.url} refused (code 60)")
    node.query("CREATE TABLE j (c JSON) ENGINE = MergeTree ORDER BY tuple()")
    with pytest.raises(PipelineError, match=r"^Column c has type JSON, which Spark cannot hold"):
        read_table(spark, server, "j")
    with pytest.raises(PipelineError, match=r"^ClickHouse at .*broken row") as late, clear_errors():
        read_query(
            spark, server, "SELECT throwIf(number = 9, 'broken row') FROM numbers(10)"
        ).count()
    with pytest.raises(PipelineError, match=r"^There are no Parquet files below"):
        read_hive(spark, store, path)
    with pytest.raises(PipelineError, match=r"^s3a needs hadoop-aws on the class path"):
        read_hive(spark, store, path, s3a=True)
    for caught in (missing, late):
        assert "\n" not in str(caught.value) and "Traceback" not in str(caught.value)
        # Spark's own exception, with its stack traces, is not shown behind it.
        assert caught.value.__context__ is None or caught.value.__suppress_context__


def test_a_write_that_fails_in_one_task_leaves_nothing(
    spark: SparkSession,
    node: EmbeddedNode,
    server: Server,
    store: Store,
    path: str,
    object_store: ObjectStore,
) -> None:
    node.query("CREATE TABLE t (id Int64, k UInt8) ENGINE = MergeTree ORDER BY id")
    node.query("INSERT INTO t VALUES (-1, 0)")
    numbers = spark.range(0, 1000, numPartitions=4)
    large = numbers.withColumn("k", f.when(f.col("id") == 999, 300).otherwise(1).cast("short"))
    with pytest.raises(PipelineError, match="a value of column k has no equal in type UInt8"):
        write_table(large, server, "t")
    assert node.query("SELECT id FROM t") == [(-1,)]
    assert node.query("SHOW TABLES") == [("t",)]
    empty = numbers.withColumn("k", f.when(f.col("id") == 999, "").otherwise("x"))
    with pytest.raises(PipelineError, match="Column k holds ''"):
        write_hive(empty, store, path, partition_by=["k"])
    assert object_store.keys(BUCKET, Place.parse(path).prefix) == []
    assert store.uploads(Place.parse(path)) == []


@pytest.mark.nightly
def test_a_store_that_dies_between_two_tasks_leaves_nothing(
    spark: SparkSession, store: Store, path: str, object_store: ObjectStore
) -> None:
    write_hive(spark.range(5), store, path, partition_by=[])
    before = object_store.keys(BUCKET, Place.parse(path).prefix)
    frame = read_hive(spark, store, path)
    object_store.kill()
    with pytest.raises(PipelineError, match="the store does not answer"), clear_errors():
        frame.count()
    with pytest.raises(PipelineError, match="the store does not answer"):
        write_hive(spark.range(5), store, path, partition_by=[])
    object_store.start()
    assert object_store.keys(BUCKET, Place.parse(path).prefix) == before
    assert list(itertools.chain.from_iterable(frame.orderBy("id").collect())) == [*range(5)]


@pytest.mark.nightly
def test_a_commit_that_fails_is_undone_by_spark(
    spark: SparkSession, store: Store, path: str, object_store: ObjectStore
) -> None:
    """Spark commits in one process and undoes in another, which know of each other by the store."""
    place = Place.parse(path)
    object_store.deny(BUCKET, f"{place.prefix}_SUCCESS")
    try:
        with pytest.raises(PipelineError, match=r"_SUCCESS at .* were refused"):
            write_hive(spark.range(0, 4, 1, 2), store, path, partition_by=[])
    finally:
        object_store.set_policy(BUCKET, None)
    assert object_store.keys(BUCKET, place.prefix) == [] and store.uploads(place) == []


def test_a_process_of_spark_that_is_killed_is_one_line(spark: SparkSession, server: Server) -> None:
    def die(batches: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        for batch in batches:
            os.kill(os.getpid(), signal.SIGKILL)
            yield batch

    frame = read_query(spark, server, "SELECT number FROM numbers(10)")
    with (
        pytest.raises(PipelineError, match=r"^A Python process of Spark was killed"),
        clear_errors(),
    ):
        frame.mapInArrow(die, frame.schema).count()
    assert frame.count() == 10


def test_no_plan_shows_a_password(
    spark: SparkSession, server: Server, store: Store, path: str, capsys: pytest.CaptureFixture[str]
) -> None:
    write_hive(spark.range(3), store, path, partition_by=[])
    register(spark)
    asked = {**server.options(), "query": "SELECT 1 AS n"}
    for frame in (
        read_query(spark, server, "SELECT 1 AS n"),
        read_hive(spark, store, path),
        spark.read.format("clickhouse").options(**asked).load(),
        spark.read.format("hive_parquet").options(**store.options()).load(path),
    ):
        for mode in ("extended", "formatted"):
            frame.explain(mode=mode)
    output = capsys.readouterr().out
    assert "MapInArrow" in output and "clickhouse" in output
    assert server.password and server.password not in output and store.secret_key not in output
