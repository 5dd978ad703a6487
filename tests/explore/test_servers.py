"""Faults of the store as statements of histories: refused and undone, or accepted and done."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from helpers.cluster import environments
from helpers.cluster.client.tampering import INTERCEPTOR
from helpers.cluster.node import Node
from helpers.cluster.target import Target
from helpers.explore.execution.play import play
from helpers.explore.execution.servers import node_with_store
from helpers.explore.model.histories import Counts, History
from helpers.explore.model.statements import S3_FAULT, HistoryStatement

KINDS = {"a": "s3", "b": "s3", "c": "plain"}
ONE, TWO = (HistoryStatement("insert", rows=((number, 1),)) for number in (1, 2))
PUT, GET = HistoryStatement(S3_FAULT, number=2), HistoryStatement(S3_FAULT, number=1)


@pytest.fixture(scope="module")
def stored(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Node]:
    with (
        environments.open_cluster(Target(), tmp_path_factory.mktemp("explore")) as cluster,
        node_with_store(cluster, {}) as node,
    ):
        yield node


@pytest.mark.parametrize(
    "statement", [TWO, HistoryStatement("optimize"), HistoryStatement("replace", "b", "a")]
)
def test_a_statement_that_meets_a_fault_is_refused_and_does_nothing(
    stored: Node, statement: HistoryStatement
) -> None:
    counts = Counts()
    history = History(KINDS, (ONE, TWO, PUT, statement, statement))
    assert play(stored, history, counts) is None
    assert {f"{statement.kind} refused with code 499", f"{statement.kind} accepted"} <= (
        counts.transitions
    )


def test_reads_that_are_refused_leave_everything_as_it_was(stored: Node) -> None:
    history = (ONE, TWO, GET, HistoryStatement("optimize"), GET, HistoryStatement("reload"), ONE)
    assert play(stored, History(KINDS, history), Counts()) is None


def test_a_statement_that_needs_no_request_is_executed(stored: Node) -> None:
    counts = Counts()
    in_another = HistoryStatement("insert", "c", rows=((1, 1),))
    history = (ONE, PUT, in_another, PUT, HistoryStatement("exchange", "b", "a"), TWO)
    assert play(stored, History(KINDS, history), counts) is None
    assert "exchange accepted" in counts.transitions
    assert "insert refused with code 499" not in counts.transitions


def test_a_refused_statement_that_did_something_is_noticed(stored: Node) -> None:
    def do_it_all_the_same(statement):  # type: ignore[no-untyped-def]
        try:
            return statement.execute()
        except Exception:
            statement.inspect(statement.sql)
            raise

    INTERCEPTOR.activate(do_it_all_the_same)
    found = play(stored, History(KINDS, (ONE, PUT, TWO)), Counts())
    assert found is not None
    assert found.family == "insert: rows too many"
