"""`--env remote` with several servers, and with TLS."""

from __future__ import annotations

import asyncio
import contextlib
import json
import os
import ssl
import subprocess
import sys
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from helpers.base.paths import ROOT
from helpers.cluster.binary.cluster import BinaryCluster
from helpers.cluster.embedded.node import EmbeddedNode
from helpers.cluster.processes.ports import LOOPBACK
from helpers.cluster.remote.cluster import RemoteCluster
from helpers.cluster.services import certificates
from helpers.cluster.target import Target
from tests.cluster.binary.binaries import installed, needs_binary

REPLICAS = "/replace partition/replicas/agreement/*"


def run(results: Path, url: str, only: str, **variables: str) -> dict[str, tuple[str, str]]:
    """What the scenarios ended with, and why."""
    command = [sys.executable, "-m", "helpers.cli.main", "--env", "remote", "--clickhouse-url", url]
    done = subprocess.run(
        [*command, "--results", str(results), "--only", only],
        cwd=ROOT,
        env={**os.environ, **variables},
        capture_output=True,
        text=True,
        timeout=300,
    )
    assert done.returncode == 0, done.stdout[-4000:] + done.stderr
    document: dict[str, Any] = json.loads((results / "latest" / "results.json").read_text())
    return {entry["name"]: (entry["result"], entry["reason"]) for entry in document["scenarios"]}


def databases(node: Any) -> list[str]:
    return [name for name in node.column("SELECT name FROM system.databases") if "regress" in name]


@pytest.mark.nightly
@needs_binary
def test_replicas_of_a_cluster_elsewhere(tmp_path: Path) -> None:
    with BinaryCluster(tmp_path / "servers", installed()) as cluster:
        nodes = [cluster.node(f"node{n}", fragments=("replication",)) for n in (1, 2, 3)]
        ports = ",".join(f"{LOOPBACK}:{node.endpoint.tcp_port}" for node in nodes)
        user, password = nodes[0].endpoint.user, nodes[0].endpoint.password
        url = f"clickhouse://{user}@{ports}"
        ended = run(tmp_path / "results", url, REPLICAS, CLICKHOUSE_PASSWORD=password)
        results = [result for result, _ in ended.values()]
        assert results.count("OK") >= 2 and set(results) <= {"OK", "XFail", "Skip"}, ended
        assert [databases(node) for node in nodes] == [[], [], []]


async def pump(source: asyncio.StreamReader, target: asyncio.StreamWriter) -> None:
    """Send on what comes until one of the two hangs up."""
    with contextlib.suppress(OSError):
        while data := await source.read(65536):
            target.write(data)
            await target.drain()
    target.close()


@contextlib.contextmanager
def tls_in_front(folder: Path, port: int) -> Iterator[int]:
    """A port that speaks TLS in front of one that does not."""
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(folder / certificates.SERVER, folder / certificates.KEY)

    async def connect(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        behind_reader, behind_writer = await asyncio.open_connection(LOOPBACK, port)
        await asyncio.gather(pump(reader, behind_writer), pump(behind_reader, writer))

    loop = asyncio.new_event_loop()
    server = loop.run_until_complete(asyncio.start_server(connect, LOOPBACK, 0, ssl=context))
    thread = threading.Thread(target=loop.run_forever)
    thread.start()
    try:
        yield server.sockets[0].getsockname()[1]
    finally:
        loop.call_soon_threadsafe(loop.stop)
        thread.join()
        server.close()
        for task in asyncio.all_tasks(loop):
            task.cancel()
        loop.run_until_complete(asyncio.sleep(0))
        loop.close()


def test_a_server_with_tls(
    node: EmbeddedNode, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    authority = certificates.write(tmp_path)
    monkeypatch.setenv("CLICKHOUSE_PASSWORD", node.endpoint.password)
    monkeypatch.setenv("SSL_CERT_FILE", str(authority))
    with (
        tls_in_front(tmp_path, node.endpoint.tcp_port) as native,
        tls_in_front(tmp_path, node.endpoint.http_port) as https,
    ):
        url = f"clickhouses://{node.endpoint.user}@{LOOPBACK}:{native}/?http_port={https}"
        target = Target(env="remote", clickhouse_url=url)
        with RemoteCluster(tmp_path / "run" / "data" / "worker", target) as cluster:
            asked = cluster.node()
            assert asked.value("SELECT 1 + 1") == 2
            assert asked.endpoint.http_url.startswith("https://")
            assert asked.http("SELECT 1 + 1") == b"2\n"
