"""REGRESSION_TIMEOUT_FACTOR multiplies every time limit, for slow machines."""

from __future__ import annotations

import os

from helpers.base.errors import UsageError

VARIABLE = "REGRESSION_TIMEOUT_FACTOR"


def factor() -> float:
    text = os.environ.get(VARIABLE, "1")
    return positive(
        text, 1000, f"{VARIABLE}={text!r} is not a factor: give a number such as 2 or 0.5."
    )


def positive(text: str, limit: float, refusal: str) -> float:
    """A number between zero and a limit; UsageError with this text if it is none."""
    try:
        value = float(text)
    except ValueError:
        value = 0.0
    if not 0 < value < limit:
        raise UsageError(refusal)
    return value


def scaled(seconds: float) -> float:
    """A time limit in seconds, multiplied by the factor."""
    return seconds * factor()
