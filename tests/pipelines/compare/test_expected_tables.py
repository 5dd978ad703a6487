"""What REPLACE PARTITION and FINAL must show, computed by Spark, agrees with ClickHouse."""

from __future__ import annotations

import random

import pytest
from pyspark.sql import SparkSession
from pyspark.sql import functions as f

from pipelines.clickhouse.rows import table
from pipelines.clickhouse.server import Server
from pipelines.compare import oracle

pytestmark = pytest.mark.xdist_group("spark")


def test_replace_partition_is_a_set_operation(spark: SparkSession, server: Server) -> None:
    create = "(p Nullable(UInt8), v String) ENGINE = MergeTree PARTITION BY p ORDER BY v"
    held = {}
    for name, factor in (("source", 3), ("destination", 5)):
        server.run(
            f"CREATE TABLE {name} {create} SETTINGS allow_nullable_key = 1",
        )
        server.run(
            f"INSERT INTO {name} SELECT if(number % 4 = 3, NULL, number % 4), "
            f"toString(number * {factor}) FROM numbers(40)"
        )
        numbers = spark.range(40)
        held[name] = numbers.select(
            f.when(f.expr("id % 4 = 3"), None).otherwise(f.expr("id % 4")).alias("p"),
            (f.col("id") * factor).cast("string").alias("v"),
        )
    server.run("ALTER TABLE destination REPLACE PARTITION 1 FROM source")
    after = oracle.replace_partition(held["destination"], held["source"], "p = 1")
    assert oracle.compare(after, table(server, "destination")) is None
    assert oracle.compare(held["destination"], table(server, "destination")) is not None
    server.run("ALTER TABLE destination REPLACE PARTITION tuple(NULL) FROM source")
    after = oracle.replace_partition(after, held["source"], f.col("p").isNull())
    assert oracle.compare(after, table(server, "destination")) is None


@pytest.mark.parametrize("deletes", [False, True])
def test_replacing_final_agrees_with_clickhouse(
    spark: SparkSession, server: Server, deletes: bool
) -> None:
    rng = random.Random(7)
    engine = "ReplacingMergeTree(ver, gone)" if deletes else "ReplacingMergeTree(ver)"
    server.run(
        f"CREATE TABLE t (k UInt32, ver UInt32, gone UInt8, v UInt32) ENGINE = {engine} ORDER BY k"
    )
    inserted = []
    for insert in range(6):
        batch = [(rng.randrange(30), rng.randrange(3), rng.randrange(2)) for _ in range(20)]
        lines = [(*row, insert * 100 + at) for at, row in enumerate(batch)]
        server.run(f"INSERT INTO t VALUES {', '.join(map(str, lines))}", optimize_on_insert=0)
        inserted += [(*row, row[-1]) for row in lines]
    frame = spark.createDataFrame(inserted, "k int, ver int, gone int, v int, seq int")
    marked = "gone" if deletes else None
    final = oracle.replacing_final(frame, ["k"], sequence="seq", version="ver", is_deleted=marked)
    assert 0 < final.count() <= 30
    difference = oracle.compare(final, table(server, "t", final=True), key=["k"])
    assert difference is None, str(difference)
    first_wins = oracle.replacing_final(
        frame.withColumn("seq", -f.col("seq")), ["k"], sequence="seq", version="ver"
    )
    assert oracle.compare(first_wins, table(server, "t", final=True), key=["k"]) is not None
    if deletes:
        server.run("OPTIMIZE TABLE t FINAL")
        merged = oracle.replacing_final(
            frame, ["k"], sequence="seq", version="ver", is_deleted="gone", keep_deleted=True
        )
        assert oracle.compare(merged, table(server, "t"), key=["k"]) is None
