"""Wait by asking again until the answer is true or the time is over."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar

from tenacity import RetryCallState, Retrying, retry_if_not_result, stop_after_delay

Value = TypeVar("Value")
GROWTH = 1.3


def poll(
    ask: Callable[[], Value],
    seconds: float,
    *,
    pause: float = 0.02,
    longest_pause: float = 0.0,
    give_up: Callable[[], bool] = lambda: False,
) -> Value:
    """The first true answer, else the last one when the time is over or `give_up` says so.

    Pauses grow from `pause` to `longest_pause`, if that is longer.
    """
    over = stop_after_delay(seconds)

    def next_pause(state: RetryCallState) -> float:
        grown = min(pause * GROWTH ** min(state.attempt_number - 1, 100), longest_pause)
        left = seconds - (state.seconds_since_start or 0.0)
        return max(0.0, min(max(pause, grown), left))

    return Retrying(
        retry=retry_if_not_result(bool),
        stop=lambda state: over(state) or give_up(),
        wait=next_pause,
        retry_error_callback=lambda state: state.outcome.result() if state.outcome else None,
    )(ask)
