"""Waiting by asking again, and the one variable that stretches every time limit."""

from __future__ import annotations

import re
import time
from collections.abc import Iterator

import pytest

from helpers.base.errors import UsageError
from helpers.base.time_limits import VARIABLE, factor, scaled
from helpers.cluster.client.recording import Recorder
from helpers.cluster.client.session import Session
from helpers.cluster.embedded.cluster import EmbeddedCluster
from helpers.cluster.embedded.node import EmbeddedNode
from helpers.scenario.waiting import eventually


def test_it_asks_until_the_answer_is_true() -> None:
    answers: Iterator[object] = iter([0, "", None, [], "yes", "never asked for"])
    assert eventually(lambda: next(answers)) == "yes"
    assert next(answers) == "never asked for"


def test_it_asks_until_the_answer_is_the_expected_one() -> None:
    answers = iter([1, 2, 0, 3])
    assert eventually(lambda: next(answers), equals=0) == 0
    assert next(answers) == 3


def test_the_longest_pause_keeps_the_questions_close_together() -> None:
    asked: list[float] = []

    def ask() -> bool:
        asked.append(time.monotonic())
        return asked[-1] - asked[0] > 0.3

    eventually(ask, pause=0.002, longest_pause=0.002)
    assert len(asked) > 30


def test_a_failed_assertion_means_not_yet_and_any_other_error_the_end() -> None:
    asked = 0

    def ask() -> bool:
        nonlocal asked
        asked += 1
        assert asked >= 3
        if asked == 4:
            raise ZeroDivisionError
        return asked != 3

    with pytest.raises(ZeroDivisionError):
        eventually(ask)
    assert asked == 4


def test_a_row_that_comes_later_is_waited_for(node: EmbeddedNode) -> None:
    node.query("CREATE TABLE t (n UInt8) ENGINE = Memory")
    handle = node.background("INSERT INTO t SELECT 1 + sleep(0.5)")
    assert eventually(lambda: node.query("SELECT n FROM t"), equals=[(1,)]) == [(1,)]
    handle.wait()


def test_giving_up_shows_query_expected_actual_elapsed_and_log(
    cluster: EmbeddedCluster, node: EmbeddedNode
) -> None:
    recorder = Recorder()
    cluster.record_to(recorder)
    started = time.monotonic()
    with pytest.raises(AssertionError) as caught:
        eventually(
            lambda: node.value("SELECT 41"),
            equals=42,
            timeout=0.3,
            last_statement=lambda: recorder.last,
            log=lambda: node.log_tail(3),
        )
    assert 0.25 < time.monotonic() - started < 10
    cluster.record_to(Recorder())
    text = str(caught.value)
    assert re.match(r"never came true in \d+\.\d s \(\d+ tries\)\n", text)
    assert "  query:    node1: SELECT 41\n" in text
    assert "  expected: 42\n" in text
    assert "  actual:   41\n" in text
    log = text.partition("  log:")[2]
    assert len(log.splitlines()) == 3 and all("<" in line for line in log.splitlines())


def test_giving_up_shows_the_last_refusal(node: EmbeddedNode) -> None:
    with pytest.raises(AssertionError) as caught:
        eventually(lambda: node.query("SELECT * FROM nowhere"), timeout=0.2)
    assert "  expected: a true value\n" in str(caught.value)
    assert "  actual:   node1 refused the query with code 60" in str(caught.value)


def test_the_factor_stretches_and_shrinks(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv(VARIABLE, raising=False)
    assert factor() == 1 and scaled(3) == 3
    monkeypatch.setenv(VARIABLE, "2.5")
    assert scaled(4) == 10
    monkeypatch.setenv(VARIABLE, "0.1")
    started = time.monotonic()
    with pytest.raises(AssertionError, match="never came true"):
        eventually(lambda: False, timeout=2)
    assert time.monotonic() - started < 1.5


def test_the_factor_reaches_queries(node: EmbeddedNode, monkeypatch: pytest.MonkeyPatch) -> None:
    limits = []
    monkeypatch.setattr(Session, "_limit_silence", lambda self, seconds: limits.append(seconds))
    for text in ("1", "3"):
        monkeypatch.setenv(VARIABLE, text)
        node.query("SELECT 1", timeout=20)
    assert limits == [20, 60]


@pytest.mark.parametrize("text", ["", "fast", "0", "-1", "nan", "inf", "1e9", "1,5"])
def test_a_bad_factor_is_an_error(monkeypatch: pytest.MonkeyPatch, text: str) -> None:
    monkeypatch.setenv(VARIABLE, text)
    with pytest.raises(UsageError) as caught:
        scaled(1)
    assert str(caught.value).startswith(f"{VARIABLE}={text!r} is not a factor")
