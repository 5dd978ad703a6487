"""`up`, `down` and `sql`: an environment to play with, from the outside."""

from __future__ import annotations

import json
import os
import re
import signal
import socket
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from helpers.cli import main as cli
from helpers.cluster.client import recording
from helpers.cluster.processes.process import start_time
from helpers.runner import evidence
from helpers.scenario.result import ScenarioResult
from tests.cluster.conftest import ROOT, soon
from tests.processes import is_alive


class Answer(NamedTuple):
    returncode: int
    stdout: str
    stderr: str


@dataclass(frozen=True)
class Regression:
    """The command line, with a place of its own for what is up."""

    results: Path

    def __call__(self, command: str, *arguments: str, stdin: str = "") -> Answer:
        done = subprocess.run(
            [
                sys.executable,
                "-m",
                "helpers.cli.main",
                command,
                "--results",
                self.results,
                *arguments,
            ],
            cwd=ROOT,
            input=stdin,
            capture_output=True,
            text=True,
            timeout=120,
        )
        return Answer(done.returncode, done.stdout, done.stderr)

    def here(self, capsys: pytest.CaptureFixture[str], command: str, *arguments: str) -> Answer:
        """The same in this process, for what starts nothing."""
        code = cli.main([command, "--results", str(self.results), *arguments])
        return Answer(code, *capsys.readouterr())

    @property
    def description(self) -> dict[str, Any]:
        environment: dict[str, Any] = json.loads(
            (self.results / "up" / "environment.json").read_text()
        )
        return environment

    def pids(self) -> list[int]:
        """The daemon and its servers."""
        daemon = int(self.description["pid"])
        children = Path(f"/proc/{daemon}/task").glob("*/children")
        return [daemon, *(int(pid) for file in children for pid in file.read_text().split())]


@pytest.fixture
def regression(tmp_path: Path) -> Iterator[Regression]:
    regression = Regression(tmp_path / "results")
    yield regression
    if (regression.results / "up").exists():
        regression("down")


def refused(answer: Answer, code: int, text: str) -> None:
    """One clear line and the exit code that belongs to it."""
    assert answer.returncode == code, answer
    assert text in answer.stderr
    assert answer.stderr.startswith("regression: ") and answer.stderr.count("\n") == 1
    assert answer.stdout == ""


def test_up_ask_and_down(regression: Regression, capsys: pytest.CaptureFixture[str]) -> None:
    up = regression("up", "--nodes", "2", "--s3")
    assert up.returncode == 0, up.stderr
    pids = regression.pids()
    assert len(pids) == 4 and all(map(is_alive, pids)), "daemon, two nodes, store"
    for pattern in (
        r"^node1: ClickHouse 26\.9\.\d+\.\d+$",
        r"^  clickhouse-client --host 127\.0\.0\.1 --port \d+ --user regression --password \w+$",
        r"^  http://regression:\w+@127\.0\.0\.1:\d+/\?query=SELECT\+1$",
        r"^node2: ClickHouse",
        r"^S3: http://127\.0\.0\.1:\d+$",
        r"^  access key admin-\w+, secret \w+$",
    ):
        assert re.search(pattern, up.stdout, re.MULTILINE), pattern
    place = regression.results / "up"
    assert (place / "environment.json").stat().st_mode & 0o777 == 0o600
    assert place.stat().st_mode & 0o777 == 0o700

    refused(
        regression.here(capsys, "up"),
        2,
        "An environment is up already; "
        f"./regression.py down --results {regression.results} ends it.",
    )
    refused(
        regression.here(capsys, "sql", "SELECT 1", "--node", "node3"), 2, "there is node1, node2."
    )
    create = "CREATE TABLE default.t ENGINE = MergeTree ORDER BY n AS SELECT 42 AS n"
    assert regression.here(capsys, "sql", create, "--node", "node2").returncode == 0
    ask = ("sql", "-", "--node", "node2", "--format", "CSV")
    assert regression(*ask, stdin="SELECT n FROM default.t").stdout == "42\n"
    insert, select = re.findall(r"^  (.* s3\(.*);$", up.stdout, re.MULTILINE)
    assert regression.here(capsys, "sql", insert).returncode == 0
    assert regression(*ask, stdin=select).stdout == "0\n1\n2\n"
    assert f"down --results {regression.results}\n" in up.stdout
    assert all(map(is_alive, pids))

    down = regression("down")
    assert (down.returncode, down.stdout) == (0, "Down; nothing is left.\n")
    assert soon(lambda: not any(map(is_alive, pids)), 2)
    assert not place.exists()
    again = regression.here(capsys, "down")
    assert (again.returncode, again.stdout) == (0, "Nothing is up.\n")


def test_a_killed_daemon_leaves_nothing_running(regression: Regression) -> None:
    assert regression("up").returncode == 0
    pids = regression.pids()
    assert len(pids) == 2
    os.kill(pids[0], signal.SIGKILL)
    assert soon(lambda: not any(map(is_alive, pids)), 2)
    assert regression("down").stdout == "Nothing is up.\n"
    assert not (regression.results / "up").exists()


@pytest.mark.parametrize("command", [("down",), ("sql", "SELECT 1")])
def test_an_environment_of_another_version(
    regression: Regression, capsys: pytest.CaptureFixture[str], command: tuple[str, ...]
) -> None:
    place = regression.results / "up"
    place.mkdir(parents=True)
    with subprocess.Popen(["sleep", "60"]) as stranger:
        try:
            node = {"name": "node1", "version": "26.9", "tcp_port": 9000, "http_port": 8123}
            description = {
                "pid": stranger.pid,
                "started": start_time(stranger.pid),
                "nodes": [node],
            }
            (place / "environment.json").write_text(json.dumps({**description, "s3": None}))
            answer = regression.here(capsys, *command)
            refused(answer, 2, "another version of this program, which describes it in another way")
            assert f"end its process with: kill {stranger.pid}." in answer.stderr
            assert is_alive(stranger.pid) and regression.description["pid"] == stranger.pid
        finally:
            stranger.kill()
    assert regression.here(capsys, "down").stdout == "Nothing is up.\n"
    assert not place.exists()


@pytest.mark.parametrize("text", ["", "[]", "{}", "{", '{"pid": 1}'])
def test_a_description_that_names_no_process(
    regression: Regression, capsys: pytest.CaptureFixture[str], text: str
) -> None:
    place = regression.results / "up"
    place.mkdir(parents=True)
    (place / "environment.json").write_text(text)
    assert regression.here(capsys, "down").stdout == "Nothing is up.\n"
    assert not place.exists()


def test_sql_without_up_starts_and_ends_a_server(
    regression: Regression, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("TMPDIR", str(tmp_path))
    asked = regression("sql", "SELECT path FROM system.disks", "--format", "TSV")
    assert asked.returncode == 0, asked.stderr
    data = Path(asked.stdout.strip())
    assert data.is_relative_to(tmp_path) and not data.exists()
    assert servers_of(tmp_path) == []
    assert regression("down").stdout == "Nothing is up.\n"


def servers_of(folder: Path) -> list[str]:
    """Processes that work below a folder."""
    pids = []
    for process in Path("/proc").iterdir():
        try:
            if process.name.isdigit() and (process / "cwd").readlink().is_relative_to(folder):
                pids.append(process.name)
        except OSError:
            continue
    return pids


def test_bad_sql_is_a_failure_with_its_code(regression: Regression) -> None:
    asked = regression("sql", "SELECT * FROM nowhere")
    assert (asked.returncode, asked.stdout) == (1, "")
    assert asked.stderr.startswith("Code 60: ") and "Traceback" not in asked.stderr


SCRIPT = """-- a comment; with a semicolon
CREATE DATABASE d; USE d;
CREATE TEMPORARY TABLE kept (s String); INSERT INTO kept VALUES ('a;b'), ('-- c');
SELECT * FROM nowhere; -- { serverError 60 }
SELECT s, $x$;$x$ FROM kept ORDER BY s /* ; */;
"""


def test_a_script_runs_in_one_session(regression: Regression) -> None:
    asked = regression("sql", "-", "--format", "CSV", stdin=SCRIPT)
    assert asked.returncode == 0, asked.stderr
    assert asked.stdout == ('Code 60, as expected: SELECT * FROM nowhere\n"-- c",";"\n"a;b",";"\n')


@pytest.mark.parametrize(
    ("second", "text"),
    [
        ("SELECT * FROM nowhere", "Code 60: "),
        ("SELECT * FROM nowhere; -- { serverError 61 }", "Code 60: "),
        ("SELECT 2; -- { serverError 60 }", "Not refused, though code 60 is expected: SELECT 2"),
    ],
)
def test_a_script_ends_at_what_was_not_expected(
    regression: Regression, second: str, text: str
) -> None:
    asked = regression("sql", "-", "--format", "CSV", stdin=f"SELECT 1; {second}\n; SELECT 3")
    assert asked.returncode == 1
    assert asked.stdout.startswith("1\n") and "3" not in asked.stdout
    assert asked.stderr.startswith(text)


def test_a_repro_runs_on_the_nodes_that_it_names(regression: Regression) -> None:
    def statement(node: str, sql: str, **options: Any) -> recording.Statement:
        return recording.Statement(node=node, sql=sql, at=0.0, **options)

    script = evidence.repro_script(
        [
            statement("node1", "CREATE TABLE t (n UInt8) ENGINE = Memory", database="default"),
            statement("node1", "INSERT INTO t VALUES", data="(1), (2)", database="default"),
            statement("other", "SELECT count() FROM t", code=60, database="default"),
            statement("node1", "CREATE TEMPORARY TABLE own (n UInt8)", session=7),
            statement("node1", "SELECT count() FROM own", code=60),
            statement("node1", "SELECT sum(n) FROM default.t", settings={"max_threads": 1}),
        ],
        ScenarioResult("/a/b/c", rerun="./regression.py --only /a/b/c"),
    )
    asked = regression("sql", "-", "--format", "CSV", stdin=script)
    assert asked.returncode == 0, asked.stderr + script
    assert asked.stdout == (
        "Code 60, as expected: SELECT count() FROM t\n"
        "Code 60, as expected: SELECT count() FROM own\n3\n"
    )


@pytest.mark.parametrize(
    ("arguments", "text"),
    [
        (
            ("up", "--env", "moon"),
            "no environment 'moon': there is embedded, docker, ",
        ),
        (
            ("sql", "SELECT 1", "--env", "moon"),
            "no environment 'moon': there is embedded, docker, ",
        ),
        (("up", "--nodes", "none"), "--nodes 'none' is not a number from 1 to 20."),
        (("up", "--nodes", "0"), "--nodes '0' is not a number from 1 to 20."),
        (("up", "--nodes", "21"), "--nodes '21' is not a number from 1 to 20."),
        (("up", "--port", "80"), "--port '80' is not a port from 1024 to 65534."),
        (("up", "--clickhouse-version", "1.1"), "no engine for --clickhouse-version 1.1"),
        (("sql", "SELECT 1", "--clickhouse-version", "x"), "'x' is not a version"),
        (("sql", "SELECT 1", "--node", "../node2"), "Nothing is up, so there is no '../node2'"),
        (("sql", "SELECT 1", "--format", "Nonsense"), "--format 'Nonsense' is none"),
    ],
)
def test_bad_values(
    regression: Regression,
    capsys: pytest.CaptureFixture[str],
    arguments: tuple[str, ...],
    text: str,
) -> None:
    refused(regression.here(capsys, *arguments), 2, text)


def test_a_place_that_cannot_be_written(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "file").touch()
    refused(Regression(tmp_path / "file").here(capsys, "up"), 2, "cannot be used: ")


def test_a_place_that_is_occupied(
    regression: Regression, capsys: pytest.CaptureFixture[str]
) -> None:
    regression.results.mkdir()
    (regression.results / "up").touch()
    refused(regression.here(capsys, "up"), 2, "cannot be used: File exists.")
    (regression.results / "up").unlink()


def test_a_taken_port(regression: Regression, capsys: pytest.CaptureFixture[str]) -> None:
    with socket.create_server(("127.0.0.1", 0)) as stranger:
        port = stranger.getsockname()[1]
        answer = regression.here(capsys, "up", "--port", str(port))
    refused(answer, 3, f"Port {port} on 127.0.0.1 is taken;")
    assert not (regression.results / "up").exists()
    assert regression.here(capsys, "down").stdout == "Nothing is up.\n"
