"""States of many rows, compared by the fingerprints of Spark and ClickHouse."""

from __future__ import annotations

from functools import partial

import pytest

from helpers.cluster.client.tampering import INTERCEPTOR
from helpers.cluster.node import Node
from helpers.explore.execution.play import Counts, play
from helpers.explore.execution.referee import Referee, RefereedPlayer
from helpers.explore.model.histories import History
from helpers.explore.model.statements import INSERT_MANY, Statement
from helpers.explore.search.profiles import Execute
from helpers.sensitivity.registry import load

pytestmark = pytest.mark.nightly
KINDS = {"a": "plain", "b": "replacing", "c": "plain"}
FILLED = tuple(Statement(INSERT_MANY, table, number=2) for table in "ab")
MANY = (
    *FILLED,
    Statement("insert", "a", partition=2, rows=((1, 1),)),
    *(Statement("attach-from", "b", "a"), Statement("optimize", "b")),
    *(Statement("update", "a", number=2), Statement("replace", "a", "b")),
)


@pytest.fixture(scope="module")
def execute() -> Execute:
    return partial(play, player=partial(RefereedPlayer, Referee()))


def test_what_is_as_the_model_says_is_not_accused(node: Node, execute: Execute) -> None:
    counts = Counts()
    assert execute(node, History(KINDS, MANY), counts, "") is None
    assert counts.by_fingerprint >= len(MANY) - 1
    assert {"optimize accepted", "replace accepted"} <= counts.transitions


def test_a_replace_that_does_nothing_is_noticed(node: Node, execute: Execute) -> None:
    INTERCEPTOR.activate(load()["replace-does-nothing"].tamper)
    found = execute(node, History(KINDS, MANY), Counts(), "")
    assert found is not None
    assert found.family == "replace: other rows"


def test_one_changed_row_of_many_is_noticed(node: Node, execute: Execute) -> None:
    def change(statement):  # type: ignore[no-untyped-def]
        answer = statement.execute()
        if "ATTACH PARTITION" in statement.sql:
            table = statement.sql.split()[2]
            statement.inject(f"ALTER TABLE {table} UPDATE v = 99 WHERE i = 777")
        return answer

    INTERCEPTOR.activate(change)
    found = execute(
        node, History(KINDS, (FILLED[0], Statement("attach-from", "c", "a"))), Counts(), ""
    )
    assert found is not None
    assert found.family == "attach-from: other rows"
