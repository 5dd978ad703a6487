"""`--s3-url`: a store that somebody else runs, what servers are told of it, and what is left there."""

from __future__ import annotations

import json
import os
import socket
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from helpers.base.errors import RegressionError, UsageError
from helpers.base.paths import ROOT
from helpers.cli.main import main
from helpers.cluster.client.failures import Unavailable
from helpers.cluster.embedded.cluster import EmbeddedCluster
from helpers.cluster.embedded.node import EmbeddedNode
from helpers.cluster.processes.ports import LOOPBACK
from helpers.cluster.remote.cluster import RemoteCluster
from helpers.cluster.remote.store import KEYS, RemoteStore
from helpers.cluster.services.seaweed import SeaweedStore
from helpers.cluster.target import Target

ONLY = "/hive partitioning/reads/table functions/s3 function"
KNOWN = "SELECT name FROM system.named_collections WHERE name LIKE 'regression%'"
OLD, FRESH = "20250101-000000-abcd", "29990101-000000-abcd"


@pytest.fixture(scope="module")
def store(tmp_path_factory: pytest.TempPathFactory) -> Iterator[SeaweedStore]:
    started = SeaweedStore(tmp_path_factory.mktemp("s3"))
    started.start()
    yield started
    started.release()


@pytest.fixture
def keys(store: SeaweedStore, monkeypatch: pytest.MonkeyPatch) -> dict[str, str]:
    admin = store.identities["admin"]
    given = dict(zip(KEYS, (admin.access_key, admin.secret_key), strict=True))
    for name, value in given.items():
        monkeypatch.setenv(name, value)
    return given


@pytest.fixture
def url(node: EmbeddedNode, monkeypatch: pytest.MonkeyPatch) -> str:
    monkeypatch.setenv("CLICKHOUSE_PASSWORD", node.endpoint.password)
    return f"clickhouse://{node.endpoint.user}@{LOOPBACK}:{node.endpoint.tcp_port}"


def buckets(store: SeaweedStore) -> list[str]:
    return [bucket.name for bucket in store.client().list_buckets()]


RunRefused = Callable[[str, str], str]


@pytest.fixture
def run_refused(
    store: SeaweedStore, keys: dict[str, str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> RunRefused:
    """Runs a scenario on a server and a store that do not go together; returns what it is told."""

    def run(url: str, s3_url: str) -> str:
        options = ["--env", "remote", "--clickhouse-url", url, "--s3-url", s3_url]
        results = ["--results", str(tmp_path / "results")]
        assert main([*options, *results, "--only", ONLY]) == 3
        message = capsys.readouterr().err
        assert keys["AWS_SECRET_ACCESS_KEY"] not in message
        assert not [name for name in buckets(store) if "probe" in name]
        return message

    return run


def test_buckets_of_our_own(store: SeaweedStore, keys: dict[str, str]) -> None:
    remote = RemoteStore(store.url, keys, bucket_prefix="regression-run-")
    remote.check()
    bucket = remote.bucket("ours")
    assert bucket == "regression-run-ours"
    remote.make_bucket(bucket)
    remote.client().fput_object(bucket, "key", os.devnull)
    assert remote.keys(bucket) == ["key"]
    for ask in (lambda: remote.client("readonly"), remote.keys_to_show, remote.kill):
        with pytest.raises(Unavailable):
            ask()
    remote.remove_buckets()
    assert bucket not in buckets(store)


@pytest.mark.parametrize(
    ("address", "message"),
    [
        ("localhost:9000", "is not http://HOST:PORT"),
        ("s3://bucket", "is not http://HOST:PORT"),
        ("http://host:9000/bucket", "is not http://HOST:PORT"),
        ("http://host:9000?region=x", "is not http://HOST:PORT"),
        ("http://host:99999", "is not http://HOST:PORT"),
        ("http://[::1", "is not http://HOST:PORT"),
        ("http://key:secret@host:9000", "set AWS_ACCESS_KEY_ID"),
    ],
)
def test_an_address_that_cannot_be_read(address: str, message: str) -> None:
    with pytest.raises(UsageError, match=message) as refused:
        RemoteStore(address, dict.fromkeys(KEYS, "x"))
    assert "secret@" not in str(refused.value)


def test_keys_that_are_missing_or_wrong(store: SeaweedStore, keys: dict[str, str]) -> None:
    with pytest.raises(UsageError, match="AWS_SECRET_ACCESS_KEY"):
        RemoteStore(store.url, {"AWS_ACCESS_KEY_ID": "x"})
    with pytest.raises(RegressionError, match="cannot be used"):
        RemoteStore(store.url, dict.fromkeys(keys, "wrong")).check()


def test_a_server_that_takes_no_named_collections(
    store: SeaweedStore, run_refused: RunRefused, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    control = "<named_collection_control>0</named_collection_control>"
    users = f"<clickhouse><users><regression>{control}</regression></users></clickhouse>"
    with EmbeddedCluster(tmp_path / "server") as cluster:
        node = cluster.node(users={"strict": users})
        monkeypatch.setenv("CLICKHOUSE_PASSWORD", node.endpoint.password)
        address = f"clickhouse://{node.endpoint.user}@{LOOPBACK}:{node.endpoint.tcp_port}"
        assert "named_collection_control" in run_refused(address, store.url)


@pytest.mark.parametrize(
    "answers",
    [
        pytest.param(False, id="refuses"),
        pytest.param(True, id="does not answer", marks=pytest.mark.nightly),
    ],
)
def test_a_store_that_the_server_does_not_reach(
    answers: bool,
    url: str,
    store: SeaweedStore,
    run_refused: RunRefused,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Though this machine does: the address leads the server elsewhere."""
    monkeypatch.setattr(RemoteStore, "client", lambda *_: store.client())
    with socket.socket() as elsewhere:
        elsewhere.bind((LOOPBACK, 0))
        if answers:
            elsewhere.listen()  # it takes connections and says nothing
        address = f"http://{LOOPBACK}:{elsewhere.getsockname()[1]}"
        message = run_refused(url, address)
    assert f"--s3-url {address}: {url.partition('@')[2]} cannot use it:" in message
    assert "Does the server reach it by this address?" in message and len(message.splitlines()) == 1


def test_names_of_nodes_are_servers(url: str, tmp_path: Path) -> None:
    target = Target(env="remote", clickhouse_url=f"{url},localhost:{url.rpartition(':')[2]}")
    with RemoteCluster(tmp_path / "run" / "data" / "worker", target) as cluster:
        assert [cluster.node(name).name for name in ("lake", "tidy")] == ["lake", "tidy"]
        with pytest.raises(Unavailable, match="names 2"):
            cluster.node("third")
        cluster.record_to(cluster.recorder)  # another scenario
        assert cluster.node("third").value("SELECT 1") == 1


def test_a_scenario_reads_the_store_and_leaves_nothing(
    url: str, store: SeaweedStore, keys: dict[str, str], node: EmbeddedNode, tmp_path: Path
) -> None:
    options = ["--env", "remote", "--clickhouse-url", url, "--s3-url", store.url, "--only", ONLY]
    done = subprocess.run(
        [sys.executable, "-m", "helpers.cli.main", *options, "--results", str(tmp_path)],
        cwd=ROOT,
        capture_output=True,
        text=True,
        timeout=300,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    text = (tmp_path / "latest" / "results.json").read_text()
    (ended,) = json.loads(text)["scenarios"]
    assert ended["result"] == "OK" and "s3(regression_" in text
    assert keys["AWS_SECRET_ACCESS_KEY"] not in text
    assert node.column(KNOWN) == []
    assert not [name for name in buckets(store) if name.startswith("regression")]


def leave(node: EmbeddedNode, store: SeaweedStore, run: str) -> None:
    """What a run that was killed leaves."""
    name = f"regression_{run.replace('-', '_')}_worker_1_1_x"
    node.query(f"CREATE DATABASE {name}")
    node.query(f"CREATE NAMED COLLECTION {name} AS a = 'b'")
    store.make_bucket(name.replace("_", "-"))
    store.client().fput_object(name.replace("_", "-"), "key", os.devnull)


@pytest.mark.parametrize("run", [OLD, FRESH])
def test_what_killed_runs_left_is_swept(
    url: str,
    store: SeaweedStore,
    keys: dict[str, str],
    node: EmbeddedNode,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    run: str,
) -> None:
    leave(node, store, run)
    down = ["down", "--all", "--clickhouse-url", url, "--s3-url", store.url]
    if run == FRESH:  # it may be going on elsewhere, unless it is known to have ended
        assert main([*down, "--results", str(tmp_path)]) == 0
        assert "may be going on elsewhere" in capsys.readouterr().out
        assert node.column(KNOWN) != []
        (tmp_path / run).mkdir()
    assert main([*down, "--results", str(tmp_path)]) == 0
    printed = capsys.readouterr().out
    kinds = ("database", "named collection", "bucket")
    assert [printed.count(f": {kind} regression") for kind in kinds] == [1, 1, 1]
    assert node.column(KNOWN) == []
    assert not [name for name in buckets(store) if name.startswith("regression")]
    assert main([*down, "--results", str(tmp_path)]) == 0
    assert "No run has left anything there" in capsys.readouterr().out


def test_servers_are_swept_with_all_only(
    url: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    results = ["--results", str(tmp_path)]
    assert main(["down", "--clickhouse-url", url, *results]) == 2
    assert main(["down", "--all", "--s3-url", "http://host:1", *results]) == 2
    assert "--all" in capsys.readouterr().err
