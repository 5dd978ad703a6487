"""Retry what a server or the store does not answer."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar

from tenacity import Retrying, retry_if_exception_type, stop_after_attempt, wait_exponential_jitter

from pipelines.errors import Unavailable

TRIES = 4
Value = TypeVar("Value")


def retrying() -> Retrying:
    """Retry transient errors with growing pauses; all others end at once."""
    return Retrying(
        stop=stop_after_attempt(TRIES),
        wait=wait_exponential_jitter(multiplier=0.3, max=10, jitter=0.3),
        retry=retry_if_exception_type(Unavailable),
        reraise=True,
    )


def retried(action: Callable[[], Value]) -> Value:
    """The value of an action, which is repeated as long as its errors are transient."""
    return retrying()(action)
