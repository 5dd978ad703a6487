"""ClickHouse and Spark compute the same fingerprint, of every type."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from pyspark.sql import DataFrame, SparkSession
from pyspark.sql import functions as f

from pipelines.clickhouse.data_source import read_table
from pipelines.clickhouse.rows import ClickHouseRows, query, table
from pipelines.clickhouse.server import Server
from pipelines.compare import fingerprint
from pipelines.compare.fingerprint import Fingerprint
from pipelines.errors import PipelineError
from tests.pipelines.clickhouse.type_mapping import MAPPING, REFUSED

pytestmark = pytest.mark.xdist_group("spark")
# Values that engines like to treat differently.
HARD: list[tuple[str, list[str]]] = [
    ("Float64", ["nan", "-nan", "0 / 0", "-0.", "0.", "inf", "5e-324"]),
    ("Float32", ["nan", "-0.", "0.", "1e-45", "3.4e38"]),
    ("Nullable(Float64)", ["NULL", "nan", "-0."]),
    ("Decimal(18, 18)", ["'-0.999999999999999999'", "'0'", "'0.000000000000000001'"]),
    ("Decimal(38, 38)", ["'-0.00000000000000000000000000000000000001'", "'0'"]),
    ("Decimal(19, 0)", ["'-1'", "'0'", "'1000000000000000000'"]),
    ("Nullable(Decimal(9, 2))", ["NULL", "'-0.01'"]),
    ("Array(Nullable(UInt64))", ["[1, NULL]", "[NULL, 1]", "[NULL]", "[]"]),
    ("Array(Array(Nullable(String)))", ["[[], ['']]", "[['', NULL]]", "[[]]"]),
    ("Map(String, Nullable(Float64))", ["map('b', NULL, 'a', -0.)", "map('a', 0, 'b', NULL)"]),
    ("Map(UInt64, Map(Date, Array(UInt8)))", ["map(1, map('1970-01-02', [1, 2]))"]),
    ("Array(Tuple(a Nullable(UInt8), b Array(Date)))", ["[(NULL, ['2020-01-01']), (1, [])]"]),
    ("String", ["repeat('ö', 1000)", "'\\0'", "''", "'a\\0'"]),
]
KINDS = [(kind, values) for kind, _, values, _ in MAPPING] + HARD
ROWS = max(len(values) for _, values in KINDS)


@pytest.fixture
def every_type(server: Server, spark: SparkSession) -> Iterator[tuple[ClickHouseRows, DataFrame]]:
    """A table with a column of every type, there and in Spark."""
    columns = ", ".join(f"c{number} {kind}" for number, (kind, _) in enumerate(KINDS))
    server.run(
        f"CREATE TABLE t (n UInt32, {columns}) ENGINE = MergeTree ORDER BY n",
        flatten_nested=0,
        enable_time_time64_type=1,
    )
    rows = [
        ", ".join([str(row), *(values[row % len(values)] for _, values in KINDS)])
        for row in range(ROWS)
    ]
    server.run(f"INSERT INTO t VALUES {', '.join(f'({row})' for row in rows)}")
    frame = read_table(spark, server, "t").cache()
    yield table(server, "t"), frame
    frame.unpersist()


def test_many_columns_are_hashed_in_groups(
    every_type: tuple[ClickHouseRows, DataFrame], monkeypatch: pytest.MonkeyPatch
) -> None:
    actual, frame = every_type
    before = fingerprint.of_clickhouse(actual)
    monkeypatch.setattr(fingerprint, "MOST_CHAINED", 4)
    grouped = fingerprint.of_clickhouse(actual)
    assert grouped == fingerprint.of_frame(frame, actual.types) != before


def test_every_type_has_the_same_hash_in_both(every_type: tuple[ClickHouseRows, DataFrame]) -> None:
    actual, frame = every_type
    single = [{"n": actual.types["n"], name: kind} for name, kind in actual.types.items()]
    theirs = actual.select(
        ", ".join(fingerprint.hash_sql(columns) for columns in single), "ORDER BY n"
    )
    ours = frame.orderBy("n").select(
        *(fingerprint.hash_column(frame, columns) for columns in single)
    )
    wrong = {
        (kind, number)
        for number, (a, b) in enumerate(zip(theirs, ours.collect(), strict=True))
        for kind, x, y in zip(actual.types.values(), a, b, strict=True)
        if int(x) != y % 2**64
    }
    assert wrong == set()
    assert len(theirs) == ROWS


def test_fingerprints_and_buckets_are_the_same_in_both(
    every_type: tuple[ClickHouseRows, DataFrame],
) -> None:
    actual, frame = every_type
    whole = fingerprint.of_clickhouse(actual)
    assert whole.rows == ROWS
    assert fingerprint.of_frame(frame, actual.types) == whole
    key = {"n": actual.types["n"]}
    buckets = fingerprint.buckets_of_clickhouse(actual, key)
    assert fingerprint.buckets_of_frame(frame, actual.types, key) == buckets
    assert len(buckets) > 1
    assert sum(buckets.values(), Fingerprint()) == whole


def test_many_rows_fill_all_buckets_alike(server: Server, spark: SparkSession) -> None:
    actual = query(server, "SELECT number AS i, toString(number % 7) AS s FROM numbers(20000)")
    frame = spark.range(20000).select(
        f.col("id").alias("i"), (f.col("id") % 7).cast("string").alias("s")
    )
    assert fingerprint.of_frame(frame, actual.types) == fingerprint.of_clickhouse(actual)
    buckets = fingerprint.buckets_of_clickhouse(actual, actual.types)
    assert fingerprint.buckets_of_frame(frame, actual.types, actual.types) == buckets
    assert len(buckets) == fingerprint.BUCKETS


def test_partitions_add_up(server: Server) -> None:
    server.run("CREATE TABLE t (p UInt8, v String) ENGINE = MergeTree PARTITION BY p ORDER BY v")
    server.run("INSERT INTO t SELECT number % 3, toString(number) FROM numbers(300)")
    whole = fingerprint.of_clickhouse(table(server, "t"))
    one, rest = (
        fingerprint.of_clickhouse(table(server, "t", where=f"p {sign} 1")) for sign in ("=", "!=")
    )
    assert one + rest == whole
    assert whole - one == rest != one
    assert one.rows == 100


def test_both_halves_of_the_hashes_are_summed(server: Server) -> None:
    """Each alone would be a fingerprint of half the strength, and both engines would still agree."""
    types = {"a": "UInt8"}
    one, two = (query(server, f"SELECT toUInt8({number}) AS a") for number in (1, 2))
    numbers = [int(actual.select(fingerprint.hash_sql(types))[0][0]) for actual in (one, two)]
    both = fingerprint.of_clickhouse(one) + fingerprint.of_clickhouse(two)
    assert both == Fingerprint(2, sum(n % 2**32 for n in numbers), sum(n >> 32 for n in numbers))
    assert both.low > 0 and both.high > 0


def test_nothing_has_an_empty_fingerprint(server: Server, spark: SparkSession) -> None:
    actual = query(server, "SELECT 1 AS a WHERE 0")
    assert fingerprint.of_clickhouse(actual) == Fingerprint()
    assert fingerprint.of_frame(spark.createDataFrame([], "a int"), actual.types) == Fingerprint()


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("(NULL, 1)", "(1, NULL)"),
        ("(NULL, NULL)", "(0, 0)"),
        ("(1, 2)", "(2, 1)"),
        ("(1, 1)", "(2, 2)"),
    ],
)
def test_columns_cannot_change_places(server: Server, one: str, other: str) -> None:
    columns = "VALUES('a Nullable(Int32), b Nullable(Int32)', {})"
    prints = {
        fingerprint.of_clickhouse(query(server, f"SELECT * FROM {columns.format(rows)}"))
        for rows in (one, other)
    }
    assert len(prints) == 2


@pytest.mark.parametrize("kind", ["Decimal(76, 3)", "Dynamic"])
def test_a_type_that_spark_cannot_hold_is_refused_by_name(server: Server, kind: str) -> None:
    assert kind in REFUSED
    server.run(f"CREATE TABLE t (n UInt8, price {kind}) ENGINE = MergeTree ORDER BY n")
    with pytest.raises(PipelineError, match="price"):
        table(server, "t")
    assert list(table(server, "t", columns=["n"]).types) == ["n"]
