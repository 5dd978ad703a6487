"""Disks and restarts on a real server: as the model says, and noticed where it is otherwise."""

from __future__ import annotations

import pytest

from helpers.cluster.client.tampering import INTERCEPTOR
from helpers.cluster.node import Node
from helpers.explore.execution.play import play
from helpers.explore.model.histories import Counts, History
from helpers.explore.model.statements import RESTART, STARTED_AGAIN, HistoryStatement

KINDS = {"a": "tiered", "b": "tiered", "c": "plain"}
FILLED = tuple(HistoryStatement("insert", table, rows=((1, 1), (2, 1))) for table in "abc")
TO_COLD, TO_TWO = (
    HistoryStatement("move-to-volume", number=1),
    HistoryStatement("move-to-disk", number=1),
)


@pytest.mark.parametrize("kind", STARTED_AGAIN)
def test_parts_are_where_they_were_moved_to_also_after_a_restart(node: Node, kind: str) -> None:
    history = (
        *(*FILLED, TO_COLD, TO_TWO, HistoryStatement(kind), TO_TWO),
        *(HistoryStatement("replace", "b", "a"), HistoryStatement("replace", "c", "a")),
        *(HistoryStatement("attach-from", "a", "c"), HistoryStatement("move", "a", "c"), TO_COLD),
    )
    counts = Counts()
    assert play(node, History(KINDS, history), counts) is None
    assert f"{kind} accepted" in counts.transitions
    assert "move-to-disk refused with code 479" in counts.transitions


def test_the_policy_is_looked_at_before_the_columns(node: Node) -> None:
    counts = Counts()
    move = HistoryStatement("move", "c", "a")
    history = (*FILLED, HistoryStatement("add-column", "a"), move)
    assert play(node, History(KINDS, history), counts) is None
    assert "move refused with code 478" in counts.transitions


def test_a_move_that_does_nothing_is_noticed(node: Node) -> None:
    INTERCEPTOR.activate(
        lambda statement: [] if "TO VOLUME" in statement.sql else statement.execute()
    )
    found = play(node, History(KINDS, (*FILLED, TO_COLD)), Counts())
    assert found is not None
    assert found.family == "move-to-volume: parts on other disks"


def test_rows_that_a_restart_loses_are_noticed(node: Node) -> None:
    def lose(statement):  # type: ignore[no-untyped-def]
        answer = statement.execute()
        if "INSERT" in statement.sql:
            lost.append(statement.sql.split()[2])
        return answer

    lost: list[str] = []
    restart = node.restart

    def restarted() -> None:
        restart()
        node.query(f"TRUNCATE TABLE {lost[-1]}")

    INTERCEPTOR.activate(lose)
    node.restart = restarted  # type: ignore[method-assign]
    try:
        found = play(node, History(KINDS, (FILLED[0], HistoryStatement(RESTART))), Counts())
    finally:
        node.restart = restart  # type: ignore[method-assign]
    assert found is not None
    assert found.family == "restart: rows are missing"
