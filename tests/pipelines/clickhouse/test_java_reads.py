"""Reads inside of Java: rows and errors are those of Python's workers, which read what Java cannot."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from pyspark.sql import DataFrame, SparkSession

from helpers.cluster.embedded.node import EmbeddedNode
from pipelines.clickhouse import java_reader as clickhouse_java
from pipelines.clickhouse import java_reads
from pipelines.clickhouse.data_source import ClickHouseSource, read_query, read_table
from pipelines.clickhouse.server import Server
from pipelines.errors import PipelineError
from pipelines.spark.dataframes import dataframe_of
from pipelines.spark.errors import clear_errors
from pipelines.spark.java import find_java
from pipelines.spark.session import spark_session
from tests.pipelines.clickhouse.java_plans import is_in_java, plan
from tests.pipelines.clickhouse.type_mapping import MAPPING

pytestmark = pytest.mark.xdist_group("spark")
# More than a block has.
ROWS = 70_000
NESTED = ("array", "map", "struct", "binary")


def by_python(session: SparkSession, server: Server, **options: str) -> DataFrame:
    source = ClickHouseSource({**server.options(), **options})
    return dataframe_of(session, source.reader(source.schema()))


def refused(frame: DataFrame) -> str:
    with pytest.raises(PipelineError) as error, clear_errors():
        frame.write.format("noop").mode("overwrite").save()
    return str(error.value)


def test_every_flat_type_is_what_python_reads(
    spark: SparkSession, node: EmbeddedNode, server: Server
) -> None:
    flat = [row for row in MAPPING if not row[1].startswith(NESTED)]
    assert len(flat) > 20
    wrapped = ("Nullable", "LowCardinality", "Simple")
    nullable = [row for row in flat if not row[0].startswith(wrapped)]
    columns = [f"c{at} {kind}" for at, (kind, *_) in enumerate(flat)]
    columns += [f"n{at} Nullable({kind})" for at, (kind, *_) in enumerate(nullable)]
    server.run(
        f"CREATE TABLE t ({', '.join(columns)}) ENGINE = MergeTree ORDER BY tuple()",
        enable_time_time64_type=1,
    )
    for turn in range(4):
        whole = turn % 2 == 0  # else the columns that can be are NULL
        cells = [
            values[turn // 2 % len(values)] for *_, values, _ in (*flat, *nullable[: whole * 99])
        ]
        names = ", ".join(column.split()[0] for column in columns[: len(cells)])
        server.run(f"INSERT INTO t ({names}) VALUES ({', '.join(cells)})")
    frame = read_table(spark, server, "t", split="none")
    assert is_in_java(frame)
    expected = by_python(spark, server, table="t", split="none")
    assert frame.schema == expected.schema
    rows, others = (
        [repr(row) for row in sorted(it.collect(), key=repr)] for it in (frame, expected)
    )
    assert rows == others and len(rows) == 4


# Values at the limits of their types, and whether Java reads them.
EDGES: dict[str, tuple[str, bool]] = {
    "above the largest long": (
        "CAST(arrayJoin([0, 9223372036854775807, 9223372036854775808, 18446744073709551615]) AS UInt64)",
        True,
    ),
    "decimals": (
        "arrayJoin([CAST(repeat('9', 38) AS Decimal(38, 0)), -CAST(repeat('9', 38) AS Decimal(38, 0)), 0])",
        True,
    ),
    "small decimals": (
        "CAST(arrayJoin(['-0.000000001', '0', '0.999999999']) AS Decimal(9, 9))",
        True,
    ),
    **{
        f"times of {digits} digits": (
            f"CAST(arrayJoin(['1900-01-01 00:00:00', '1969-12-31 23:59:59.{'9' * max(digits, 1)}', "
            f"'2262-04-11 23:47:16']) AS DateTime64({digits}, 'Asia/Tokyo'))",
            True,
        )
        for digits in (0, 3, 6, 7, 9)
    },
    "dictionaries": (
        "CAST(if(number % 3 = 0, NULL, toString(number % 7)) AS LowCardinality(Nullable(String)))",
        True,
    ),
    "bytes by a dictionary": (
        "CAST(toString(number % 5) AS LowCardinality(FixedString(3)))",
        False,
    ),
    "NULLs only": ("CAST(NULL AS Nullable(Int64))", True),
    "large texts": ("if(number < 3, repeat('ü', 1000000 - number), '')", True),
    "texts with zero bytes": ("concat('a', char(0), toString(number), char(0))", True),
    "bytes of fixed length": ("CAST(concat('a', char(0), 'b') AS FixedString(6))", False),
    "bytes of fixed length or NULL": (
        "CAST(if(number % 2, NULL, 'a') AS Nullable(FixedString(2)))",
        False,
    ),
}


@pytest.mark.parametrize("name", EDGES)
def test_values_at_their_limits_are_what_python_reads(
    spark: SparkSession, server: Server, name: str
) -> None:
    value, in_java = EDGES[name]
    query = f"SELECT number AS n, {value} AS x FROM numbers({ROWS})"
    frame = read_query(spark, server, query)
    assert is_in_java(frame) == in_java
    expected = by_python(spark, server, query=query)
    assert frame.schema == expected.schema
    held = ("count(*)", "count(x)", "sum(length(cast(x AS string)))", "bit_xor(xxhash64(n, x))")
    found, wanted = (it.selectExpr(*held).collect() for it in (frame, expected))
    assert found == wanted and found[0][0] >= ROWS
    some = [repr(it.filter("n < 3").sort("n", "x").collect()) for it in (frame, expected)]
    assert some[0] == some[1]


@pytest.mark.parametrize("rows", ["numbers(0)", "numbers(10) WHERE number > 10"])
def test_no_rows_are_no_rows(spark: SparkSession, server: Server, rows: str) -> None:
    frame = read_query(spark, server, f"SELECT number AS n, toString(number) AS s FROM {rows}")
    assert is_in_java(frame) and frame.collect() == [] and frame.columns == ["n", "s"]
    server.run("CREATE TABLE t (n UInt8) ENGINE = MergeTree ORDER BY n")
    frame = read_table(spark, server, "t")
    assert is_in_java(frame) and frame.collect() == []


@pytest.mark.parametrize(
    "kind", ["Array(UInt8)", "Map(String, UInt8)", "Tuple(UInt8)", "FixedString(2)"]
)
def test_what_java_does_not_take_python_reads(
    spark: SparkSession, server: Server, kind: str
) -> None:
    server.run(f"CREATE TABLE t (n UInt8, c {kind}) ENGINE = MergeTree ORDER BY n")
    server.run("INSERT INTO t (n) VALUES (1)")
    frame = read_table(spark, server, "t")
    assert "MapInArrow" in plan(frame) and frame.count() == 1
    assert is_in_java(read_table(spark, server, "t", columns=["n"]))


def test_texts_are_utf_8_or_refused(spark: SparkSession, server: Server) -> None:
    server.run("CREATE TABLE t (k UInt8, s Nullable(String)) ENGINE = MergeTree ORDER BY k")
    server.run("INSERT INTO t VALUES (1, 'Köln'), (2, NULL), (3, '日本 😀'), (4, '')")
    frame = read_table(spark, server, "t")
    assert is_in_java(frame)
    assert [row.s for row in frame.orderBy("k").collect()] == ["Köln", None, "日本 😀", ""]
    # Two values whose bytes are text together, and neither of them alone.
    server.run("INSERT INTO t VALUES (5, 'K\\xc3'), (6, '\\xb6ln')")
    assert refused(read_table(spark, server, "t")) == (
        "There are bytes in column s of `t` that are not UTF-8: name it in the option 'binary'."
    )


def test_a_part_that_is_gone_is_noticed(
    spark: SparkSession, node: EmbeddedNode, server: Server, table: str
) -> None:
    frame = read_table(spark, server, table)
    assert is_in_java(frame) and frame.count() == frame.count() > 0
    node.query("SYSTEM START MERGES t")
    node.query("OPTIMIZE TABLE t FINAL")
    assert "changed while it was read: _part = '" in refused(frame)
    assert " had 834 rows and now has 0. Make a new DataFrame" in refused(frame)


def test_an_error_in_the_middle_is_told_as_python_tells_it(
    spark: SparkSession, server: Server
) -> None:
    query = "SELECT throwIf(number = 3000000, 'broken row') AS x FROM numbers(4000000)"
    frame = read_query(spark, server, query)
    assert is_in_java(frame)
    told = refused(frame)
    assert told.startswith(f"ClickHouse at {server.url} refused (code 395): broken row")
    assert told == refused(by_python(spark, server, query=query))


def test_refusals_name_no_password(spark: SparkSession, server: Server) -> None:
    source = ClickHouseSource({**server.options(), "query": "SELECT 1 AS n"})
    reader = source.reader(source.schema())
    slices = reader.partitions()
    nobody = Server(server.url, "nobody", "a secret", server.database)
    frame = clickhouse_java.dataframe_in_java(spark, nobody, reader.schema, "it", slices)
    with pytest.raises(Exception) as error:
        frame.collect()
    assert "nobody" in str(error.value) and "secret" not in f"{error.value}{plan(frame)}"
    assert refused(frame) == (
        f"ClickHouse at {server.url} refused the credentials of user 'nobody' "
        "(code 516, AUTHENTICATION_FAILED)."
    )
    away = Server("http://127.0.0.1:9", "nobody", "a secret")
    frame = clickhouse_java.dataframe_in_java(spark, away, reader.schema, "it", slices)
    assert refused(frame) == "ClickHouse at http://127.0.0.1:9 does not answer: Connection refused."


def test_far_servers_and_tls_are_read_by_python(spark: SparkSession, server: Server) -> None:
    schema = spark.range(1).schema
    assert clickhouse_java.is_possible(spark, server, schema)
    for url in ("https://localhost:8443", "http://example.com:8123"):
        assert not clickhouse_java.is_possible(spark, Server(url), schema)


def test_why_it_cannot_be_compiled_is_kept(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    source = tmp_path / "Broken.java"
    source.write_text("public class Broken { int x = missing; }")
    monkeypatch.setattr(java_reads, "SOURCE", source)
    monkeypatch.setattr(java_reads, "cache_folder", lambda: tmp_path)
    for _ in range(2):  # the second time nothing is tried
        assert java_reads.reads_jar(find_java()) is None
    (failed,) = tmp_path.glob("spark-reads-*/failed")
    assert "missing" in failed.read_text()


def test_without_the_jar_python_reads(
    spark: SparkSession, server: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(clickhouse_java, "JAR", "another.jar")
    frame = read_query(spark, server, "SELECT 7 AS n")
    assert "MapInArrow" in plan(frame)
    rows: list[Any] = frame.collect()
    assert [row.n for row in rows] == [7] and spark_session() is spark
