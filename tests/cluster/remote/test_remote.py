"""`--env remote`: a server that runs already, what is left on it, and addresses that cannot be used."""

from __future__ import annotations

import contextlib
import json
import signal
import socket
import ssl
import subprocess
import sys
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest

from helpers.base.errors import UsageError
from helpers.base.paths import ROOT
from helpers.cli.main import main
from helpers.cluster.capabilities import Capability, why_not
from helpers.cluster.client.failures import Unavailable
from helpers.cluster.client.session import Endpoint
from helpers.cluster.embedded.node import EmbeddedNode
from helpers.cluster.node import User
from helpers.cluster.processes.ports import LOOPBACK
from helpers.cluster.remote.cluster import RemoteCluster
from helpers.cluster.remote.url import parse
from helpers.cluster.services import certificates
from helpers.cluster.target import Target
from tests.cluster.conftest import soon
from tests.processes import ENDS

ONLY = "/replace partition/statement/basics/replaces the named partition only"


@pytest.fixture
def url(node: EmbeddedNode, monkeypatch: pytest.MonkeyPatch) -> str:
    """The address of a server; its password is where it is looked for."""
    monkeypatch.setenv("CLICKHOUSE_PASSWORD", node.endpoint.password)
    return f"clickhouse://{node.endpoint.user}@{LOOPBACK}:{node.endpoint.tcp_port}"


@pytest.fixture
def remote(url: str, tmp_path: Path) -> Iterator[RemoteCluster]:
    folder = tmp_path / "20260101-000000-abcd" / "data" / "worker-1-1"
    with RemoteCluster(folder, Target(env="remote", clickhouse_url=url)) as cluster:
        yield cluster


def command(results: Path, url: str, *options: str) -> list[str]:
    given = ["--env", "remote", "--clickhouse-url", url, "--results", str(results), *options]
    return [sys.executable, "-m", "helpers.cli.main", *given]


def ours(node: EmbeddedNode) -> list[str]:
    return [
        name for name in node.column("SELECT name FROM system.databases") if "regression" in name
    ]


def test_a_server_is_asked(remote: RemoteCluster, node: EmbeddedNode) -> None:
    asked = remote.node()
    assert asked.version == node.version
    assert asked.endpoint.http_port == node.endpoint.http_port
    assert asked.http("SELECT 1 + 1") == b"2\n"
    assert asked.value("SELECT getSetting('async_insert')") is False
    assert remote.database_prefix == "regression_20260101_000000_abcd_worker_1_1_"


def test_what_it_cannot_do_is_unavailable(remote: RemoteCluster) -> None:
    node = remote.node()
    for verb in (node.stop, node.kill, node.freeze, node.restart):
        with pytest.raises(Unavailable, match="runs elsewhere"):
            verb()
    for ask in (
        lambda: (remote.node("tidy"), remote.node("another")),
        lambda: remote.node(fragments=("disks",)),
        lambda: remote.node(fragments=("replication",)),
        lambda: remote.object_store(),
        lambda: remote.coordination(),
        lambda: node.log_since(0),
        lambda: node.add_users([]),
    ):
        with pytest.raises(Unavailable):
            ask()
    assert "runs elsewhere" in str(why_not(remote, Capability.PROCESS_CONTROL))
    assert "system.zookeeper" in str(why_not(remote, Capability.REPLICATION))


def test_scenarios_run_and_leave_nothing(url: str, node: EmbeddedNode, tmp_path: Path) -> None:
    only = [ONLY, "/replace partition/failures/restart/*"]
    done = subprocess.run(
        command(tmp_path, url, "--only", *only),
        cwd=ROOT,
        capture_output=True,
        text=True,
        timeout=300,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    document = json.loads((tmp_path / "latest" / "results.json").read_text())
    ended = {entry["name"]: (entry["result"], entry["reason"]) for entry in document["scenarios"]}
    assert ended.pop(ONLY)[0] == "OK"
    ((result, reason),) = ended.values()
    assert result == "Skip" and "runs elsewhere" in reason
    assert ours(node) == []
    assert node.endpoint.password not in (tmp_path / "latest" / "results.json").read_text()


@pytest.mark.parametrize("number", ENDS)
def test_databases_of_an_ended_run_are_removed(
    url: str, node: EmbeddedNode, tmp_path: Path, number: signal.Signals
) -> None:
    only = ["--only", "/replace partition/statement/many parts/*"]
    run = subprocess.Popen(command(tmp_path, url, *only), cwd=ROOT, stdout=subprocess.DEVNULL)
    try:
        assert soon(lambda: ours(node) != [], 240)
        run.send_signal(number)
        run.wait(timeout=180)
    finally:
        run.kill()
        run.wait()
    if number == signal.SIGKILL:  # nobody could; the next run does
        subprocess.run(command(tmp_path, url, "--only", ONLY), cwd=ROOT, check=True, timeout=300)
    assert ours(node) == []


@pytest.mark.parametrize(
    ("address", "message"),
    [
        (None, "needs --clickhouse-url"),
        ("http://host:8123", "has to start with clickhouse://"),
        ("clickhouse://user:secret@host", "set CLICKHOUSE_PASSWORD"),
        ("clickhouse://ho st:9000", "is not HOST or HOST:PORT"),
        ("clickhouse://host:99999", "is not HOST or HOST:PORT"),
        ("clickhouse://host:9000/database", "is not HOST or HOST:PORT"),
        ("clickhouse://host,host:9000", "a server is named twice"),
        ("clickhouse://host/?secure=1", "'secure' is unknown"),
        ("clickhouse://host/?http_port=x", "http_port=x is not a port"),
    ],
)
def test_an_address_that_cannot_be_read(address: str | None, message: str) -> None:
    with pytest.raises(UsageError) as refused:
        parse(address, {})
    assert message in str(refused.value) and "secret" not in str(refused.value)


def test_an_address_is_read() -> None:
    found = parse("clickhouses://a%40b@one,[::1]:9001/?http_port=1", {"CLICKHOUSE_PASSWORD": "p"})
    assert found.hosts == (("one", 9440), ("::1", 9001))
    assert (found.user, found.password, found.secure, found.http_port) == ("a@b", "p", True, 1)


def test_an_address_with_colons_in_it() -> None:
    endpoint = Endpoint("::1", 9000, 8123, "user", "password")
    assert endpoint.http_url == "http://[::1]:8123"
    assert "http://user:password@[::1]:8123/" in endpoint.commands()[1]


def refusal(url: str, capsys: pytest.CaptureFixture[str]) -> str:
    """What the command line says about an address; one line, exit code 3."""
    assert main(["--env", "remote", "--clickhouse-url", url, "--only", ONLY]) == 3
    message = capsys.readouterr().err.strip()
    assert len(message.splitlines()) == 1 and "Traceback" not in message
    return message


def test_a_wrong_password(
    url: str, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("CLICKHOUSE_PASSWORD", "wrong")
    assert "CLICKHOUSE_PASSWORD" in refusal(url, capsys)


def test_a_user_who_may_create_nothing(
    node: EmbeddedNode, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    node.add_users([User("reader", ("SELECT ON *.*",))])
    monkeypatch.setenv("CLICKHOUSE_PASSWORD", node.password("reader"))
    message = refusal(f"clickhouse://reader@{LOOPBACK}:{node.endpoint.tcp_port}", capsys)
    assert "'reader'" in message and "CREATE DATABASE" in message


def test_no_server(capsys: pytest.CaptureFixture[str]) -> None:
    with socket.socket() as taken:
        taken.bind((LOOPBACK, 0))  # ours, and nobody listens
        message = refusal(f"clickhouse://{LOOPBACK}:{taken.getsockname()[1]}", capsys)
    assert "does not answer" in message


def test_tls_to_a_port_without(url: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert "does not speak TLS" in refusal(url.replace("clickhouse:", "clickhouses:"), capsys)


def test_the_port_for_http(
    url: str, node: EmbeddedNode, capsys: pytest.CaptureFixture[str]
) -> None:
    message = refusal(f"clickhouse://{LOOPBACK}:{node.endpoint.http_port}", capsys)
    assert "does not speak the native protocol" in message


@contextlib.contextmanager
def tls_listener(folder: Path) -> Iterator[int]:
    """A port that speaks TLS, with a certificate that nobody trusts, and closes what connects."""
    certificates.write(folder)
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(folder / certificates.SERVER, folder / certificates.KEY)

    def serve(listener: socket.socket) -> None:
        with contextlib.suppress(OSError):
            while True:
                link, _ = listener.accept()
                with contextlib.suppress(OSError), context.wrap_socket(link, server_side=True):
                    pass

    with socket.create_server((LOOPBACK, 0)) as listener:
        threading.Thread(target=serve, args=(listener,), daemon=True).start()
        yield listener.getsockname()[1]


def test_no_tls_to_a_port_with(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with tls_listener(tmp_path) as port:
        assert "use clickhouses://" in refusal(f"clickhouse://{LOOPBACK}:{port}", capsys)


def test_a_certificate_that_is_not_trusted(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    with tls_listener(tmp_path) as port:
        assert "SSL_CERT_FILE" in refusal(f"clickhouses://{LOOPBACK}:{port}", capsys)
