"""Statements that undo each other: which ones lead back, and what a server loses on the way is noticed."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

import pytest

from helpers.cluster.client.tampering import INTERCEPTOR, InterceptedStatement
from helpers.cluster.embedded.cluster import EmbeddedCluster
from helpers.cluster.node import Node
from helpers.explore.execution.play import play
from helpers.explore.execution.round_trips import NOT_BACK, snapshot
from helpers.explore.model.histories import Counts, History
from helpers.explore.model.round_trips import TRIPS, kinds_in, trip_of
from helpers.explore.model.statements import ROUND_TRIP, HistoryStatement
from helpers.explore.model.tables import initial
from helpers.explore.model.transitions import apply

KINDS = {"a": "plain", "b": "plain"}
FILLED = (
    HistoryStatement("insert", "a", rows=((1, 1), (2, 1))),
    HistoryStatement("insert", "a", rows=((3, 2),)),
    HistoryStatement("insert", "a", partition=2, rows=((1, 1),)),
)


@pytest.fixture(scope="module")
def node(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Node]:
    with EmbeddedCluster(tmp_path_factory.mktemp("cluster")) as cluster:
        yield cluster.node(fragments=("disks",))


def trip(number: int, kinds: dict[str, str] = KINDS) -> History:
    statement = HistoryStatement(ROUND_TRIP, "a", "b", number=number)
    return History(kinds, (*FILLED, statement))


@pytest.mark.parametrize("number", range(len(TRIPS)), ids=[" ".join(kinds) for kinds in TRIPS])
def test_there_and_back_again(node: Node, number: int) -> None:
    kinds = {"a": "tiered", "b": "tiered"} if TRIPS[number][0] == "move-to-disk" else KINDS
    counts = Counts()
    assert play(node, trip(number, kinds), counts) is None
    assert f"{ROUND_TRIP} accepted" in counts.transitions, "it was not sent"


@pytest.mark.parametrize(
    ("number", "pattern"),
    [(0, "ATTACH PARTITION"), (4, r"MOVE PARTITION 1 TO TABLE \S+\.a$"), (5, "ATTACH PART ")],
)
def test_a_way_back_that_does_nothing_is_noticed(node: Node, number: int, pattern: str) -> None:
    def lazy(sent: InterceptedStatement) -> Any:
        return [] if re.search(pattern, sent.sql) else sent.execute()

    INTERCEPTOR.activate(lazy)
    try:
        found = play(node, trip(number), Counts())
    finally:
        INTERCEPTOR.activate(None)
    assert found is not None and found.kind == NOT_BACK
    assert "(3,2" in found.expected.replace("'", "") or "rows" in found.expected


@pytest.mark.parametrize(
    ("before", "number"),
    [
        ((HistoryStatement("insert", "b", rows=((9, 9),)),), 4),  # MOVE back would take its rows
        ((HistoryStatement("detach", "a"), FILLED[0]), 0),  # ATTACH brings back more
        ((HistoryStatement("drop", "a"),), 1),  # nothing to replace it by
    ],
)
def test_what_leads_elsewhere_is_not_sent(
    before: tuple[HistoryStatement, ...], number: int
) -> None:
    state = initial(KINDS)
    for statement in (*FILLED, *before):
        outcome = apply(state, statement)
        assert not outcome.unspecified and outcome.refusal is None
        state = outcome.state
    assert apply(state, trip(number).statements[-1]).unspecified


def test_known_deviations_see_what_a_trip_consists_of() -> None:
    assert {"freeze", "restore"} <= kinds_in(trip(5))
    assert [step.kind for step in trip_of(trip(5).statements[-1])] == list(TRIPS[5])


@pytest.mark.parametrize(("value", "is_read"), [(1, True), (2, False)])
def test_final_is_read_where_it_has_one_answer(value: int, is_read: bool) -> None:
    """AggregatingMergeTree keeps any of two rows with one key: none is right."""
    state = initial({"a": "aggregating"})
    for number in (1, value):
        state = apply(state, HistoryStatement("insert", "a", rows=((1, number),))).state
    assert (" FINAL" in snapshot("db", state.tables)) is is_read
