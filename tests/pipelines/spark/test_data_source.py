"""The data source `clickhouse` in a real Spark session: equal rows there and back, and clear errors."""

from __future__ import annotations

import os
import signal
from collections.abc import Iterator
from operator import itemgetter

import pyarrow as pa
import pytest
from pyspark.sql import SparkSession
from pyspark.sql import functions as f

from helpers.cluster.embedded.node import EmbeddedNode
from pipelines.clickhouse.data_source import read_query, read_table, register, write_table
from pipelines.clickhouse.server import Server
from pipelines.errors import PipelineError
from pipelines.spark.errors import clear_errors
from tests.pipelines.clickhouse.type_mapping import MAPPING

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


def test_rows_go_from_a_table_to_another(
    spark: SparkSession, node: EmbeddedNode, server: Server
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
    assert frame.where("p = 2 AND n < 1000").count() == 250
    write_table(frame, server, "back")
    check = "SELECT count(), sum(sipHash64(*)) FROM {}"
    assert node.query(check.format("back")) == node.query(check.format("t"))
    assert node.query(check.format("back"))[0][0] == 20000


def test_by_the_name_of_the_data_source_the_rows_are_the_same(
    spark: SparkSession, node: EmbeddedNode, server: Server
) -> None:
    node.query("CREATE TABLE t (n UInt64, s Nullable(String)) ENGINE = MergeTree ORDER BY n")
    for start in (0, 500):
        node.query(
            f"INSERT INTO t SELECT number, if(number % 3, 'x', NULL) FROM numbers({start}, 500)"
        )
    frame = read_table(spark, server, "t")
    register(spark)
    by_name = spark.read.format("clickhouse").options(**server.options(), table="t").load()
    assert frame.schema == by_name.schema
    rows, rows_by_name = (sorted(read.collect(), key=itemgetter("n")) for read in (frame, by_name))
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


def test_errors_of_workers_arrive_as_one_line(
    spark: SparkSession, node: EmbeddedNode, server: Server
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
    for caught in (missing, late):
        assert "\n" not in str(caught.value) and "Traceback" not in str(caught.value)
        # Spark's own exception, with its stack traces, is not shown behind it.
        assert caught.value.__context__ is None or caught.value.__suppress_context__


def test_a_write_that_fails_in_one_task_leaves_nothing(
    spark: SparkSession, node: EmbeddedNode, server: Server
) -> None:
    node.query("CREATE TABLE t (id Int64, k UInt8) ENGINE = MergeTree ORDER BY id")
    node.query("INSERT INTO t VALUES (-1, 0)")
    numbers = spark.range(0, 1000, numPartitions=4)
    large = numbers.withColumn("k", f.when(f.col("id") == 999, 300).otherwise(1).cast("short"))
    with pytest.raises(PipelineError, match="a value of column k has no equal in type UInt8"):
        write_table(large, server, "t")
    assert node.query("SELECT id FROM t") == [(-1,)]
    assert node.query("SHOW TABLES") == [("t",)]


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
    spark: SparkSession, server: Server, capsys: pytest.CaptureFixture[str]
) -> None:
    register(spark)
    asked = {**server.options(), "query": "SELECT 1 AS n"}
    for frame in (
        read_query(spark, server, "SELECT 1 AS n"),
        spark.read.format("clickhouse").options(**asked).load(),
    ):
        for mode in ("extended", "formatted"):
            frame.explain(mode=mode)
    output = capsys.readouterr().out
    assert "MapInArrow" in output and "clickhouse" in output
    assert server.password and server.password not in output
