"""Reads inside of Java whose answer is not whole: the job fails and says why, and never has fewer rows."""

from __future__ import annotations

import re
import socket
import socketserver
import struct
import urllib.parse
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path

import pytest
from pyspark.sql import DataFrame, SparkSession

from helpers.cluster.embedded.node import EmbeddedNode
from helpers.cluster.node import User
from helpers.faults.serving import Serving
from pipelines.clickhouse.data_source import read_query, read_table
from pipelines.clickhouse.server import END_OF_STREAM, Server, Settings, Statement
from pipelines.errors import PipelineError
from pipelines.spark.errors import clear_errors
from pipelines.system.waiting import poll
from tests.pipelines.clickhouse.java_plans import is_in_java, plan

pytestmark = pytest.mark.xdist_group("spark")
ROWS = 200_000
QUERY = f"SELECT number AS n, toString(number) AS s FROM numbers({ROWS})"
READ = b"default_format=ArrowStream"
PASSWORD = "a-pass-word-of-its-own"
# As a server writes it behind rows that it has sent already, with HTTP's 200 long gone.
ERROR = (
    b"Code: 241. DB::Exception: Memory limit exceeded: 9 GiB. (MEMORY_LIMIT_EXCEEDED) (version 1)\n"
)
BROKEN_OFF = r"The answer of ClickHouse at {url} broke off: it ended too early\."
REFUSED = (
    r"ClickHouse at {url} refused \(code 241\): Memory limit exceeded: 9 GiB\. "
    r"\(MEMORY_LIMIT_EXCEEDED\)"
)
Change = Callable[[bytes, bytes], bytes]


class ChangedAnswers(Serving):
    """A relay to a ClickHouse server which changes the answers to reads: their head and their body.

    `resets` ends the connection as a process that was killed does, else it ends as an answer does.
    """

    def __init__(self, url: str, change: Change, resets: bool) -> None:
        parts = urllib.parse.urlsplit(url)
        upstream = (parts.hostname or "", parts.port or 0)

        class Handler(socketserver.BaseRequestHandler):
            def handle(self) -> None:
                request = _whole_request(self.request)
                with socket.create_connection(upstream) as server:
                    server.sendall(request)
                    answer = b"".join(iter(lambda: server.recv(1 << 20), b""))
                if READ not in request.partition(b"\r\n")[0]:
                    self.request.sendall(answer)
                    return
                head, _, body = answer.partition(b"\r\n\r\n")
                self.request.sendall(change(head + b"\r\n\r\n", body))
                if resets:
                    linger = struct.pack("ii", 1, 0)
                    self.request.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, linger)
                    self.request.close()

        server = socketserver.ThreadingTCPServer(("127.0.0.1", 0), Handler)
        server.daemon_threads = True
        self.url = f"http://127.0.0.1:{server.server_address[1]}"
        super().__init__(server, "changed answers")


def _whole_request(connection: socket.socket) -> bytes:
    """A request with its body."""
    request = bytearray()
    while b"\r\n\r\n" not in request:
        request += connection.recv(1 << 16)
    head, _, body = bytes(request).partition(b"\r\n\r\n")
    length = re.search(rb"(?i)content-length: (\d+)", head)
    while length and len(body) < int(length[1]):
        body += connection.recv(1 << 16)
    return head + b"\r\n\r\n" + body


def read_all(frame: DataFrame) -> int:
    with clear_errors():
        return int(frame.count())


# How an answer is changed, whether its connection is reset then, and what is said of it.
CHANGES: dict[str, tuple[Change, bool, str]] = {
    "in its head": (lambda head, body: head[:20], False, "ClickHouse at {url} does not answer"),
    "no body": (lambda head, body: head, False, BROKEN_OFF),
    "in the first message": (lambda head, body: head + body[:6], False, BROKEN_OFF),
    "in the middle": (lambda head, body: head + body[: len(body) // 2], False, BROKEN_OFF),
    "before the mark of its end": (
        lambda head, body: head + body.removesuffix(END_OF_STREAM),
        False,
        BROKEN_OFF,
    ),
    "one byte too early": (lambda head, body: head + body[:-1], False, BROKEN_OFF),
    "one byte too late": (lambda head, body: head + body + b"\0", False, BROKEN_OFF),
    "reset in the middle": (
        lambda head, body: head + body[: len(body) // 2],
        True,
        r"The answer of ClickHouse at {url} broke off: Connection reset",
    ),
    "an error in a message": (
        lambda head, body: head + body[: len(body) // 2] + ERROR,
        False,
        REFUSED,
    ),
    "an error in place of a message": (
        lambda head, body: head + body.removesuffix(END_OF_STREAM) + ERROR,
        False,
        REFUSED,
    ),
    "an error behind the end": (lambda head, body: head + body + ERROR, False, REFUSED),
    "an error in place of all rows": (lambda head, body: head + ERROR, False, REFUSED),
}


@pytest.mark.parametrize("name", CHANGES)
def test_an_answer_that_is_not_whole_fails_the_job(
    spark: SparkSession, server: Server, name: str
) -> None:
    change, resets, words = CHANGES[name]
    with ChangedAnswers(server.url, change, resets) as relay:
        frame = read_query(spark, replace(server, url=relay.url), QUERY)
        assert is_in_java(frame)
        with pytest.raises(PipelineError, match=words.format(url=re.escape(relay.url))) as error:
            read_all(frame)
    assert "\n" not in str(error.value)


def test_the_relay_itself_changes_nothing(spark: SparkSession, server: Server) -> None:
    with ChangedAnswers(server.url, lambda head, body: head + body, False) as relay:
        assert read_all(read_query(spark, replace(server, url=relay.url), QUERY)) == ROWS


def test_a_server_killed_in_the_middle_of_a_read_fails_the_job(
    spark: SparkSession, node: EmbeddedNode, server: Server
) -> None:
    query = "SELECT number AS n, repeat('x', 100) AS s FROM numbers(300000000)"
    frame = read_query(spark, server, query)
    assert is_in_java(frame)

    def sends_rows() -> bool:
        running = "SELECT read_rows FROM system.processes WHERE query LIKE '%300000000%'"
        return any(int(rows) > 1_000_000 for (rows,) in server.rows(running))

    with ThreadPoolExecutor(1) as pool:
        read = pool.submit(read_all, frame)
        assert poll(sends_rows, 30)
        node.kill()
        try:
            with pytest.raises(PipelineError, match=r"The answer of ClickHouse at \S+ broke off: "):
                read.result()
        finally:
            node.start()


def test_reads_have_the_query_ids_that_were_prepared(
    spark: SparkSession, node: EmbeddedNode, server: Server, table: str
) -> None:
    prepared: list[str] = []

    class Recording(Server):
        def prepare(self, sql: str, settings: Settings) -> Statement:
            statement = super().prepare(sql, settings)
            prepared.append(statement.query_id)
            return statement

    frame = read_table(spark, Recording(**server.options()), table)
    assert is_in_java(frame) and len(prepared) == 6
    read_all(frame)
    node.query("SYSTEM FLUSH LOGS")
    logged = node.query(
        "SELECT query_id FROM system.query_log WHERE type = 'QueryFinish' "
        f"AND query_id IN ({', '.join(map(repr, prepared))})"
    )
    assert sorted(name for (name,) in logged) == sorted(prepared)


def test_the_password_is_nowhere(spark: SparkSession, node: EmbeddedNode, server: Server) -> None:
    """Neither in the plan nor in an error nor in what Java prints, of a read that succeeds or fails."""
    node.add_users([User("reader", password=PASSWORD)])
    reader = replace(server, user="reader", password=PASSWORD)
    good = read_query(spark, reader, "SELECT number AS n FROM numbers(10)")
    bad = read_query(spark, reader, "SELECT throwIf(number > 2) AS n FROM numbers(10)")
    assert is_in_java(good) and is_in_java(bad)
    spark.sparkContext.setLogLevel("INFO")
    try:
        assert read_all(good) == 10
        with pytest.raises(Exception) as error:
            bad.collect()
    finally:
        spark.sparkContext.setLogLevel("WARN")
    modes = ("simple", "extended", "codegen", "cost", "formatted")
    explained = [
        frame._jdf.queryExecution().explainString(
            spark._jvm.org.apache.spark.sql.execution.ExplainMode.fromString(mode)
        )
        for frame in (good, bad)
        for mode in modes
    ]
    log = Path(spark.sparkContext.getConf().get("spark.local.dir"), "java.log").read_text()
    assert "throwIf" in str(error.value) and "ClickHouseReads" in log
    for text in (str(error.value), plan(good), plan(bad), *explained, log):
        assert PASSWORD not in text
