"""Reading ClickHouse over HTTP: each row by one task, and failures as one line."""

from __future__ import annotations

import io
import socket
import threading
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from typing import IO, Any

import pyarrow as pa
import pytest

from helpers.cluster.embedded.node import EmbeddedNode
from helpers.cluster.node import User
from pipelines.clickhouse.server import END_OF_STREAM, Server, Settings
from pipelines.errors import PipelineError
from tests.pipelines.clickhouse.source import ROWS, source
from tests.pipelines.without_spark import read, write


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
    """And not about what they are cast to for the transfer, which is another time zone's hour."""
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


# As a server writes it after rows that it has sent already, with HTTP's 200 long gone.
ERROR = (
    b"Code: 241. DB::Exception: Memory limit exceeded: 9 GiB. (MEMORY_LIMIT_EXCEEDED) (version 1)\n"
)
BROKEN_OFF, REFUSED = "broke off: ", r"refused \(code 241\): Memory limit exceeded: 9 GiB\."
# How the bytes of an answer are changed, and what the error says.
CHANGES: dict[str, tuple[Callable[[bytes], bytes], str]] = {
    "no body": (lambda body: b"", BROKEN_OFF),
    "cut in the first message": (lambda body: body[:6], BROKEN_OFF),
    "cut in the middle": (lambda body: body[: len(body) // 2], BROKEN_OFF),
    "without the end mark": (lambda body: body.removesuffix(END_OF_STREAM), BROKEN_OFF),
    "a byte short": (lambda body: body[:-1], BROKEN_OFF),
    "a byte long": (lambda body: body + b"\0", BROKEN_OFF),
    "an error in a message": (lambda body: body[: len(body) // 2] + ERROR, REFUSED),
    "an error for the end mark": (lambda body: body.removesuffix(END_OF_STREAM) + ERROR, REFUSED),
    "an error after the end mark": (lambda body: body + ERROR, REFUSED),
    "an error for all rows": (lambda body: ERROR, REFUSED),
}


@pytest.mark.parametrize("name", ["unchanged", *CHANGES])
def test_an_answer_that_is_not_whole_is_an_error(server: Server, name: str) -> None:
    change, words = CHANGES.get(name, (bytes, ""))

    class Changed(Server):
        @contextmanager
        def stream(
            self, sql: str, settings: Settings, data: Iterable[bytes] | None = None
        ) -> Iterator[IO[bytes]]:
            with super().stream(sql, settings, data) as answer:
                yield io.BytesIO(change(answer.read()))

    changed = Changed(**server.options())
    rows = changed.batches("SELECT number AS n, toString(n) AS s FROM numbers(100000)")
    if not words:
        assert sum(batch.num_rows for batch in rows) == 100_000
        return
    with pytest.raises(PipelineError, match=words) as error:
        list(rows)
    assert "\n" not in str(error.value)


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
