"""The referee notices every kind of damage, names the row, and agrees with ClickHouse otherwise."""

from __future__ import annotations

import datetime
from collections.abc import Iterator
from decimal import Decimal

import pytest
from pyspark.sql import DataFrame, SparkSession
from pyspark.sql import functions as f

from helpers.cluster.embedded.node import EmbeddedNode
from pipelines.clickhouse.rows import ClickHouseRows, part, query, table
from pipelines.clickhouse.server import Server
from pipelines.compare import oracle
from pipelines.compare.difference import MOST_ROWS, Difference, DifferenceKind
from pipelines.errors import PipelineError

pytestmark = pytest.mark.xdist_group("spark")
ROWS = 200
SCHEMA = (
    "k bigint, v string, w string, x decimal(20,4), d double, t timestamp, a array<int>, "
    "m map<string,int>"
)
COLUMNS = (
    "k UInt64, v Nullable(String), w Nullable(String), x Decimal(20, 4), d Float64, "
    "t DateTime64(6, 'UTC'), a Array(Int32), m Map(String, Int32)"
)
START = datetime.datetime(2026, 1, 1, tzinfo=datetime.UTC)
# By the key of the row that changes: the columns that are replaced in the table.
CHANGES = {
    5: {
        "value changed": "if(k = 5, 'other', v) AS v",
        "letter changed": "if(k = 5, upper(v), v) AS v",
        "blank behind": "if(k = 5, v || ' ', v) AS v",
        "zero byte behind": "if(k = 5, v || '\\0', v) AS v",
        "value lost": "if(k = 5, NULL, v) AS v",
        "columns swapped": "if(k = 5, w, v) AS v, if(k = 5, v, w) AS w",
        "last digit": "if(k = 5, x + 0.0001, x)::Decimal(20, 4) AS x",
        "last bit": "if(k = 5, d + 2e-16, d) AS d",
        "a microsecond": "if(k = 5, t + toIntervalMicrosecond(1), t) AS t",
        "array's order": "if(k = 5, reverse(a), a) AS a",
        "map's value": "if(k = 5, map('a', 5, 'b', 1), m) AS m",
    },
    6: {
        "NULL became empty": "if(k = 6, '', v) AS v",
        "NULL swapped": "if(k = 6, w, v) AS v, if(k = 6, v, w) AS w",
    },
}
# What is selected in place of the table, what a row of it is then called, and the row that must be named.
MUTATIONS: dict[str, tuple[str, DifferenceKind, int]] = {
    **{
        name: (f"* REPLACE({columns})", DifferenceKind.CHANGED, key)
        for key, changes in CHANGES.items()
        for name, columns in changes.items()
    },
    "key changed": ("* REPLACE(if(k = 5, 1000, k) AS k)", DifferenceKind.MISSING, 5),
    "row missing": ("* FROM t WHERE k != 5 --", DifferenceKind.MISSING, 5),
    "row added": (
        "* FROM t UNION ALL SELECT * REPLACE(777 AS k) FROM (SELECT * FROM t WHERE k = 5) --",
        DifferenceKind.UNEXPECTED,
        777,
    ),
    "row twice": (
        "* FROM t UNION ALL SELECT * FROM t WHERE k = 5 --",
        DifferenceKind.DUPLICATED,
        5,
    ),
    "row for row": (
        "* FROM t WHERE k != 6 UNION ALL SELECT * FROM t WHERE k = 5 --",
        DifferenceKind.DUPLICATED,
        5,
    ),
}


def rows() -> list[tuple[object, ...]]:
    return [
        (
            k,
            None if k % 6 == 0 else f"value {k}",
            f"other {k}",
            Decimal(k) / 16,
            1 / (k + 1),
            START + datetime.timedelta(microseconds=k),
            [k, k + 1, 0],
            {"a": k, "b": 0},
        )
        for k in range(ROWS)
    ]


@pytest.fixture(scope="module")
def expected(spark: SparkSession) -> Iterator[DataFrame]:
    frame = spark.createDataFrame(rows(), SCHEMA).cache()
    yield frame
    frame.unpersist()


@pytest.fixture
def filled(server: Server) -> Server:
    """A server with a table that ClickHouse filled by its own arithmetic."""
    server.run(f"CREATE TABLE t ({COLUMNS}) ENGINE = MergeTree ORDER BY k")
    server.run(
        "INSERT INTO t SELECT number, if(number % 6 = 0, NULL, 'value ' || toString(number)), "
        "'other ' || toString(number), toDecimal64(number, 4) / 16, 1 / (number + 1), "
        f"fromUnixTimestamp64Micro(toInt64({int(START.timestamp())} * 1000000 + number)), "
        f"[number, number + 1, 0], map('b', 0, 'a', number) FROM numbers({ROWS})"
    )
    return server


def mutated(server: Server, select: str) -> ClickHouseRows:
    return query(
        server, f"SELECT {select.removesuffix('--')}" + (" FROM t" * (select[-2:] != "--"))
    )


def named(difference: Difference | None) -> list[tuple[DifferenceKind, int]]:
    assert difference is not None
    return [(row.kind, row.row["k"]) for row in difference.rows]


def test_equal_rows_are_equal_in_any_order(expected: DataFrame, filled: Server) -> None:
    assert oracle.compare(expected, table(filled, "t")) is None
    turned = query(filled, "SELECT * REPLACE(mapSort((k, v) -> v, m) AS m) FROM t ORDER BY k DESC")
    assert oracle.compare(expected, turned, key=["k"]) is None


@pytest.mark.parametrize("mutation", MUTATIONS)
def test_damage_is_noticed_and_named(expected: DataFrame, filled: Server, mutation: str) -> None:
    select, kind, key = MUTATIONS[mutation]
    difference = oracle.compare(expected, mutated(filled, select), key=["k"])
    assert (kind, key) in named(difference)
    assert difference is not None and difference.complete and len(difference.rows) <= 2
    assert f"k = {key}" in str(difference)
    if kind is DifferenceKind.CHANGED:  # nothing but the columns that were damaged
        assert str(difference).count(" instead of ") == select.count(" AS ")


def test_a_difference_reads_well(expected: DataFrame, filled: Server) -> None:
    twice = mutated(
        filled,
        "* REPLACE(if(k = 7, 'wrong', v) AS v) FROM t WHERE k != 8 "
        "UNION ALL SELECT * FROM t WHERE k = 5 UNION ALL SELECT * FROM t WHERE k = 5 --",
    )
    text = str(oracle.compare(expected, twice, key=["k"]))
    first, *lines = text.splitlines()
    assert first == (
        "the query's answer is not as expected: 200 rows expected, 201 found; 3 rows differ:"
    )
    assert "  changed     k = 7: v = 'wrong' instead of 'value 7'" in lines
    assert any(
        line.startswith("  missing     k = 8, v = 'value 8', w = 'other 8'") for line in lines
    )
    assert any(
        line.startswith("  duplicated  k = 5") and line.endswith("(expected once, found 3 times)")
        for line in lines
    )


def test_without_a_key_both_rows_are_named(expected: DataFrame, filled: Server) -> None:
    rows = named(oracle.compare(expected, mutated(filled, MUTATIONS["value changed"][0])))
    assert sorted(kind.value for kind, _ in rows) == ["missing", "unexpected"]
    assert {key for _, key in rows} == {5}


def test_of_many_differences_twenty_are_shown(expected: DataFrame, filled: Server) -> None:
    everywhere = mutated(filled, "* REPLACE(w AS v, v AS w)")
    difference = oracle.compare(expected, everywhere, key=["k"])
    assert difference is not None
    assert len(difference.rows) == MOST_ROWS
    assert difference.differing == ROWS
    assert str(difference).endswith(f"… and {ROWS - MOST_ROWS} more")


def test_what_was_not_looked_at_is_told(
    expected: DataFrame, filled: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(oracle, "ROWS_LOOKED_AT", 60)
    difference = oracle.compare(expected, mutated(filled, "* REPLACE(w AS v, v AS w)"), key=["k"])
    assert difference is not None and not difference.complete
    assert 30 <= difference.differing < 40  # each of them is a row on both sides
    assert f"at least {difference.differing} rows differ" in str(difference)


def test_columns_may_have_any_names(spark: SparkSession, server: Server) -> None:
    frame = spark.createDataFrame([(1, "a"), (2, "b")]).withColumnRenamed("_2", "a`b.c")
    columns = "1 + number AS _1, if(number = 1, 'x', 'a') AS `a\\`b.c`, 5 AS __x"
    actual = query(server, f"SELECT _1, `a\\`b.c` FROM (SELECT {columns} FROM numbers(2))")
    text = str(oracle.compare(frame, actual, key=["_1"]))
    assert "changed     _1 = 2: a`b.c = 'x' instead of 'b'" in text


def test_nothing_is_not_everything(expected: DataFrame, filled: Server) -> None:
    difference = oracle.compare(expected, table(filled, "t", where="0"))
    assert difference is not None and difference.actual_rows == 0
    assert {row.kind for row in difference.rows} == {DifferenceKind.MISSING}
    difference = oracle.compare(expected.where("false"), table(filled, "t"))
    assert difference is not None and {row.kind for row in difference.rows} == {
        DifferenceKind.UNEXPECTED
    }


def test_the_rows_of_one_part_are_compared(spark: SparkSession, filled: Server) -> None:
    filled.run(
        "CREATE TABLE parted (k UInt64, v Nullable(String), p String) "
        "ENGINE = MergeTree PARTITION BY p ORDER BY k"
    )
    filled.run("INSERT INTO parted SELECT k, v, toString(k % 3) FROM t")
    everything = spark.createDataFrame(rows(), SCHEMA).selectExpr("k", "v", "string(k % 3) p")
    name = filled.rows("SELECT _part FROM parted WHERE p = '1' LIMIT 1")[0][0]
    expected = everything.where("p = '1'")
    assert oracle.compare(expected, part(filled, "parted", name)) is None
    assert oracle.compare(everything, table(filled, "parted")) is None
    difference = oracle.compare(expected, table(filled, "parted"))
    assert difference is not None and {row.kind for row in difference.rows} == {
        DifferenceKind.UNEXPECTED
    }


def test_bad_input_is_one_clear_error(expected: DataFrame, filled: Server) -> None:
    actual = table(filled, "t")
    with pytest.raises(PipelineError, match="no_such"):
        table(filled, "no_such")
    with pytest.raises(PipelineError, match="no column q"):
        table(filled, "t", columns=["q"])
    with pytest.raises(PipelineError, match="no part all_9"):
        part(filled, "t", "all_9")
    with pytest.raises(PipelineError, match=r"columns differ: q only expected; v only in t"):
        oracle.compare(expected.withColumnRenamed("v", "q"), actual)
    with pytest.raises(PipelineError, match=r"Column v .* cast it to string"):
        oracle.compare(expected.withColumn("v", f.lit(1)), actual)
    with pytest.raises(PipelineError, match="no column q to be the key"):
        oracle.compare(expected, actual, key=["q"])
    with pytest.raises(PipelineError, match="does not answer"):
        oracle.compare(
            expected, ClickHouseRows(Server("http://127.0.0.1:1"), "t", "t", actual.types)
        )


def test_many_tables_are_compared_by_one_job(
    spark: SparkSession, node: EmbeddedNode, server: Server
) -> None:
    tables = {}
    for number in range(3):
        node.query(f"CREATE TABLE t{number} (k Int64, v String) ENGINE = MergeTree ORDER BY k")
        node.query(f"INSERT INTO t{number} SELECT number, 'v' FROM numbers({number})")
        tables[number] = table(server, f"t{number}")
    expected = spark.createDataFrame(
        [(1, 0, "v"), (2, 0, "v"), (2, 1, "v")], "t int, k long, v string"
    )
    jobs = spark.sparkContext.statusTracker().getJobIdsForGroup(None)
    assert oracle.compare_all(expected, "t", tables) == {}
    assert len(spark.sparkContext.statusTracker().getJobIdsForGroup(None)) <= len(jobs) + 2
    node.query("INSERT INTO t0 VALUES (7, 'new')")
    node.query("ALTER TABLE t2 UPDATE v = 'w' WHERE k = 1", settings={"mutations_sync": 2})
    differences = oracle.compare_all(expected, "t", tables, key=["k"])
    assert {
        number: [row.kind for row in difference.rows] for number, difference in differences.items()
    } == {
        0: [DifferenceKind.UNEXPECTED],
        2: [DifferenceKind.CHANGED],
    }
    del tables[2]
    with pytest.raises(PipelineError, match="expected of 2, of which there is no table"):
        oracle.compare_all(expected, "t", tables)
