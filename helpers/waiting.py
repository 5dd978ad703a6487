"""Waiting for something to become true, by asking again; never by sleeping and hoping."""

from __future__ import annotations

import math
import time
from collections.abc import Callable
from typing import Any, TypeVar

import tenacity

from helpers.cluster.failures import NodeDied, describe
from helpers.recording import Statement, preview
from helpers.timeouts import scaled

Value = TypeVar("Value")
_ANY = object()


def eventually(
    ask: Callable[[], Value],
    *,
    equals: Any = _ANY,
    timeout: float = 10.0,
    at_most: float = math.inf,
    pause: float = 0.02,
    last_statement: Callable[[], Statement | None] = lambda: None,
    log: Callable[[], str] = lambda: "",
) -> Value:
    """Ask until the answer is true, or equals what is expected; then return it.

    An AssertionError raised by `ask` counts as 'not yet'. `timeout` is how long the asker would wait,
    `at_most` how long anybody may. The failure shows the last query, what was
    expected, the last answer, the time and the log, as far as it is told where to find them.
    """
    started = time.monotonic()

    def unsatisfied(value: Value) -> bool:
        return not value if equals is _ANY else bool(value != equals)

    retrying = tenacity.Retrying(
        stop=tenacity.stop_after_delay(scaled(min(timeout, at_most))),
        wait=tenacity.wait_exponential(multiplier=pause, max=0.5, exp_base=1.3),
        retry=tenacity.retry_if_result(unsatisfied) | tenacity.retry_if_exception(_is_not_yet),
    )
    try:
        return retrying(ask)
    except tenacity.RetryError as gave_up:
        attempt = gave_up.last_attempt
        error = attempt.exception() if attempt.failed else None
        statement = last_statement()
        raise AssertionError(
            describe(
                f"never came true in {time.monotonic() - started:.1f} s "
                f"({attempt.attempt_number} tries)",
                query=f"{statement.node}: {statement.sql}" if statement else "",
                expected="a true value" if equals is _ANY else preview(equals),
                actual=str(error) if error else preview(attempt.result()),
                answer=statement.outcome if statement else "",
                log=log(),
            )
        ) from None


def _is_not_yet(error: BaseException) -> bool:
    return isinstance(error, AssertionError) and not isinstance(error, NodeDied)
