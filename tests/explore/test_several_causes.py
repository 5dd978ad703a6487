"""Two causes in one history: what a known deviation explains does not hide what none does."""

from __future__ import annotations

import time
from dataclasses import replace
from typing import Any

from helpers.explore.findings.known import Known
from helpers.explore.model.histories import Counts, History, HistoryDifference
from helpers.explore.model.statements import HistoryStatement
from helpers.explore.search.generate import sequential
from helpers.explore.search.profiles import Profile
from helpers.explore.search.search import Search

KNOWN = Known("known", explains=lambda difference: "replace" in _kinds(difference.history))


def _kinds(history: History) -> set[str]:
    return {statement.kind for statement in history.statements}


def searching(*culprits: str) -> Search:
    """A search on a server on which these statements go wrong, all in the same way."""

    def execute(
        node: Any, history: History, counts: Counts, prefix: str
    ) -> HistoryDifference | None:
        counts.histories += 1
        if not _kinds(history) & set(culprits):
            return None
        return HistoryDifference(
            HistoryStatement("insert"), "rows are missing", "rows", "none", history
        )

    profile = Profile("sequential", culprits, sequential, execute)
    node: Any = None
    kinds = ("insert", "replace", "drop")
    return Search(node, profile, kinds, ("plain",), (KNOWN,), time.monotonic() + 60)


def found_by(search: Search) -> HistoryDifference | None:
    return next(filter(None, (search.batch(number) for number in range(8))), None)


def test_what_is_known_is_counted() -> None:
    search = searching("replace")
    assert found_by(search) is None
    assert search.explained["known"] > 10


def test_a_cause_beside_it_is_found_and_shrunk_to_itself() -> None:
    difference = found_by(searching("replace", "drop"))
    assert difference is not None
    assert _kinds(difference.history) == {"drop"}
    assert difference.history.length == 1


def test_the_history_with_both_is_looked_into() -> None:
    search = searching("replace", "drop")
    both = History({"a": "plain"}, (HistoryStatement("replace"), HistoryStatement("drop")))
    explained = search.execute(both)
    assert explained is not None
    assert not search._is_new(explained)
    other = search._other_cause(explained)
    assert other is not None
    assert _kinds(other.history) == {"drop"}


def test_more_around_what_was_found_is_the_same_finding() -> None:
    both = HistoryDifference(
        HistoryStatement("concurrent"), "mixture", "", "", History({}), meeting=("drop", "replace")
    )
    more = replace(both, meeting=("drop", "insert", "replace"))
    assert more.contains(both) and not both.contains(more)
    assert not replace(more, kind="another").contains(both)
    assert not replace(both, meeting=("drop", "drop")).contains(both)
    search = searching()
    search.reported.append(both)
    assert not search._is_new(more)
    assert search.repeated == {both.signature: 1}
    assert search._is_new(replace(both, meeting=("insert", "replace")))
