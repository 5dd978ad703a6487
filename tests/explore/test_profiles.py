"""Concurrent and crash histories on a real server; what must not be reported, and what must."""

from __future__ import annotations

import os
import signal
from dataclasses import replace
from typing import Any

import pytest

from helpers.cluster.client.tampering import INTERCEPTOR
from helpers.cluster.node import Node
from helpers.explore.execution import concurrent, crash
from helpers.explore.execution.player import DIED
from helpers.explore.findings.known import KNOWN, explanations
from helpers.explore.model.histories import (
    CANCELLED_AND_DONE,
    READ_BETWEEN,
    Counts,
    History,
    HistoryDifference,
)
from helpers.explore.model.statements import KILL, READ, HistoryStatement
from helpers.explore.search.worker import UNUSED, quicken
from helpers.sensitivity.registry import load

KINDS = {"a": "plain", "b": "plain", "c": "plain"}
FILLED = tuple(HistoryStatement("insert-parts", table, number=3) for table in ("a", "b", "c"))
INSERTS = (
    HistoryStatement("insert", "a", rows=((100, 2),)),
    HistoryStatement("insert", "a", rows=((101, 2),)),
)
UNRELATED = History(KINDS, FILLED, (INSERTS, (HistoryStatement("attach-from", "b", "c"),)))
KILLED = replace(
    UNRELATED,
    statements=(FILLED[0], HistoryStatement("insert-parts", "b", number=12)),
    clients=((HistoryStatement("replace", "a", "b"),), (HistoryStatement(KILL),)),
)


def test_a_worker_has_its_server_leave_out_what_nobody_looks_at(node: Node) -> None:
    before = node.settings
    quicken(node)
    try:
        asked = ", ".join(f"getSetting('{name}')" for name in UNUSED)
        assert [tuple(map(int, row)) for row in node.query(f"SELECT {asked}")] == [(0, 0)]
        assert node.value("SELECT getSetting('mutations_sync')") == 1
    finally:
        node.settings = before
        node.drop_connections()


def test_clients_that_do_not_meet_are_explained(node: Node) -> None:
    assert concurrent.execute(node, UNRELATED, Counts()) is None


def test_a_read_that_sees_something_else_is_reported(node: Node) -> None:
    """Clients in two partitions; the rows at the end are explained, one answer is not."""
    inserts = tuple(HistoryStatement("insert", "a", partition=p, rows=((100, 2),)) for p in (1, 2))
    history = History(KINDS, FILLED, ((inserts[0], inserts[1]), (HistoryStatement(READ, "a"),)))
    assert concurrent.execute(node, history, Counts()) is None
    INTERCEPTOR.activate(
        lambda statement: [(7, 7)] if "WHERE p = 1" in statement.sql else statement.execute()
    )
    found = concurrent.execute(node, history, Counts())
    assert found is not None
    assert found.kind == READ_BETWEEN
    assert explanations(found, KNOWN) == ()


def test_a_row_that_nobody_asked_for_is_not_explained(node: Node) -> None:
    INTERCEPTOR.activate(load()["parts-insert-twice"].tamper)
    found = concurrent.execute(node, replace(UNRELATED, statements=()), Counts())
    assert found is not None
    assert found.kind == concurrent.MIXTURE
    assert explanations(found, KNOWN) == ()
    assert {sent.client for sent in found.sent} == {1, 2}


def test_a_killed_statement_that_took_effect_is_the_known_deviation(node: Node) -> None:
    """Whether the kill comes in time is a race: one of many does."""
    found: HistoryDifference | None = None
    for _ in range(20):
        found = found or concurrent.execute(node, KILLED, Counts())
    assert found is not None
    assert found.signature == f"replace: {CANCELLED_AND_DONE}"
    assert explanations(found, KNOWN) == ("kill-query.cancelled-means-unchanged",)


@pytest.mark.parametrize("moment", [0, 5, 300])
def test_a_small_insert_survives_a_kill_as_a_whole_or_not_at_all(node: Node, moment: int) -> None:
    history = History(KINDS, (FILLED[0], INSERTS[0]), interruption=moment)
    assert crash.execute(node, history, Counts()) is None


@pytest.mark.parametrize("statements", [(), FILLED[:1]])
def test_an_insert_of_several_parts_is_not_to_be_all_or_nothing(
    node: Node, statements: tuple[HistoryStatement, ...]
) -> None:
    counts = Counts()
    for _ in range(3):
        assert crash.execute(node, History(KINDS, statements, interruption=-1), counts) is None
    assert not counts.transitions


def test_an_acknowledged_statement_that_is_lost_is_reported(node: Node) -> None:
    INTERCEPTOR.activate(load()["replace-does-nothing"].tamper)
    history = History(
        KINDS, (*FILLED[:2], HistoryStatement("replace", "a", "b")), interruption=2000
    )
    found = crash.execute(node, history, Counts())
    assert found is not None
    assert found.kind == crash.LOST
    assert explanations(found, KNOWN) == ()


def end(node: Any) -> None:
    """Somebody else kills the server."""
    child = node._child
    os.kill(child.pid, signal.SIGKILL)
    assert child.wait(10)


def test_a_server_that_dies_under_its_clients_is_a_difference(node: Node) -> None:
    def dying(sent: Any) -> Any:
        if " ATTACH " in sent.sql:
            end(node)
        return sent.execute()

    INTERCEPTOR.activate(dying)
    found = concurrent.execute(node, UNRELATED, Counts())
    assert found is not None and found.kind == DIED and "died" in found.log
    INTERCEPTOR.activate(None)
    assert concurrent.execute(node, UNRELATED, Counts()) is None


def test_a_server_that_dies_between_two_histories_is_not_just_started_again(node: Node) -> None:
    node.start()
    end(node)
    found = concurrent.execute(node, UNRELATED, Counts())
    assert found is not None and found.kind == DIED
    assert concurrent.execute(node, UNRELATED, Counts()) is None
