"""Ports: two regressions on one machine never take each other's."""

from __future__ import annotations

import socket
from pathlib import Path

import pytest

from helpers.base.errors import EnvironmentFailed
from helpers.cluster.embedded.cluster import EmbeddedCluster
from helpers.cluster.processes.ports import LOOPBACK, ReservedPort, is_taken, reserve, reserve_free
from tests.cluster.conftest import python, soon

HOLD = """
import sys
from helpers.cluster.processes.ports import reserve_free
held = reserve_free(50)
print(*(port.number for port in held), flush=True)
sys.stdin.readline()
for port in held:
    port.release()
print("released", flush=True)
sys.stdin.readline()
"""


def reservable(number: int) -> bool:
    port = reserve(number)
    if port is not None:
        port.release()
    return port is not None


@pytest.fixture
def free() -> ReservedPort:
    (port,) = reserve_free(1)
    port.release()
    return port


def test_two_processes_exclude_each_other_until_release() -> None:
    other = python(HOLD)
    assert other.stdin is not None and other.stdout is not None
    try:
        theirs = set(map(int, other.stdout.readline().split()))
        assert len(theirs) == 50
        assert not any(is_taken(number) for number in theirs), "a reservation opens no port"
        assert not any(reservable(number) for number in theirs)
        ours = reserve_free(50)
        assert not theirs & {port.number for port in ours}
        for port in ours:
            port.release()

        other.stdin.write("\n")
        other.stdin.flush()
        assert other.stdout.readline() == "released\n"
        assert all(reservable(number) for number in theirs)
    finally:
        other.kill()
        other.communicate()


def test_a_killed_process_reserves_nothing() -> None:
    other = python(HOLD)
    assert other.stdout is not None
    theirs = list(map(int, other.stdout.readline().split()))
    assert not reservable(theirs[0])
    other.kill()
    other.communicate()
    assert soon(lambda: all(map(reservable, theirs)), 2)


@pytest.mark.parametrize("address", [LOOPBACK, "0.0.0.0"])
def test_a_port_that_a_stranger_listens_on_is_not_reserved(
    free: ReservedPort, address: str
) -> None:
    with socket.create_server((address, free.number)):
        assert is_taken(free.number)
        assert reserve(free.number) is None
    assert reservable(free.number), "once it is free it is"


def test_a_search_passes_over_taken_ports(monkeypatch: pytest.MonkeyPatch) -> None:
    """Of three ports, one reserved and one listened on, only the third can be found."""
    for first in range(20000, 31000, 3):
        row = [reserve(number) for number in range(first, first + 3)]
        for port in row:
            if port is not None:
                port.release()
        if all(row):
            break
    monkeypatch.setattr("helpers.cluster.processes.ports.FIRST", first)
    monkeypatch.setattr("helpers.cluster.processes.ports.LAST", first + 3)
    reserved = reserve(first)
    assert reserved is not None
    with socket.create_server((LOOPBACK, first + 1)):
        (port,) = reserve_free(1)
        assert port.number == first + 2
        with pytest.raises(EnvironmentFailed, match="Only 0 of 1 ports are free"):
            reserve_free(1)
        port.release()
    reserved.release()
    everything = reserve_free(3)
    assert [port.number - first for port in sorted(everything, key=lambda port: port.number)] == [
        0,
        1,
        2,
    ]
    for port in everything:
        port.release()


def test_a_taken_port_that_is_asked_for_is_named(tmp_path: Path, free: ReservedPort) -> None:
    with (
        socket.create_server((LOOPBACK, free.number)),
        EmbeddedCluster(tmp_path) as cluster,
        pytest.raises(EnvironmentFailed) as caught,
    ):
        cluster.node(ports=(free.number, free.number + 1))
    text = str(caught.value)
    assert text.startswith(f"Port {free.number} on 127.0.0.1 is taken; ")
    assert "\n" not in text


def test_a_node_listens_where_it_is_asked_to(tmp_path: Path) -> None:
    native, http = reserve_free(2)
    native.release()
    http.release()
    with EmbeddedCluster(tmp_path) as cluster:
        node = cluster.node(ports=(native.number, http.number))
        assert (node.endpoint.tcp_port, node.endpoint.http_port) == (native.number, http.number)
        assert is_taken(native.number) and is_taken(http.number)
        assert node.value("SELECT 1") == 1
    assert reservable(native.number) and reservable(http.number)


def test_a_stranger_who_took_a_reserved_port_makes_the_node_move(tmp_path: Path) -> None:
    with EmbeddedCluster(tmp_path) as cluster:
        node = cluster.node()
        node.stop()
        before = node.endpoint.tcp_port
        with socket.create_server((LOOPBACK, before)):
            node.start()
            assert node.endpoint.tcp_port != before
            assert node.value("SELECT 1") == 1
