"""`up`, `down` and `sql`: an environment to play with, from the outside."""

from __future__ import annotations

import json
import os
import re
import signal
import socket
import subprocess
from pathlib import Path

import pytest

from helpers.cluster.processes.process import start_time
from tests.cli.commands import Regression, refused
from tests.cluster.conftest import soon
from tests.processes import is_alive


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
