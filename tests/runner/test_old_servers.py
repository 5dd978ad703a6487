"""A statement that an old server does not know skips its scenario; the exception object says so."""

from __future__ import annotations

from typing import Any

import pytest
from testflows.core import Error, Fail

from helpers.cluster.client.failures import QueryFailed
from helpers.runner.worker.outcome import judge
from helpers.runner.worker.trace import Trace
from helpers.scenario.result import Result, ScenarioResult
from helpers.scenario.waiting import eventually


def refused(code: int, message: str = "it was wrong") -> QueryFailed:
    return QueryFailed(code=code, message=message, node="n", sql="SELECT 1", user="u", seconds=0.1)


def ended_by(error: BaseException, *, is_outdated: bool = True) -> ScenarioResult:
    trace = Trace(errors={"the message": error}, failed="Then it answers")
    raw: Any = (Fail if isinstance(error, AssertionError) else Error)("the message", test="t")
    return judge(ScenarioResult("/a/b/c"), raw, trace, None, [], "18.14", is_outdated=is_outdated)


@pytest.mark.parametrize(
    ("error", "reason"),
    [
        (refused(62), "needs a later server: code 62: it was wrong"),
        (refused(36, "Unknown setting x"), "needs a later server: code 36: Unknown setting x"),
        (refused(36), None),
        (ValueError("code 62: no refusal"), None),
    ],
)
def test_what_an_old_server_does_not_know(error: BaseException, reason: str | None) -> None:
    result = ended_by(error)
    assert (result.result, result.reason if reason else None) == (
        (Result.SKIP, reason) if reason else (Result.ERROR, None)
    )
    assert ended_by(error, is_outdated=False).result == Result.ERROR


def test_the_last_refusal_of_a_wait_counts() -> None:
    def ask() -> None:
        raise refused(47)

    with pytest.raises(AssertionError) as waited:
        eventually(ask, timeout=0.0)
    assert ended_by(waited.value).reason == "needs a later server: code 47: it was wrong"
    assert ended_by(waited.value, is_outdated=False).result == Result.FAIL


def test_the_error_comes_before_its_traceback() -> None:
    try:
        raise ValueError("out of cheese")
    except ValueError as error:
        result = ended_by(error)
    assert (result.result, result.reason) == (
        Result.ERROR,
        "ValueError: out of cheese",
    )
    assert str(result.details).startswith("ValueError: out of cheese\n\nTraceback:\n  File ")
