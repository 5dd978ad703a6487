"""Statements in the background: seen running, waited for, killed, cut off."""

from __future__ import annotations

import re

import pytest

from helpers.cluster.client.failures import QueryFailed
from helpers.cluster.embedded.node import EmbeddedNode
from helpers.scenario.waiting import eventually

QUERY_WAS_CANCELLED = 394
LONG = "SELECT sleepEachRow(0.05) FROM system.numbers LIMIT 1200"
SLOWLY = {"max_block_size": 1}


def test_it_runs_while_we_go_on(node: EmbeddedNode) -> None:
    handle = node.background("SELECT sleep(0.5), 42")
    eventually(lambda: handle.running)
    assert 0 < handle.elapsed < 30
    assert node.value("SELECT 1") == 1
    assert handle.wait() == [(0, 42)]
    assert not handle.running
    ended = handle.elapsed
    assert ended >= 0.5
    assert handle.elapsed == ended, "the clock stops with it"
    assert handle.outcome() is None


def test_it_is_known_whether_somebody_looked(node: EmbeddedNode) -> None:
    seen, ignored = node.background("SELECT 1"), node.background("SELECT 2")
    seen.wait()
    eventually(lambda: ignored.done)
    assert [handle.collected for handle in (seen, ignored)] == [True, False]


def test_a_refusal_comes_out_when_it_is_waited_for(node: EmbeddedNode) -> None:
    handle = node.background("SELECT * FROM nowhere")
    with pytest.raises(QueryFailed, match="Unknown table expression"):
        handle.wait()
    outcome = handle.outcome()
    assert isinstance(outcome, QueryFailed) and outcome.code == 60


def test_waiting_ends(node: EmbeddedNode) -> None:
    handle = node.background(LONG, settings=SLOWLY)
    with pytest.raises(AssertionError) as caught:
        handle.wait(timeout=0.2)
    text = str(caught.value)
    assert re.match(r"a statement in the background of node1 did not end within \d+ s", text)
    assert f"query:    {LONG}" in text
    handle.kill()
    handle.outcome()


def test_a_killed_statement_says_so(node: EmbeddedNode) -> None:
    handle = node.background(LONG, settings=SLOWLY)
    eventually(lambda: handle.running)
    handle.kill()
    outcome = handle.outcome(timeout=60)
    assert isinstance(outcome, QueryFailed) and outcome.code == QUERY_WAS_CANCELLED
    assert not handle.running


def test_a_cut_connection_ends_the_statement_on_the_server(node: EmbeddedNode) -> None:
    handle = node.background(LONG, settings=SLOWLY)
    eventually(lambda: handle.running)
    handle.disconnect()
    outcome = handle.outcome(timeout=60)
    assert isinstance(outcome, (OSError, EOFError)), outcome
    eventually(lambda: not handle.running)
    assert node.value("SELECT 1") == 1, "other connections are untouched"


def test_several_at_once(node: EmbeddedNode) -> None:
    handles = [node.background(f"SELECT sleep(2), {number}") for number in range(5)]
    eventually(lambda: all(handle.running for handle in handles), timeout=30)
    assert [handle.wait()[0][1] for handle in handles] == list(range(5))
