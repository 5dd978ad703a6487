"""Nobody else on the machine gets in, reads along or finds a password."""

from __future__ import annotations

import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

from helpers.cluster.client.failures import QueryFailed
from helpers.cluster.embedded.cluster import EmbeddedCluster
from helpers.cluster.embedded.node import EmbeddedNode
from helpers.cluster.node import User
from helpers.cluster.services.seaweed import SOCKETS, SeaweedStore, remove_orphaned_sockets
from tests.cluster.conftest import listeners
from tests.databases import local_store

SESSION_LIMIT_EXCEEDED = 700


@pytest.fixture(scope="module")
def inhabited(cluster: EmbeddedCluster) -> Iterator[EmbeddedCluster]:
    """A node with users, and a store with TLS, which has all the ports that one can have."""
    cluster.node().add_users([User("alice")])
    cluster.object_store(tls=True)
    yield cluster


@pytest.fixture
def store(inhabited: EmbeddedCluster) -> SeaweedStore:
    return local_store(inhabited, tls=True)


@pytest.fixture
def pids(inhabited: EmbeddedCluster, store: SeaweedStore) -> list[int]:
    node_pid, store_pid = inhabited.node().pid, store.pid
    assert node_pid is not None and store_pid is not None
    return [node_pid, store_pid]


@pytest.fixture
def secrets(inhabited: EmbeddedCluster, store: SeaweedStore) -> list[bytes]:
    node = inhabited.node()
    key = (store.folder / "server.key").read_text().splitlines()[1]
    secrets = [node.endpoint.password, node.password("alice"), key]
    secrets += [identity.secret_key for identity in store.identities.values()]
    assert all(len(secret) >= 20 for secret in secrets)
    return [secret.encode() for secret in secrets]


def test_a_node_listens_on_loopback_only(inhabited: EmbeddedCluster, pids: list[int]) -> None:
    endpoint = inhabited.node().endpoint
    assert listeners(pids[0]) == {
        ("127.0.0.1", endpoint.tcp_port),
        ("127.0.0.1", endpoint.http_port),
    }


def test_a_store_listens_on_loopback_and_on_reserved_ports_only(
    store: SeaweedStore, pids: list[int]
) -> None:
    listening = listeners(pids[1])
    assert len(listening) >= 10, "master, volume, filer, s3 and admin, twice each"
    assert {address for address, _ in listening} == {"127.0.0.1"}
    assert {port for _, port in listening} <= set(store.ports)


@pytest.mark.parametrize(
    "sql",
    [
        "SELECT 1",
        "SELECT * FROM secrets.secret",
        "SHOW DATABASES",
        "CREATE TABLE default.x (n Int8) ENGINE = Memory",
        "KILL QUERY WHERE 1",
        "SELECT query FROM system.processes",
        "SELECT * FROM file('users.xml', 'LineAsString')",
        "SYSTEM STOP LISTEN TCP",
    ],
)
@pytest.mark.parametrize("protocol", ["native", "http"])
def test_the_user_without_a_password_can_do_nothing(
    cluster: EmbeddedCluster, sql: str, protocol: str
) -> None:
    node = cluster.node()
    node.query("CREATE DATABASE IF NOT EXISTS secrets ENGINE = Atomic")
    node.query("CREATE TABLE IF NOT EXISTS secrets.secret (n Int8) ENGINE = Memory")
    with pytest.raises(QueryFailed) as caught:
        (node.query if protocol == "native" else node.http)(sql, user="default")
    assert caught.value.code == SESSION_LIMIT_EXCEEDED
    assert node.value("SELECT 1") == 1
    assert node.http("SELECT 1") == b"1\n"


def test_a_wrong_password_is_refused(node: EmbeddedNode, monkeypatch: pytest.MonkeyPatch) -> None:
    node.drop_connections()
    monkeypatch.setattr(node, "password", lambda user: "wrong")
    node.fails("SELECT 1", code=516, text="Authentication failed")


def test_no_secret_is_on_a_command_line(pids: list[int], secrets: list[bytes]) -> None:
    for pid in pids:
        line = Path(f"/proc/{pid}/cmdline").read_bytes()
        assert line.count(b"\0") >= 3
        assert not [secret for secret in secrets if secret in line]


def test_no_secret_is_in_a_file_that_others_may_read(
    cluster: EmbeddedCluster, secrets: list[bytes]
) -> None:
    with_secrets = []
    for file in cluster.folder.rglob("*"):
        if file.is_file():
            content = file.read_bytes()
            if any(secret in content for secret in secrets):
                with_secrets.append(file)
                assert file.stat().st_mode & 0o777 == 0o600, file
    names = {file.name for file in with_secrets}
    assert names >= {"users.xml", "user-alice.xml", "identities.json", "server.key"}


def test_every_cluster_has_passwords_of_its_own(tmp_path: Path) -> None:
    with EmbeddedCluster(tmp_path / "a") as one, EmbeddedCluster(tmp_path / "b") as other:
        assert one.node().endpoint.password != other.node().endpoint.password


def test_telemetry_is_switched_off(cluster: EmbeddedCluster, store: SeaweedStore) -> None:
    line = Path(f"/proc/{store.pid}/cmdline").read_text().split("\0")
    assert "-master.telemetry=false" in line
    node = cluster.node()
    assert "<send_crash_reports><enabled>false" in (node.folder / "config.xml").read_text()


def test_a_store_leaves_no_socket_behind(tmp_path: Path) -> None:
    """SeaweedFS puts them into the machine's folder for temporary files."""
    with EmbeddedCluster(tmp_path) as cluster:
        ports = local_store(cluster).ports
        assert sockets(ports), "while it lives they are there"
    assert not sockets(ports)


def sockets(ports: list[int]) -> list[Path]:
    sockets = SOCKETS.glob("seaweedfs-*.sock")
    return [file for file in sockets if int(file.stem.rpartition("-")[2]) in ports]


def test_sockets_of_a_killed_owner_go_with_the_next_store(tmp_path: Path) -> None:
    from helpers.cluster.processes.ports import reserve_free

    held, free = reserve_free(2)
    files = [SOCKETS / f"seaweedfs-s3-{port.number}.sock" for port in (held, free)]
    free.release()
    for file in files:
        file.touch()
    try:
        remove_orphaned_sockets()
        assert [file.exists() for file in files] == [True, False], "only what nobody has"
    finally:
        held.release()
        remove_orphaned_sockets()
    assert not files[0].exists()


def test_ss_agrees_with_the_kernel(pids: list[int]) -> None:
    """The table of listeners above is read by ourselves; a second opinion where there is one."""
    try:
        output = subprocess.run(["ss", "-Hltnp"], capture_output=True, text=True, check=True).stdout
    except (OSError, subprocess.CalledProcessError) as error:
        pytest.skip(f"no second opinion: {error}")
    for pid in pids:
        mine = [line.split() for line in output.splitlines() if f"pid={pid}," in line]
        assert {fields[3] for fields in mine} == {
            f"{address}:{port}" for address, port in listeners(pid)
        }
