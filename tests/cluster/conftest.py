"""A cluster for every module of tests, a database for every test, and a look at processes."""

from __future__ import annotations

import socket
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from helpers.cluster.embedded.node import EmbeddedNode
from pipelines.system.waiting import poll
from tests.databases import cluster_fixture, node_fixture
from tests.processes import is_alive

ROOT = Path(__file__).resolve().parents[2]
LISTEN = "0A"


cluster = cluster_fixture("module")
node = node_fixture()


@pytest.fixture
def numbers(node: EmbeddedNode) -> str:
    """A table with a hundred rows in ten parts of ten partitions."""
    node.query(
        "CREATE TABLE numbers (p UInt8, n UInt64) ENGINE = MergeTree PARTITION BY p ORDER BY n"
    )
    node.query("INSERT INTO numbers SELECT number % 10, number FROM numbers(100)")
    return "numbers"


def checksum(node: EmbeddedNode, table: str) -> tuple[object, ...]:
    """Something that reads every value: a count alone never opens a data file."""
    return node.query(f"SELECT count(), sum(cityHash64(*)) FROM {table}")[0]


def python(code: str, *arguments: str) -> subprocess.Popen[str]:
    """A second process of this project that runs some code."""
    return subprocess.Popen(
        [sys.executable, "-c", code, *arguments],
        cwd=ROOT,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )


def soon(condition: Callable[[], bool], seconds: float) -> bool:
    """Whether it comes true within this time."""
    return poll(condition, seconds, pause=0.01)


def assert_nothing_outlives(owner: subprocess.Popen[str], processes: int, seconds: float) -> None:
    """Kill a process that has printed the pids of so many others: they end within this time."""
    assert owner.stdout is not None
    try:
        pids = list(map(int, owner.stdout.readline().split()))
        assert len(pids) == processes and all(map(is_alive, pids))
        owner.kill()
        owner.wait()
        assert soon(lambda: not any(map(is_alive, pids)), seconds)
    finally:
        owner.kill()
        owner.communicate()


def listeners(pid: int) -> set[tuple[str, int]]:
    """Address and port of every TCP socket that a process listens on, as the kernel tells it."""
    inodes = set()
    for link in Path(f"/proc/{pid}/fd").iterdir():
        try:
            target = str(link.readlink())
        except FileNotFoundError:  # closed meanwhile
            continue
        if target.startswith("socket:["):
            inodes.add(target[len("socket:[") : -1])
    listening = set()
    for table, family in (("tcp", socket.AF_INET), ("tcp6", socket.AF_INET6)):
        for line in Path(f"/proc/{pid}/net/{table}").read_text().splitlines()[1:]:
            fields = line.split()
            if fields[3] == LISTEN and fields[9] in inodes:
                address, port = fields[1].split(":")
                listening.add((_address(address, family), int(port, 16)))
    return listening


def _address(text: str, family: socket.AddressFamily) -> str:
    """The kernel prints addresses as 32-bit words in the machine's byte order."""
    words = [text[at : at + 8] for at in range(0, len(text), 8)]
    packed = b"".join(int(word, 16).to_bytes(4, sys.byteorder) for word in words)
    return socket.inet_ntop(family, packed)
