"""What is wrong with the engine is told in one line, with what to do."""

from __future__ import annotations

import json
import os
import socket
import socketserver
import subprocess
import sys
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler
from pathlib import Path

import pytest

from helpers.base.errors import ENVIRONMENT, USAGE, EnvironmentFailed
from helpers.base.paths import ROOT
from helpers.cluster.docker.engine import connect, explained

NOBODY = 65534


class FakeEngine(socketserver.ThreadingUnixStreamServer):
    """Speaks as much of the engine's protocol as is needed to have it refuse something."""

    daemon_threads = True
    version = "1.41"
    refusal: tuple[int, str] | None = None


class Answers(BaseHTTPRequestHandler):
    server: FakeEngine

    def log_message(self, format: str, *arguments: object) -> None:
        """Nobody reads it."""

    def handle_request(self) -> None:
        self.rfile.read(int(self.headers.get("Content-Length") or 0))
        if self.path.endswith("/version"):
            self.answer(200, {"ApiVersion": self.server.version})
        elif self.server.refusal is None:
            self.close_connection = True  # an engine that goes away
        else:
            status, message = self.server.refusal
            self.answer(status, {"message": message})

    do_GET = do_POST = do_DELETE = handle_request  # noqa: N815

    def answer(self, status: int, body: object) -> None:
        text = json.dumps(body).encode()
        self.send_response(status)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(text)))
        self.end_headers()
        self.wfile.write(text)


@pytest.fixture
def fake(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[FakeEngine]:
    path = tmp_path / "engine.sock"
    with FakeEngine(str(path), Answers) as server:
        monkeypatch.setenv("DOCKER_HOST", f"unix://{path}")
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield server
        server.shutdown()


def regression(*arguments: str, **variables: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "helpers.cli.main", *arguments],
        cwd=ROOT,
        capture_output=True,
        text=True,
        env={**os.environ, **variables},
    )


@pytest.mark.parametrize("command", [["--env", "docker", "--only", "*keeps*"], ["images", "list"]])
def test_no_engine(command: list[str], tmp_path: Path) -> None:
    ended = regression(*command, DOCKER_HOST=f"unix://{tmp_path}/none.sock")
    assert ended.returncode == ENVIRONMENT
    assert ended.stderr.startswith(f"regression: No Docker engine answers at unix://{tmp_path}")
    assert "systemctl start docker" in ended.stderr
    assert ended.stderr.count("\n") == 1


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can become somebody else")
def test_no_permission(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "engine.sock"
    for folder in (tmp_path, *tmp_path.parents[:2]):
        folder.chmod(0o755)
    with socket.socket(socket.AF_UNIX) as listener:
        listener.bind(str(path))
        path.chmod(0o600)
        listener.listen()
        monkeypatch.setenv("DOCKER_HOST", f"unix://{path}")
        os.seteuid(NOBODY)
        try:
            with pytest.raises(EnvironmentFailed, match=r"No permission .* the group 'docker'"):
                connect()
        finally:
            os.seteuid(0)


def test_an_old_engine(fake: FakeEngine) -> None:
    fake.version = "1.24"
    with pytest.raises(EnvironmentFailed, match=r"too old: it speaks API 1\.24, .* 1\.41"):
        connect()


@pytest.mark.parametrize(
    ("status", "message", "advice"),
    [
        (500, "write /x: no space left on device", "disk is full: docker system df"),
        (404, "No such image: nothing/here:1", "images build"),
        (
            500,
            "could not find an available, non-overlapping IPv4 address pool",
            "no addresses left for another network: ./regression.py down --all",
        ),
    ],
)
def test_refusals(fake: FakeEngine, status: int, message: str, advice: str) -> None:
    fake.refusal = (status, message)
    client = connect()
    with pytest.raises(EnvironmentFailed) as failure, explained("The thing cannot be done"):
        client.images.get("nothing/here:1")
    assert str(failure.value).startswith(f"The thing cannot be done: {message}")
    assert advice in str(failure.value)
    assert "\n" not in str(failure.value)


def test_an_engine_that_goes_away(fake: FakeEngine) -> None:
    client = connect()
    with pytest.raises(EnvironmentFailed, match="Was it stopped or restarted"), explained("This"):
        client.containers.list()


def test_an_unknown_image_to_build() -> None:
    ended = regression("images", "build", "clickhose")
    assert ended.returncode == USAGE
    assert "There is no image 'clickhose' to build" in ended.stderr
    assert "Did you mean 'clickhouse'" in ended.stderr


def test_an_option_of_another_environment() -> None:
    ended = regression("--clickhouse-image", "a:1", "--only", "*keeps*")
    assert ended.returncode == USAGE
    assert "--clickhouse-image means nothing to --env embedded" in ended.stderr
