"""Waiting for a condition by asking again until it holds."""

from __future__ import annotations

import math
import time
from collections.abc import Callable
from typing import Any, TypeVar

from helpers.base.time_limits import scaled
from helpers.cluster.client.failures import describe
from helpers.cluster.client.recording import Statement, preview
from pipelines.system.waiting import poll

Value = TypeVar("Value")
_ANY = object()


class NeverTrue(AssertionError):
    """The time is over; `last_error` is what the last question raised, if it raised."""

    def __init__(self, message: str, last_error: AssertionError | None) -> None:
        super().__init__(message)
        self.last_error = last_error


def eventually(
    ask: Callable[[], Value],
    *,
    equals: Any = _ANY,
    timeout: float = 10.0,
    at_most: float = math.inf,
    pause: float = 0.02,
    longest_pause: float = 0.5,
    last_statement: Callable[[], Statement | None] = lambda: None,
    log: Callable[[], str] = lambda: "",
) -> Value:
    """Ask until the answer is true, or equals what is expected; then return it.

    An AssertionError raised by `ask` counts as 'not yet'. `timeout` is how long the asker would wait,
    `at_most` how long anybody may. The pauses grow from `pause` to `longest_pause`. The failure shows
    the last query, what was expected, the last answer, the time and the log, as far as it is told
    where to find them.
    """
    started, tries = time.monotonic(), 0
    answers: list[Value] = []
    error: AssertionError | None = None

    def satisfied() -> bool:
        nonlocal tries, error
        tries += 1
        answers.clear()
        try:
            answers.append(ask())
        except AssertionError as not_yet:
            error = not_yet
            return False
        return bool(answers[0]) if equals is _ANY else bool(answers[0] == equals)

    seconds = scaled(min(timeout, at_most))
    if poll(satisfied, seconds, pause=pause, longest_pause=longest_pause):
        return answers[0]
    statement = last_statement()
    raise NeverTrue(
        describe(
            f"never came true in {time.monotonic() - started:.1f} s ({tries} tries)",
            query=f"{statement.node}: {statement.sql}" if statement else "",
            expected="a true value" if equals is _ANY else preview(equals),
            actual=preview(answers[0]) if answers else str(error),
            answer=statement.outcome if statement else "",
            log=log(),
        ),
        None if answers else error,
    )
