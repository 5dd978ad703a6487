"""Waiting by asking again until the answer is true or the time is over."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import TypeVar

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
    deadline = time.monotonic() + seconds
    while True:
        answer = ask()
        left = deadline - time.monotonic()
        if answer or left <= 0 or give_up():
            return answer
        time.sleep(min(pause, left))
        pause = max(pause, min(pause * GROWTH, longest_pause))
