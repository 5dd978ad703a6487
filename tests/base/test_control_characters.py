"""Control characters of servers and scenarios never reach a terminal as such."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from helpers.base.escaping import (
    CONTROL,
    PrintableStream,
    printable,
    printable_bytes,
    printable_sql,
)
from helpers.base.paths import ROOT
from helpers.base.time_limits import scaled
from helpers.cluster.embedded.cluster import EmbeddedCluster
from tests.runner.suite import Suite
from tests.terminal import Terminal

BODY = r"""
@TestScenario
def colourful(self):
    node = this().node()
    print("\x1b]0;printed\x07 \u202e")
    with Given("a table whose comment would clear the screen"):
        node.query("CREATE TABLE t (s String) ENGINE = Memory")
        node.query("INSERT INTO t VALUES", data=[("\x1b[2J\x9b31m",)])
        node.query("INSERT INTO t SELECT '\x1b]0;title\x07'")
    with Then("the step \x1b[31m is red"):
        assert False, "\x1b[2Jcleared \x9b31m \x07 \u202e\rover"
"""
RAW = re.compile(CONTROL.pattern.replace("\n", ""))


def test_they_are_escaped_wherever_somebody_looks(suite: Suite, tmp_path: Path) -> None:
    suite.write(BODY)
    ended = suite.run("--workers", "1")
    entry = ended.scenario("colourful")
    assert entry["result"] == "Fail" and "\x1b[2Jcleared" in entry["message"], "the truth is kept"
    folder = ended.results / "latest" / entry["folder"]
    shown = {
        "console": ended.out,
        "errors": ended.err,
        "worker-1.out": (ended.results / "latest/worker-1.out").read_text(),
        "coverage.md": (ended.results / "latest/coverage.md").read_text(),
        **{name: (folder / name).read_text() for name in ("failure.txt", "repro.sql", "node1.log")},
    }
    for name, text in shown.items():
        assert not RAW.findall(text), name
    for name in ("console", "coverage.md", "failure.txt"):
        assert "x1b[2Jcleared" in shown[name].replace("\\[", "["), name
    assert "\\x1b]0;printed" in shown["worker-1.out"]
    # The script still means the same.
    script = "\n".join(
        line
        for line in shown["repro.sql"].splitlines()
        if line.startswith("/*") or line[0:1] == "("
    )
    statements = [sql for sql in script.split(";\n") if "INSERT" in sql or "CREATE TABLE" in sql]
    assert len(statements) == 3
    with EmbeddedCluster(tmp_path / "bare") as cluster, cluster.node().session() as session:
        for sql in statements:
            session.query(sql)
        rows = session.query("SELECT s FROM t ORDER BY s")
    assert rows == [("\x1b[2J\x9b31m",), ("\x1b]0;title\x07",)]


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("a\tb\nc", "a\tb\nc"),
        ("\x1b[31m", "\\x1b[31m"),
        ("\r\x00\x7f\x9b", "\\x0d\\x00\\x7f\\x9b"),
        ("\u202eabc", "\\u202eabc"),
        ("größer 分区 🙂", "größer 分区 🙂"),
    ],
)
def test_printable(text: str, shown: str) -> None:
    assert printable(text) == shown


@pytest.mark.parametrize("size", [1, 2, 3, 100])
def test_a_stream_in_pieces(size: int) -> None:
    data = "\x1b[2J größer \x9b31m 分区 \u202e \u2066 €".encode() + b"\xe2\x80"
    stream = PrintableStream()
    pieces = [stream.next(data[at : at + size]) for at in range(0, len(data), size)]
    assert b"".join([*pieces, stream.end()]) == printable_bytes(data)
    assert not RAW.findall(printable_bytes(data).decode(errors="replace"))


def test_bytes_and_statements() -> None:
    assert (
        printable_bytes(b"\xc2\x9b \x1b \xff gr\xc3\xb6\n") == b"\\xc2\\x9b \\x1b \xff gr\xc3\xb6\n"
    )
    assert printable_sql("SELECT\r\n'\x1b\u202e'") == "SELECT\n'\\x1b\\xe2\\x80\\xae'"


def test_an_error_of_a_scenario_file(suite: Suite) -> None:
    suite.write("raise ValueError('\\x1b[2Jcleared')\n")
    ended = suite.run("--list")
    assert ended.code == 2
    assert "ValueError: \\x1b[2Jcleared" in ended.err


def test_answers_of_servers_are_no_orders_to_a_terminal(tmp_path: Path) -> None:
    """But for a program they are the bytes that they are."""
    ask = [
        sys.executable,
        "-m",
        "helpers.cli.main",
        "sql",
        "--results",
        str(tmp_path),
        "--format",
        "CSV",
    ]
    query = "SELECT char(27) || '[31mred'; SELECT throwIf(1, 'no ' || char(27) || '[31mred')"
    code, seen = Terminal([*ask, query], ROOT, dict(os.environ)).ended(scaled(120))
    assert code == 1
    assert '"\\x1b[31mred"' in seen and "no \\x1b[31mred" in seen and "\x1b" not in seen
    piped = subprocess.run([*ask, query], cwd=ROOT, capture_output=True, text=True)
    assert piped.stdout == '"\x1b[31mred"\n'
    assert "no \\x1b[31mred" in piped.stderr, "a message is for people"
