"""The search on real servers: a sabotaged one is found out and the history is short; a sound one is not."""

from __future__ import annotations

import time
from pathlib import Path

import pytest

from helpers.base.time_limits import scaled
from helpers.cluster.client.tampering import INTERCEPTOR
from helpers.cluster.node import Node
from helpers.cluster.target import Target
from helpers.explore.execution.play import play
from helpers.explore.findings.evidence import Finding, write
from helpers.explore.findings.known import KNOWN
from helpers.explore.findings.verify import verify
from helpers.explore.model.histories import Counts, History, HistoryDifference
from helpers.explore.model.schema import DEFAULT_TABLES
from helpers.explore.model.statements import KINDS, HistoryStatement
from helpers.explore.search.profiles import PROFILES
from helpers.explore.search.search import LOOKS, Search
from helpers.sensitivity.registry import load

MOST_STATEMENTS = 6
BLOCK = HistoryStatement("insert", "a", rows=((1, 1),))
SWALLOWED = History(
    {"a": "window", "b": "plain"},
    (
        BLOCK,
        HistoryStatement("insert", "b", rows=((2, 1),)),
        HistoryStatement("replace", "a", "b"),
        BLOCK,
    ),
)


def search(node: Node, statements: tuple[str, ...] = KINDS) -> Search:
    return Search(
        node,
        PROFILES["sequential"],
        statements,
        DEFAULT_TABLES,
        KNOWN,
        time.monotonic() + scaled(60),
    )


def found(searching: Search) -> HistoryDifference | None:
    number = 0
    while time.monotonic() < searching.deadline:
        number += 1
        if (difference := searching.batch(number)) is not None:
            return difference
    return None


@pytest.mark.parametrize(
    ("mutant", "statements"),
    [
        ("replace-does-nothing", ("insert", "replace", "attach-from", "drop")),
        pytest.param(
            "parts-lose-a-row-in-a-merge",
            ("insert", "optimize", "replace"),
            marks=pytest.mark.nightly,
        ),
    ],
)
def test_sabotage_is_found_and_made_short(
    node: Node, mutant: str, statements: tuple[str, ...], tmp_path: Path
) -> None:
    INTERCEPTOR.activate(load()[mutant].tamper)
    difference = found(search(node, statements))
    assert difference is not None
    assert INTERCEPTOR.changes and not INTERCEPTOR.broken
    assert difference.history.length <= MOST_STATEMENTS, difference.history
    verdict = verify(difference, Target(), lambda bare, history: play(bare, history, Counts()))
    assert verdict.reproduced and verdict.times == 3
    place = write(Finding.of(difference, verdict, "sequential"), tmp_path)
    assert {"repro.sql", "report.md", "scenario.py", "history.json"} <= {
        file.name for file in place.iterdir()
    }
    compile((place / "scenario.py").read_text(), "scenario.py", "exec")


def test_a_sound_server_is_not_accused(node: Node) -> None:
    searching = search(node)
    assert searching.batch(1, size=12) is None
    assert searching.counts.histories >= 5
    assert len(searching.counts.transitions) > 12


def test_a_known_deviation_is_counted_or_reported_with_sql(node: Node) -> None:
    difference = play(node, SWALLOWED, Counts())
    assert difference is not None
    assert difference.kind == "rows are missing"
    verdict = verify(difference, Target(), lambda bare, history: play(bare, history, Counts()))
    assert verdict.reproduced
    assert "-- expected: 1, 1, 1\n-- expected: 1, 2, 1\n-- observed: 1, 2, 1" in verdict.script


def test_what_is_not_there_again_is_not_reported_and_looked_for_again(node: Node) -> None:
    INTERCEPTOR.activate(load()["replace-does-nothing"].tamper)
    difference = play(node, History(SWALLOWED.kinds, SWALLOWED.statements[:3]), Counts())
    INTERCEPTOR.activate(None)
    assert difference is not None
    verdict = verify(difference, Target(), lambda bare, history: play(bare, history, Counts()))
    assert not verdict.reproduced
    searching = search(node)
    for look in range(1, LOOKS + 1):
        searching.reported.append(difference)
        searching.look_again(difference)
        assert searching._is_new(difference) == (look < LOOKS), (
            "one that does not come again hides none"
        )


def test_a_server_that_dies_is_a_finding(node: Node) -> None:
    def die(statement):  # type: ignore[no-untyped-def]
        answer = statement.execute()
        if "REPLACE PARTITION" in statement.sql:
            node._child.kill()  # type: ignore[attr-defined]
        return answer

    INTERCEPTOR.activate(die)
    difference = play(node, SWALLOWED, Counts())
    INTERCEPTOR.activate(None)
    assert difference is not None
    assert difference.kind == "the server died"
    assert difference.log
    assert play(node, History({"a": "plain"}, (BLOCK,)), Counts()) is None, "it is started again"
