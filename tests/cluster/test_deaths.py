"""Servers that die, and owners that die: it is said, and nothing stays behind."""

from __future__ import annotations

import os
import signal
import subprocess
import time
from pathlib import Path

import pytest

from helpers.cluster.client.failures import NodeDied
from helpers.cluster.embedded.node import EmbeddedNode
from helpers.cluster.processes import process
from helpers.scenario.waiting import eventually
from tests.cluster.conftest import assert_nothing_outlives, checksum, python, soon
from tests.processes import is_alive

OWNER = """
import sys
from pathlib import Path
from helpers.cluster.embedded.cluster import EmbeddedCluster
cluster = EmbeddedCluster(Path({folder!r}))
print(cluster.node().pid, cluster.object_store().pid, flush=True)
{then}
"""


def shoot(node: EmbeddedNode) -> None:
    assert node.pid is not None
    os.kill(node.pid, signal.SIGKILL)


def test_a_node_that_dies_in_a_query_is_told_with_its_log(node: EmbeddedNode, numbers: str) -> None:
    before = checksum(node, numbers)
    sql = "SELECT sleepEachRow(0.1) FROM system.numbers LIMIT 600"
    handle = node.background(sql, settings={"max_block_size": 1})
    eventually(lambda: handle.running)
    shoot(node)
    with pytest.raises(NodeDied) as caught:
        handle.wait()
    text = str(caught.value)
    assert text.startswith("node1 died: killed by SIGKILL")
    assert f"during:   {sql}" in text
    log = text.partition("log:")[2]
    assert len(log.splitlines()) >= 5 and "<Debug>" in log
    with pytest.raises(NodeDied, match="killed by SIGKILL"):
        node.query("SELECT 1")
    with pytest.raises(NodeDied, match="killed by SIGKILL"):
        node.http("SELECT 1")

    started = time.monotonic()
    node.start()
    assert node.value("SELECT 1") == 1
    assert checksum(node, numbers) == before
    assert time.monotonic() - started < 10
    node.raise_if_dead("nothing")


def test_a_node_that_we_end_has_not_died(node: EmbeddedNode) -> None:
    for end in (node.kill, node.stop):
        node.start()
        end()
        node.raise_if_dead("nothing")
        with pytest.raises(Exception, match="refused") as caught:
            node.query("SELECT 1")
        assert not isinstance(caught.value, NodeDied)


def test_waiting_for_a_dead_node_ends_at_once(node: EmbeddedNode) -> None:
    shoot(node)
    started = time.monotonic()
    with pytest.raises(NodeDied):
        eventually(lambda: node.value("SELECT 0"), timeout=30)
    assert time.monotonic() - started < 10


def test_nothing_outlives_a_killed_owner(tmp_path: Path) -> None:
    owner = python(OWNER.format(folder=str(tmp_path), then="sys.stdin.read()"))
    assert_nothing_outlives(owner, processes=2, seconds=2)


def test_nothing_outlives_an_owner_that_forgot_to_close(tmp_path: Path) -> None:
    owner = python(OWNER.format(folder=str(tmp_path), then=""))
    out, err = owner.communicate(timeout=60)
    pids = list(map(int, out.split()))
    assert len(pids) == 2 and err == ""
    assert soon(lambda: not any(map(is_alive, pids)), 2)


def test_a_process_that_is_gone_is_none_whenever_it_started() -> None:
    with subprocess.Popen(["sleep", "60"]) as child:
        started = process.start_time(child.pid)
        assert process.process_is(child.pid, started) and not process.process_is(child.pid, 0.0)
        child.kill()
        assert process.wait_until_gone(child.pid, started, 10), "a zombie is no process"
        assert not process.process_is(child.pid, process.start_time(child.pid))
