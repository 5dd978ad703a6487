"""The data source clickhouse: how a table is split, and that a write is whole or nothing."""

from __future__ import annotations

import datetime
import socket
import threading
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import replace
from threading import Timer
from typing import Any

import pyarrow as pa
import pytest
from pyspark.sql.types import LongType, StructField, StructType

from helpers.cluster.embedded import EmbeddedNode
from helpers.cluster.node import User
from pipelines.arrow import spark_schema
from pipelines.clickhouse import ClickHouseSource
from pipelines.clickhouse_write import without_arguments
from pipelines.errors import PipelineError
from pipelines.server import Server

from .without_spark import read, write

ROWS = 5000


def source(server: Server, **options: Any) -> ClickHouseSource:
    return ClickHouseSource({**server.options(), **{k: str(v) for k, v in options.items()}})


@pytest.fixture
def table(node: EmbeddedNode) -> str:
    """Two parts in each of three partitions, which no merge touches."""
    node.query("CREATE TABLE t (p UInt8, n UInt64) ENGINE = MergeTree PARTITION BY p ORDER BY n")
    node.query("SYSTEM STOP MERGES t")
    for half in (0, 1):
        node.query(
            f"INSERT INTO t SELECT number % 3, number * 2 + {half} FROM numbers({ROWS // 2})"
        )
    return "t"


@pytest.mark.parametrize(
    ("options", "tasks"),
    [
        ({}, 6),
        ({"split": "parts"}, 6),
        ({"split": "partitions"}, 3),
        ({"split": "ranges", "rows_per_range": 500}, 12),
        ({"split": "none"}, 1),
        ({"where": "p = 1"}, 2),
        ({"where": "p > 100"}, 0),
    ],
    ids=str,
)
def test_every_row_is_read_by_exactly_one_task(
    server: Server, table: str, options: dict[str, Any], tasks: int
) -> None:
    asked = source(server, table=table, **options)
    assert len(asked.reader(asked.schema()).partitions()) == tasks
    where = f"WHERE {options['where']}" if "where" in options else ""
    expected = [n for (n,) in server.rows(f"SELECT n FROM t {where} ORDER BY n")]
    assert sorted(int(n) for n in read(asked).column("n").to_pylist()) == [int(n) for n in expected]
    assert len(expected) == (0 if tasks == 0 else ROWS if not where else 1666)


def test_a_part_merged_away_after_planning_is_an_error(
    node: EmbeddedNode, server: Server, table: str
) -> None:
    asked = source(server, table=table)
    reader = asked.reader(asked.schema())
    planned = reader.partitions()
    node.query("SYSTEM START MERGES t")
    node.query("OPTIMIZE TABLE t FINAL")
    with pytest.raises(
        PipelineError, match=r"changed while it was read: _part = '\w+' had 834 rows"
    ):
        list(reader.read(planned[0]))


def test_rows_deleted_lightly_are_not_read(node: EmbeddedNode, server: Server) -> None:
    node.query("CREATE TABLE d (n UInt64) ENGINE = MergeTree ORDER BY n")
    node.query("INSERT INTO d SELECT number FROM numbers(100)")
    node.query("DELETE FROM d WHERE n < 10")
    assert node.query("SELECT sum(rows) FROM system.parts WHERE active AND table = 'd'") == [(100,)]
    assert read(source(server, table="d")).num_rows == 90


def test_columns_and_queries_can_be_chosen(server: Server, table: str) -> None:
    assert read(source(server, table=table, columns="n")).column_names == ["n"]
    answer = read(source(server, query="SELECT p, count() AS c FROM t GROUP BY p ORDER BY p;"))
    assert [int(c) for c in answer.column("c").to_pylist()] == [1668, 1666, 1666]


@pytest.mark.parametrize("split", ["parts", "none"])
@pytest.mark.parametrize(
    ("where", "hours"),
    [
        ("toHour(t) = 9", [9]),
        ("t < '2020-01-01 02:00:00'", [0, 1]),
        ("n > 21 OR n = 0", [0, 22, 23]),
    ],
)
def test_a_condition_is_about_columns_as_they_are_in_the_table(
    node: EmbeddedNode, server: Server, split: str, where: str, hours: list[int]
) -> None:
    """And not about what they are cast to for the journey, which is another time zone's hour."""
    node.query("CREATE TABLE t (t DateTime('Asia/Tokyo'), n UInt8) ENGINE = MergeTree ORDER BY n")
    node.query(
        "INSERT INTO t SELECT toDateTime('2020-01-01 00:00:00', 'Asia/Tokyo') + number * 3600, "
        "number FROM numbers(24)"
    )
    held = read(source(server, table="t", where=where, split=split))
    assert sorted(held.column("n").to_pylist()) == hours
    only = read(source(server, table="t", where=where, split=split, columns="t"))
    assert (only.column_names, only.num_rows) == (["t"], len(hours))


SPECIAL = "n UInt8, d UInt8 DEFAULT 7, m UInt8 MATERIALIZED n + 1, a UInt8 ALIAS n + 2"


def test_columns_that_select_does_not_show_are_read_when_asked_for(
    node: EmbeddedNode, server: Server
) -> None:
    node.query(f"CREATE TABLE t ({SPECIAL}) ENGINE = MergeTree ORDER BY n")
    node.query("INSERT INTO t (n) VALUES (1)")
    assert read(source(server, table="t")).to_pylist() == [{"n": 1, "d": 7}]
    asked = source(server, table="t", columns="a,m,n")
    assert read(asked).to_pylist() == [{"a": 3, "m": 2, "n": 1}]
    for column in ("m", "a"):
        rows = pa.table({"n": pa.array([1], pa.int16()), column: pa.array([1], pa.int16())})
        with pytest.raises(PipelineError, match=f"Table t has no column {column} to write to"):
            write(source(server, table="t"), rows)
    with pytest.raises(PipelineError, match="`t` has no column q: it has n, d"):
        read(source(server, table="t", columns="q"))


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
        source(server, table="t").writer(spark_schema(rows.schema, "rows"), False) for _ in "ab"
    )
    done = first.write(iter(rows.to_batches()))
    second.commit([second.write(iter(int_rows(n=[2]).to_batches()))])
    first.commit([done])
    assert node.query("SELECT n FROM t ORDER BY n") == [(1,), (2,)]
    assert node.query("SHOW TABLES") == [("t",)]


def test_a_table_without_parts_is_read_in_one_piece(node: EmbeddedNode, server: Server) -> None:
    node.query("CREATE TABLE m (n Int64) ENGINE = Memory")
    node.query("INSERT INTO m VALUES (1), (2)")
    assert read(source(server, table="m")).column("n").to_pylist() == [1, 2]
    with pytest.raises(PipelineError, match="no MergeTree table, so it has no parts"):
        read(source(server, table="m", split="parts"))


def test_bytes_that_are_no_text_are_refused_unless_asked_for(
    node: EmbeddedNode, server: Server
) -> None:
    node.query("CREATE TABLE b (s String, a Array(String)) ENGINE = MergeTree ORDER BY s")
    node.query("INSERT INTO b VALUES ('\\xff\\xfe', ['\\xff'])")
    with pytest.raises(
        PipelineError, match=r"bytes in column s of `b` that are not UTF-8.*'binary'"
    ):
        read(source(server, table="b"))
    held = read(source(server, table="b", binary="s,a")).to_pylist()
    assert held == [{"s": b"\xff\xfe", "a": [b"\xff"]}]


def test_a_map_with_a_key_twice_is_refused(node: EmbeddedNode, server: Server) -> None:
    node.query("CREATE TABLE k (m Map(String, UInt8)) ENGINE = MergeTree ORDER BY tuple()")
    node.query("INSERT INTO k VALUES (map('a', 1)), (map('a', 1, 'a', 2))")
    with pytest.raises(PipelineError, match="column m of `k` holds a key twice"):
        read(source(server, table="k"))


def test_an_error_in_the_middle_of_the_stream_is_told(server: Server) -> None:
    query = "SELECT throwIf(number = 3000000, 'broken row') AS x FROM numbers(4000000)"
    with pytest.raises(PipelineError, match="broken row"):
        read(source(server, query=query))


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


def test_unusable_servers_tables_and_options_are_one_line(server: Server) -> None:
    def error(**options: str) -> str:
        with pytest.raises(PipelineError) as caught:
            read(source(server, **options))
        assert "\n" not in str(caught.value)
        return str(caught.value)

    assert "does not exist" in error(table="missing")
    assert "refused the credentials of user 'nobody'" in error(table="t", user="nobody")
    assert "Connection refused" in error(table="t", url="http://127.0.0.1:1")
    assert "is http://host:port, not 'tcp://x'" in error(table="t", url="tcp://x")
    assert "Did you mean 'table'?" in error(tabel="t")
    assert "needs one of the options 'table', 'query'" in error()
    assert "is one of parts, partitions, ranges, none, not 'hash'" in error(table="t", split="hash")


@pytest.mark.parametrize("options", [{}, {"split": "parts"}, {"split": "partitions"}], ids=str)
def test_a_condition_that_is_none_is_refused_when_the_read_is_planned(
    server: Server, table: str, options: dict[str, str]
) -> None:
    for where, words in (("nope = 1", "`nope`"), ("n = ", "Syntax error")):
        asked = source(server, table=table, where=where, **options)
        with pytest.raises(PipelineError) as caught:
            asked.reader(asked.schema()).partitions()
        assert words in str(caught.value) and "no MergeTree" not in str(caught.value)


def test_passwords_may_be_of_any_letters(node: EmbeddedNode, server: Server) -> None:
    node.add_users([User("letters", password="pä: ss✓")])
    assert replace(server, user="letters", password="pä: ss✓").rows("SELECT 1") == [[1]]
    with pytest.raises(PipelineError, match="refused the credentials of user 'letters'") as caught:
        replace(server, user="letters", password="pä✓").rows("SELECT 1")
    assert "pä" not in str(caught.value)


@pytest.mark.parametrize(
    ("changed", "words"),
    [
        ({"url": "http://127.0.0.1:99999"}, "is http://host:port, not 'http://127.0.0.1:99999'"),
        ({"url": "http://127.0.0.1:x"}, "is http://host:port, not 'http://127.0.0.1:x'"),
        ({"url": "http://me:secret@127.0.0.1:1"}, "URL has no user and password in it"),
        ({"password": "secret\n"}, "password for http://127.0.0.1:1 has a line break"),
    ],
    ids=str,
)
def test_a_server_that_cannot_be_is_refused_without_its_secrets(
    changed: dict[str, str], words: str
) -> None:
    with pytest.raises(PipelineError) as caught:
        replace(Server("http://127.0.0.1:1"), **changed)
    assert words in str(caught.value) and "secret" not in str(caught.value)
    assert "hidden" not in repr(Server("http://127.0.0.1:1", password="hidden"))


@pytest.mark.parametrize(
    ("answer", "words"),
    [
        (b"Content-Length: 9\r\n\r\n<html> :)", "is no ClickHouse: b'<html> :)'"),
        (b"Content-Length: 9\r\n\r\n[1, 2, 3]", "is no ClickHouse"),
        (b"Content-Length: 99\r\n\r\n{}", "broke off: IncompleteRead"),
        (None, "does not answer: Remote end closed connection"),
    ],
    ids=str,
)
def test_what_is_no_answer_of_clickhouse_is_one_line(answer: bytes | None, words: str) -> None:
    with socket.create_server(("127.0.0.1", 0)) as listening:

        def answering() -> None:
            with listening.accept()[0] as connection:
                asked = b""
                while not asked.endswith(
                    b"SELECT 1"
                ):  # what is not read would reset the connection
                    asked += connection.recv(65536)
                if answer is not None:
                    connection.sendall(b"HTTP/1.1 200 OK\r\n" + answer)

        thread = threading.Thread(target=answering)
        thread.start()
        server = Server(f"http://127.0.0.1:{listening.getsockname()[1]}", password="secret")
        with pytest.raises(PipelineError) as caught:
            server.rows("SELECT 1")
        thread.join()
    assert words in str(caught.value) and "secret" not in str(caught.value)


def test_a_server_killed_in_the_middle_of_a_read_is_one_line(
    node: EmbeddedNode, server: Server
) -> None:
    asked = source(server, query="SELECT number AS n, repeat('x', 100) AS s FROM numbers(30000000)")
    reader = asked.reader(asked.schema())
    batches = reader.read(reader.partitions()[0])
    next(batches)
    node.kill()
    try:
        with pytest.raises(PipelineError, match=r"The answer of ClickHouse at \S+ broke off: "):
            list(batches)
    finally:
        node.start()


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
        writer = asked.writer(spark_schema(rows.schema, "rows"), False)
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
    writer = source(server, table="t").writer(spark_schema(rows.schema, "rows"), False)

    def straggle() -> None:
        with suppress(PipelineError):  # swept away under its hands
            writer.write(iter(rows.to_batches()))

    straggler = Timer(0.7, straggle)
    straggler.start()
    writer.abort([None, None])
    straggler.join()
    assert node.query("SHOW TABLES") == [("t",)]
