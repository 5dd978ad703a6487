"""The record of statements: complete, by node, and readable after a crash."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from helpers.cluster.client.failures import QueryFailed
from helpers.cluster.client.recording import NO_ANSWER, Recorder, Statement, preview, read
from helpers.cluster.embedded.cluster import EmbeddedCluster
from helpers.cluster.embedded.node import EmbeddedNode
from helpers.cluster.node import User
from tests.cluster.conftest import python

CRASH = """
import os, signal
from pathlib import Path
from helpers.cluster.client.recording import Recorder, Statement
recorder = Recorder(Path({file!r}))
for number in range(100):
    recorder.take(Statement("node1", f"SELECT {{number}}", 0.0))
os.kill(os.getpid(), signal.SIGKILL)
"""


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / "folder" / "statements.jsonl"


@pytest.fixture
def recorder(cluster: EmbeddedCluster, node: EmbeddedNode, file: Path) -> Iterator[Recorder]:
    node.add_users([User("alice")])
    recorder = Recorder(file)
    cluster.record_to(recorder)
    yield recorder
    cluster.record_to(Recorder())
    recorder.close()


def test_every_statement_is_recorded_with_its_outcome(
    node: EmbeddedNode, recorder: Recorder, file: Path
) -> None:
    node.query("SELECT 1", settings={"max_threads": 2})
    node.fails("SELECT * FROM nowhere", code=60)
    node.query("SELECT 2", user="alice")
    node.query("CREATE TABLE t (n UInt8) ENGINE = Memory")
    node.query("INSERT INTO t VALUES", data=[(1,), (2,)])
    with node.session() as session:
        session.query("SELECT 3")
    node.background("SELECT 4").wait()
    node.http("SELECT 5 FORMAT CSV", max_threads=3)
    with pytest.raises(QueryFailed):
        node.http("SELECT * FROM nowhere", user="alice")

    recorded = recorder.statements
    assert [statement.sql for statement in recorded][-1] == "SELECT * FROM nowhere"
    assert {statement.node for statement in recorded} == {"node1"}
    assert {statement.database for statement in recorded} == {node.database}
    plain, refused, alice, _, insert, session_one, background, http, http_refused = recorded
    assert (plain.outcome, plain.code, plain.settings) == ("[(1,)]", None, {"max_threads": 2})
    assert plain.seconds > 0 and plain.at > 1e9
    assert (plain.user, alice.user) == (None, "alice")
    assert refused.code == 60 and refused.outcome.startswith("refused: ")
    assert insert.data == "(1),\n(2)"
    assert (plain.session, background.session) == (None, None)
    assert session_one.session is not None
    assert (http.outcome, http.code, http.settings) == ("b'5\\n'", None, {"max_threads": 3})
    assert (http_refused.code, http_refused.user) == (60, "alice")
    assert [statement.sql for statement in read(file)] == [statement.sql for statement in recorded]
    assert read(file)[0] == plain


def test_statements_are_recorded_by_node(
    cluster: EmbeddedCluster, node: EmbeddedNode, recorder: Recorder
) -> None:
    second = cluster.node("node2")
    recorder.statements.clear()
    node.query("SELECT 1")
    second.query("SELECT 2")
    assert [(statement.node, statement.sql) for statement in recorder.statements] == [
        ("node1", "SELECT 1"),
        ("node2", "SELECT 2"),
    ]
    assert recorder.last == recorder.statements[1]


def test_readiness_probes_are_not_statements(node: EmbeddedNode, recorder: Recorder) -> None:
    node.restart()
    assert recorder.statements == []


def test_a_dead_node_is_recorded(node: EmbeddedNode, recorder: Recorder) -> None:
    node.kill()
    with pytest.raises(Exception, match="refused"):
        node.query("SELECT 1")
    assert recorder.last is not None
    assert recorder.last.outcome.startswith("connection lost")


def test_a_record_survives_the_death_of_its_writer(file: Path) -> None:
    python(CRASH.format(file=str(file))).communicate()
    assert [statement.sql for statement in read(file)] == [
        f"SELECT {number}" for number in range(100)
    ]


def test_a_last_line_that_was_cut_off_is_left_out(file: Path) -> None:
    recorder = Recorder(file)
    for number in range(3):
        recorder.take(Statement("node1", f"SELECT 'ü{number}'", 0.0))
    recorder.close()
    whole = file.read_bytes()
    lines = whole.splitlines(keepends=True)
    for size in (1, len(lines[2]) // 2, len(lines[2]) - 2):
        file.write_bytes(b"".join(lines[:2]) + lines[2][:size])
        assert [statement.sql for statement in read(file)] == ["SELECT 'ü0'", "SELECT 'ü1'"]
    file.write_bytes(whole)
    assert len(read(file)) == 3
    assert read(file.with_name("missing")) == []


def test_a_statement_that_never_returns_is_in_the_record(file: Path) -> None:
    """It is written before it is sent; what ended comes first, in the order in which it ended."""
    recorder = Recorder(file)
    hung = recorder.begin(Statement("node1", "SELECT sleep(3)", 1.0))
    first = recorder.begin(Statement("node1", "SELECT 1", 2.0, data="(1)"))
    assert [statement.sql for statement in read(file)] == ["SELECT sleep(3)", "SELECT 1"]
    recorder.take(Statement("", "wait", 3.0, is_action=True))
    recorder.end(replace(first, outcome="[(1,)]", seconds=0.5, rows=1, columns=1))
    entries = read(file)
    assert [statement.sql for statement in entries] == ["wait", "SELECT 1", "SELECT sleep(3)"]
    assert entries[1] == recorder.last
    assert (entries[1].data, entries[1].outcome, entries[1].seconds) == ("(1)", "[(1,)]", 0.5)
    assert (entries[2], entries[2].outcome) == (hung, NO_ANSWER)


def test_a_closed_recorder_still_remembers(file: Path) -> None:
    recorder = Recorder(file)
    recorder.close()
    recorder.take(Statement("node1", "SELECT 1", 0.0))
    assert len(recorder.statements) == 1 and read(file) == []


def test_a_preview_is_short() -> None:
    assert preview([(1,)]) == "[(1,)]"
    for value in ("x" * 10_000, [(1,)] * 10_000, b"x" * 10_000, {"k": "x" * 10_000}):
        assert 250 < len(preview(value)) < 310 and preview(value).endswith(" …")
