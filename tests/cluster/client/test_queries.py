"""Asking a node: rows and their types, settings, users, sessions, refusals, formats."""

from __future__ import annotations

import datetime
import decimal
import re
import threading
import uuid
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest

from helpers.cluster.client.failures import QueryFailed, QueryTimedOut
from helpers.cluster.client.session import Session
from helpers.cluster.embedded.node import EmbeddedNode
from helpers.cluster.node import User

UNKNOWN_TABLE = 60
DIVISION = 153
THROW_IF = 395


def test_rows_are_typed(node: EmbeddedNode) -> None:
    sql = """
        SELECT 1, -2.5, 'text', toDate('2024-02-29'), [1, 2], ('a', 3), NULL, toDecimal32('1.25', 2),
               toUUID('00000000-0000-0000-0000-000000000001'), map('k', 1), true
    """
    assert node.query(sql) == [
        (
            1,
            -2.5,
            "text",
            datetime.date(2024, 2, 29),
            [1, 2],
            ("a", 3),
            None,
            decimal.Decimal("1.25"),
            uuid.UUID(int=1),
            {"k": 1},
            True,
        )
    ]
    assert node.query("SELECT 1 WHERE 0") == []
    assert node.query("SYSTEM FLUSH LOGS") == []


def test_value_and_column(node: EmbeddedNode, numbers: str) -> None:
    assert node.value(f"SELECT sum(n) FROM {numbers}") == 4950
    assert node.column(f"SELECT n FROM {numbers} ORDER BY n LIMIT 3") == [0, 1, 2]
    with pytest.raises(AssertionError, match="several columns"):
        node.column(f"SELECT n, p FROM {numbers} ORDER BY n LIMIT 3")
    for sql, rows in ((f"SELECT n FROM {numbers}", 100), ("SELECT 1 WHERE 0", 0)):
        with pytest.raises(AssertionError, match=f"node1 returned {rows} rows where one value"):
            node.value(sql)
    with pytest.raises(AssertionError, match="one value"):
        node.value("SELECT 1, 2")


def test_settings_hold_for_one_query(node: EmbeddedNode) -> None:
    sql = "SELECT getSetting('max_threads')"
    usual = node.value(sql)
    assert node.value(sql, settings={"max_threads": 7}) == 7 != usual
    assert node.value(sql) == usual
    node.fails("SELECT 1", settings={"no_such_setting": 1}, code=115, text="no_such_setting")


def test_a_query_id_is_the_one_that_was_given(node: EmbeddedNode) -> None:
    assert node.value("SELECT queryID()", query_id="mine") == "mine"
    assert node.value("SELECT queryID()") != node.value("SELECT queryID()")


def test_data_are_inserted_as_they_are(node: EmbeddedNode) -> None:
    node.query("CREATE TABLE t (n UInt8, s String) ENGINE = Memory")
    rows = [(1, "it's"), (2, "a\\b\n"), (3, "")]
    node.query("INSERT INTO t VALUES", data=rows)
    assert node.query("SELECT * FROM t ORDER BY n") == rows
    node.query("CREATE TABLE checked (n UInt8, CONSTRAINT small CHECK n < 9) ENGINE = Memory")
    node.fails("INSERT INTO checked VALUES", data=[(1,), (99,)], code=469, text="small")
    assert node.value("SELECT count() FROM checked") == 0


def test_a_session_keeps_what_pooled_connections_do_not(node: EmbeddedNode) -> None:
    with node.session() as session:
        session.query("CREATE TEMPORARY TABLE own (n UInt8)")
        session.query("INSERT INTO own VALUES", data=[(5,)])
        session.query("SET max_threads = 9")
        assert session.query("SELECT n, getSetting('max_threads') FROM own") == [(5, 9)]
        session.fails("SELECT * FROM nowhere", code=UNKNOWN_TABLE, text="nowhere")
        assert session.query("SELECT n FROM own") == [(5,)], "a refusal does not end it"
        node.fails("SELECT * FROM own", code=UNKNOWN_TABLE)
        with node.session() as other:
            other.fails("SELECT * FROM own", code=UNKNOWN_TABLE)
    node.fails("SELECT * FROM own", code=UNKNOWN_TABLE)
    assert node.value("SELECT getSetting('max_threads')") != 9


def test_pooled_connections_keep_nothing(node: EmbeddedNode) -> None:
    node.query("CREATE TEMPORARY TABLE own (n UInt8)")
    node.fails("SELECT * FROM own", code=UNKNOWN_TABLE)
    node.query("set max_threads = 9")
    assert node.value("SELECT getSetting('max_threads')") != 9
    node.query("USE system")
    assert node.value("SELECT currentDatabase()") == node.database


def test_user_means_another_user_for_one_query(node: EmbeddedNode, numbers: str) -> None:
    node.add_users([User("alice", (f"SELECT ON {node.database}.*",))])
    assert node.value("SELECT currentUser()", user="alice") == "alice"
    assert node.value("SELECT currentUser()") == "regression"
    assert node.http("SELECT currentUser()", user="alice") == b"alice\n"
    with node.session("alice") as session:
        assert session.query("SELECT currentUser(), count() FROM numbers") == [("alice", 100)]
    failed = node.fails(f"DROP TABLE {numbers}", user="alice", code=497, text="grant DROP TABLE")
    assert failed.user == "alice"
    assert node.background("SELECT currentUser()", user="alice").wait() == [("alice",)]


def test_a_refusal_shows_everything(node: EmbeddedNode) -> None:
    sql = "SELECT *\nFROM nowhere"
    with pytest.raises(QueryFailed) as caught:
        node.query(sql)
    failed, text = caught.value, str(caught.value)
    assert (failed.code, failed.node, failed.sql) == (UNKNOWN_TABLE, "node1", sql)
    assert text.startswith("node1 refused the query with code 60: Unknown table expression")
    assert "  query:    SELECT *\n            FROM nowhere\n" in text
    assert "  user:     regression\n" in text
    assert re.search(r"  elapsed:  \d+\.\d{3} s\n", text)
    assert "<Error> executeQuery: Code: 60" in text.partition("  log:")[2]
    assert "Stack trace" not in text
    assert isinstance(failed, AssertionError), "it decides a scenario"


def test_fails_returns_the_refusal_that_was_expected(node: EmbeddedNode) -> None:
    failed = node.fails("SELECT * FROM nowhere", code=UNKNOWN_TABLE, text="nowhere")
    assert failed.code == UNKNOWN_TABLE
    assert "nowhere" in failed.message


@pytest.mark.parametrize(
    ("code", "text", "expected"),
    [
        (DIVISION, "", "code 153"),
        (UNKNOWN_TABLE, "elsewhere", "code 60 and 'elsewhere'"),
    ],
)
def test_fails_with_another_refusal(
    node: EmbeddedNode, code: int, text: str, expected: str
) -> None:
    with pytest.raises(AssertionError) as caught:
        node.fails("SELECT * FROM nowhere", code=code, text=text)
    lines = str(caught.value).splitlines()
    assert lines[0] == "node1 did not refuse the statement as expected"
    assert lines[1] == "  query:    SELECT * FROM nowhere"
    assert lines[2] == f"  expected: {expected}"
    assert lines[3].startswith("  actual:   code 60: Unknown table expression")
    assert not isinstance(caught.value, QueryFailed)


def test_fails_with_a_statement_that_succeeds(node: EmbeddedNode) -> None:
    with pytest.raises(AssertionError) as caught:
        node.fails("SELECT 42", code=UNKNOWN_TABLE, text="nowhere")
    assert str(caught.value).splitlines() == [
        "node1 accepted a statement that it has to refuse",
        "  query:    SELECT 42",
        "  expected: code 60 and 'nowhere'",
        "  actual:   success, [(42,)]",
    ]


def test_no_answer_in_time(node: EmbeddedNode, monkeypatch: pytest.MonkeyPatch) -> None:
    node.freeze()
    for ask in (lambda: node.query("SELECT 'late'", timeout=0.2), lambda: http(node, monkeypatch)):
        with pytest.raises(QueryTimedOut) as caught:
            ask()
        assert "node1 did not answer" in str(caught.value)
        assert "query:    SELECT 'late'" in str(caught.value)
    node.thaw()
    assert node.value("SELECT 1") == 1, "a late answer is not taken for that of the next query"


def http(node: EmbeddedNode, monkeypatch: pytest.MonkeyPatch) -> bytes:
    monkeypatch.setattr("helpers.cluster.client.queries.HTTP_SECONDS", 0.2)
    return node.http("SELECT 'late'")


# HTTP.


def test_http_gives_formats_as_bytes(node: EmbeddedNode, numbers: str) -> None:
    sql = f"SELECT n FROM {numbers} ORDER BY n LIMIT 2"
    assert node.http(f"{sql} FORMAT CSV") == b"0\n1\n"
    assert node.http(f"{sql} FORMAT Parquet").startswith(b"PAR1")
    assert node.http(sql, default_format="JSONEachRow") == b'{"n":0}\n{"n":1}\n'
    assert node.http("SELECT unhex('ff00')") == b"\xff\\0\n"
    assert node.http("SELECT getSetting('max_threads')", max_threads=7) == b"7\n"


def test_http_uploads_a_body(node: EmbeddedNode) -> None:
    node.query("CREATE TABLE t (s String) ENGINE = Memory")
    node.http("INSERT INTO t FORMAT RowBinary", body=b"\x02\xff\xfe\x00")
    assert node.query("SELECT hex(s) FROM t ORDER BY length(s)") == [("",), ("FFFE",)]


def test_raw_bytes_in_a_refusal(node: EmbeddedNode) -> None:
    sql = "SELECT throwIf(1, unhex('ff'))"
    with pytest.raises(QueryFailed) as caught:
        node.http(sql)
    assert caught.value.code == THROW_IF
    assert caught.value.message.startswith("\\xff: while executing")
    with pytest.raises(AssertionError, match=r"the message is not UTF-8; ask by http\(\)"):
        node.fails(sql, code=THROW_IF)
    with pytest.raises(QueryFailed, match=r"the message is not UTF-8; ask by http\(\)"):
        node.query(sql)
    assert node.value("SELECT 1") == 1


def test_an_error_after_the_first_rows_is_an_error(node: EmbeddedNode) -> None:
    with pytest.raises(QueryFailed) as caught:
        node.http("SELECT throwIf(number = 5000000) FROM system.numbers")
    assert caught.value.code == THROW_IF


# Connections.


def test_connections_are_used_again(node: EmbeddedNode, monkeypatch: pytest.MonkeyPatch) -> None:
    opened: list[Session] = []

    def opening(*arguments: Any) -> Session:
        opened.append(Session(*arguments))
        return opened[-1]

    monkeypatch.setattr("helpers.cluster.client.queries.Session", opening)
    node.drop_connections()
    position = node.log_position()
    for _ in range(20):
        node.query("SELECT 1")
        node.fails("SELECT * FROM nowhere", code=UNKNOWN_TABLE)
    assert len(opened) == 1
    assert node.log_since(position).count("Connected ClickHouse") == 1, "nor does it reconnect"


def test_old_connections_do_not_outlive_a_restart(node: EmbeddedNode) -> None:
    barrier = threading.Barrier(4)

    def ask(_: int) -> object:
        barrier.wait()
        return node.value("SELECT sleep(0.1)")

    with ThreadPoolExecutor(4) as pool:
        assert list(pool.map(ask, range(4))) == [0] * 4
        node.restart()
        assert list(pool.map(ask, range(4))) == [0] * 4
        node.kill()
        node.start()
        assert list(pool.map(ask, range(4))) == [0] * 4


def test_fifty_threads_get_their_own_answers(node: EmbeddedNode) -> None:
    barrier = threading.Barrier(50)

    def ask(number: int) -> list[object]:
        barrier.wait()
        return [node.value(f"SELECT {number * 1000 + step}") for step in range(5)]

    with ThreadPoolExecutor(50) as pool:
        answers = list(pool.map(ask, range(50)))
    assert answers == [[number * 1000 + step for step in range(5)] for number in range(50)]
