"""Writing to ClickHouse: all rows or none, each as it is read back."""

from __future__ import annotations

import datetime
from collections.abc import Iterator
from typing import Any

import pyarrow as pa
import pytest
from pyspark.sql.pandas.types import from_arrow_schema
from pyspark.sql.types import LongType, StructField, StructType

from helpers.cluster.embedded.node import EmbeddedNode
from pipelines.clickhouse.data_source import ClickHouseSource
from pipelines.clickhouse.server import Server
from pipelines.clickhouse.write import without_arguments
from pipelines.errors import PipelineError
from tests.pipelines.clickhouse.source import source
from tests.pipelines.without_spark import abort_during_write, write


@pytest.mark.parametrize("commit", ["attach", "direct"])
def test_rows_that_are_equal_are_all_written(
    node: EmbeddedNode, server: Server, commit: str
) -> None:
    """Also where the table would take the second of two equal inserts for a repetition."""
    node.query(
        "CREATE TABLE t (n Int64) ENGINE = MergeTree ORDER BY n "
        "SETTINGS non_replicated_deduplication_window = 100"
    )
    for _ in range(2):
        write(source(server, table="t", commit=commit), int_rows(n=[1, 1]), int_rows(n=[1, 1]))
    assert node.query("SELECT count(), sum(n) FROM t") == [(8, 8)]


def test_a_replicated_table_is_not_exchanged(monkeypatch: pytest.MonkeyPatch) -> None:
    """Its path in the keeper would go with the name."""

    def rows(_server: Server, sql: str) -> list[list[str]]:
        if sql.startswith("DESCRIBE"):
            return [["n", "Int64", ""]]
        return [["ReplicatedMergeTree", "ReplicatedMergeTree('/t', '1') ORDER BY n"]]

    monkeypatch.setattr(Server, "rows", rows)
    schema = StructType([StructField("n", LongType())])
    asked = ClickHouseSource({"url": "http://127.0.0.1:1", "table": "t", "commit": "exchange"})
    with pytest.raises(PipelineError, match="ReplicatedMergeTree t cannot be exchanged"):
        asked.writer(schema, False)
    attached = ClickHouseSource({"url": "http://127.0.0.1:1", "table": "t"})
    assert attached.writer(schema, False).engine == "MergeTree ORDER BY n"
    with pytest.raises(PipelineError, match="ReplicatedMergeTree t cannot be exchanged"):
        attached.writer(schema, True)


def test_the_stages_of_another_write_are_left_alone(node: EmbeddedNode, server: Server) -> None:
    node.query("CREATE TABLE t (n Int64) ENGINE = MergeTree ORDER BY n")
    rows = int_rows(n=[1])
    first, second = (
        source(server, table="t").writer(from_arrow_schema(rows.schema), False) for _ in "ab"
    )
    done = first.write(iter(rows.to_batches()))
    second.commit([second.write(iter(int_rows(n=[2]).to_batches()))])
    first.commit([done])
    assert node.query("SELECT n FROM t ORDER BY n") == [(1,), (2,)]
    assert node.query("SHOW TABLES") == [("t",)]


def int_rows(**columns: list[Any]) -> pa.Table:
    return pa.table({name: pa.array(values, pa.int64()) for name, values in columns.items()})


TARGETS = {
    "plain": "MergeTree PARTITION BY n % 3 ORDER BY n",
    "replacing": "ReplacingMergeTree(v) PARTITION BY n % 3 ORDER BY (n, v) PRIMARY KEY n",
}


@pytest.mark.parametrize("engine", TARGETS.values(), ids=TARGETS)
@pytest.mark.parametrize("commit", ["attach", "exchange"])
def test_all_tasks_of_a_write_are_committed(
    node: EmbeddedNode, server: Server, commit: str, engine: str
) -> None:
    node.query(f"CREATE TABLE t (n Int64, v Int32 DEFAULT 7) ENGINE = {engine}")
    node.query("INSERT INTO t (n) VALUES (1000)")
    tasks = [int_rows(n=list(range(start, start + 10))) for start in (0, 100)]
    write(source(server, table="t", commit=commit), *tasks, int_rows(n=[]))
    expected = [*range(10), *range(100, 110), 1000]
    assert [n for (n,) in node.query("SELECT n FROM t ORDER BY n")] == expected
    assert node.query("SELECT DISTINCT v FROM t") == [(7,)]
    assert node.query("SHOW TABLES") == [("t",)]


def test_overwriting_takes_the_place_of_all_rows(node: EmbeddedNode, server: Server) -> None:
    node.query("CREATE TABLE t (n Int64) ENGINE = MergeTree ORDER BY n")
    node.query("INSERT INTO t VALUES (1), (2)")
    write(source(server, table="t"), int_rows(n=[5]), overwrite=True)
    assert node.query("SELECT n FROM t") == [(5,)]
    assert node.query("SHOW TABLES") == [("t",)]


@pytest.mark.parametrize("commit", ["attach", "exchange"])
def test_a_failed_task_leaves_nothing(node: EmbeddedNode, server: Server, commit: str) -> None:
    node.query("CREATE TABLE t (n UInt8) ENGINE = MergeTree ORDER BY n")
    node.query("INSERT INTO t VALUES (1)")
    schema = StructType([StructField("n", LongType())])
    good = pa.table({"n": pa.array([2], pa.int16())})
    bad = pa.table({"n": pa.array([*[3] * 2500, 300], pa.int16())})
    with pytest.raises(PipelineError, match="a value of column n has no equal in type UInt8"):
        write(source(server, table="t", commit=commit), good, bad)
    assert node.query("SELECT n FROM t") == [(1,)]
    assert node.query("SHOW TABLES") == [("t",)]
    with pytest.raises(
        PipelineError, match=r"bigint in Spark and UInt8 in table t: cast it to smallint"
    ):
        write(source(server, table="t"), good, schema=schema)


MORNING = datetime.datetime(2020, 1, 1, microsecond=5, tzinfo=datetime.UTC)


@pytest.mark.parametrize(
    ("kind", "value", "words"),
    [
        ("UInt8", pa.scalar(-1, pa.int16()), "no equal in type UInt8"),
        ("DateTime", pa.scalar(MORNING, pa.timestamp("us", "UTC")), "no equal in type DateTime"),
        ("Date", pa.scalar(datetime.date(1969, 1, 1)), "no equal in type Date"),
        ("UInt256", pa.scalar("9" * 80), "no equal in type UInt256"),
        ("Enum8('a' = 1)", pa.scalar("b"), "Unknown element 'b'"),
        ("UUID", pa.scalar("nonsense"), "Cannot parse"),
        ("FixedString(3)", pa.scalar(b"ab"), "column c of t do not fit"),
        ("String", pa.scalar(None, pa.string()), "a NULL in column c of t"),
        ("Array(String)", pa.scalar(None, pa.list_(pa.string())), "a NULL in column c of t"),
        ("Array(String)", pa.scalar([None], pa.list_(pa.string())), "a NULL in column c of t"),
        ("Int32", pa.scalar(1.5), "double in Spark and Int32 in table t"),
        ("JSON", pa.scalar("{}"), "Column c has type JSON"),
    ],
    ids=str,
)
def test_a_value_that_would_change_is_not_written(
    node: EmbeddedNode, server: Server, kind: str, value: pa.Scalar, words: str
) -> None:
    node.query(f"CREATE TABLE t (c {kind}) ENGINE = MergeTree ORDER BY tuple()")
    with pytest.raises(PipelineError) as caught:
        write(source(server, table="t"), pa.table({"c": pa.repeat(value, 1)}))
    assert words in str(caught.value)
    assert node.query("SELECT count() FROM t") == [(0,)]
    assert node.query("SHOW TABLES") == [("t",)]


def test_an_engine_without_parts_is_written_when_asked(node: EmbeddedNode, server: Server) -> None:
    node.query("CREATE TABLE m (n Int64) ENGINE = Memory")
    with pytest.raises(PipelineError, match="engine Memory, which has no parts to commit"):
        write(source(server, table="m"), int_rows(n=[1]))
    write(source(server, table="m", commit="direct"), int_rows(n=[1]), int_rows(n=[2]))
    assert node.query("SELECT sum(n) FROM m") == [(3,)]


def killing(node: EmbeddedNode, rows: pa.Table) -> Iterator[pa.RecordBatch]:
    """Rows that come in pieces, between which the server is killed."""
    yield from rows.to_batches()
    node.kill()
    yield from rows.to_batches()


@pytest.mark.parametrize("commit", ["attach", "exchange"])
def test_a_server_killed_in_the_middle_of_a_write_has_nothing_of_it(
    node: EmbeddedNode, server: Server, commit: str
) -> None:
    node.query("CREATE TABLE t (n Int64) ENGINE = MergeTree ORDER BY n")
    node.query("INSERT INTO t VALUES (1)")
    rows = int_rows(n=list(range(100_000)))
    asked = source(server, table="t", commit=commit)
    try:
        writer = asked.writer(from_arrow_schema(rows.schema), False)
        done = writer.write(iter(rows.to_batches()))
        with pytest.raises(PipelineError, match=r"ClickHouse at \S+ does not answer"):
            writer.write(killing(node, rows))
        left = rf"does not answer.* Tables named {writer.stage}… may be left: drop them\.$"
        with pytest.raises(PipelineError, match=left):
            writer.abort([done, None])
        with pytest.raises(PipelineError, match=left):  # also if it dies only now
            writer.commit([done])
    finally:
        node.start()
    assert node.query("SELECT n FROM t") == [(1,)]
    assert any(name.startswith(writer.stage) for (name,) in node.query("SHOW TABLES"))
    writer.abort([done, None])
    assert node.query("SHOW TABLES") == [("t",)]


@pytest.mark.parametrize(
    ("engine", "plain"),
    [
        ("MergeTree ORDER BY n", "MergeTree ORDER BY n"),
        ("ReplacingMergeTree(v) ORDER BY (n, f(v))", "MergeTree ORDER BY (n, f(v))"),
        ("ReplicatedMergeTree('/a)\\'b', '{replica}') ORDER BY n", "MergeTree ORDER BY n"),
    ],
)
def test_staging_tables_are_plain(engine: str, plain: str) -> None:
    assert without_arguments(engine) == plain


def test_a_task_that_outlives_a_failed_write_leaves_nothing_either(
    node: EmbeddedNode, server: Server
) -> None:
    node.query("CREATE TABLE t (n Int64) ENGINE = MergeTree ORDER BY n")
    rows = int_rows(n=[1, 2])
    writer = source(server, table="t").writer(from_arrow_schema(rows.schema), False)
    abort_during_write(writer, rows)
    assert node.query("SHOW TABLES") == [("t",)]
