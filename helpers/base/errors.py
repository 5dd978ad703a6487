"""Errors that are meant for people: one line each, with the exit code they end the program with."""

from __future__ import annotations

import difflib
from collections.abc import Callable, Iterable

NEAR = 0.7  # how similar two names are, from 0 to 1, of which one may be meant
ALL_AS_EXPECTED = 0
FAILURES = 1
USAGE = 2
ENVIRONMENT = 3
INTERRUPTED = 4


class RegressionError(Exception):
    """What went wrong, where, and what to do: printed as it is, never with a traceback."""

    exit_code = FAILURES


class UsageError(RegressionError):
    """The command line, or a file it names, cannot be used."""

    exit_code = USAGE


class EnvironmentFailed(RegressionError):
    """What the scenarios need to run on did not come up."""

    exit_code = ENVIRONMENT


class NotReadyInTime(EnvironmentFailed):
    """A server or service runs and did not answer in time: the machine may be busy."""


def failure_of(*attempts: Callable[[], object]) -> str | None:
    """Why the first of these that fails does so, or None if all can be done."""
    try:
        for attempt in attempts:
            attempt()
    except RegressionError as error:
        return str(error)
    return None


def nearest(name: str, known: Iterable[str]) -> str:
    """' Did you mean …?' with the known names closest to this one, or nothing where none is close."""
    close = difflib.get_close_matches(name, list(known), n=3, cutoff=NEAR)
    return f" Did you mean {' or '.join(repr(other) for other in close)}?" if close else ""
