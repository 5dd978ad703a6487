"""Verbs of steps/ as steps of TestFlows' log, named after what they do and with what.

    @step("I replace partition {partition} of {destination} from {source}")
    def replace_partition(destination: Table, *, source: Table, partition: int) -> None: …

A verb is a step where the scenario itself calls it. It is none within another verb, in an attempt of
`eventually`, in another thread, or where no scenario runs.
"""

from __future__ import annotations

import functools
import inspect
from collections.abc import Callable
from typing import Any, ParamSpec, TypeVar

from testflows.core import ERROR_NOT_COUNTED, FAIL_NOT_COUNTED, NULL_NOT_COUNTED, TE, By, current

from helpers.cluster.client.interception import CALLS

Parameters = ParamSpec("Parameters")
Value = TypeVar("Value")
LONGEST_ARGUMENT = 60
# A verb's error reaches its caller as it was raised; only the log shows the step as failed.
FLAGS = TE | FAIL_NOT_COUNTED | ERROR_NOT_COUNTED | NULL_NOT_COUNTED


class Verb(By):  # type: ignore[misc] # TestFlows has no types
    """The step of a verb; `helpers/runner/worker/trace.py` follows the scenario's own steps only."""


def step(text: str) -> Callable[[Callable[Parameters, Value]], Callable[Parameters, Value]]:
    """Make a step of each call; {name} in the text stands for the argument of that name."""

    def decorate(function: Callable[Parameters, Value]) -> Callable[Parameters, Value]:
        signature = inspect.signature(function)
        # A KeyError names a word in the text that is no argument.
        text.format_map(dict.fromkeys(signature.parameters, ""))

        @functools.wraps(function)
        def verb(*arguments: Parameters.args, **options: Parameters.kwargs) -> Value:
            if not _is_called_by_scenario():
                return function(*arguments, **options)
            bound = signature.bind(*arguments, **options)
            bound.apply_defaults()
            name = text.format_map({key: _shown(value) for key, value in bound.arguments.items()})
            error: Exception | None = None
            with Verb(name, flags=FLAGS):
                try:
                    return function(*arguments, **options)
                except Exception as raised:
                    error = raised
                    raise
            raise error  # TestFlows has swallowed it

        return verb

    return decorate


def _is_called_by_scenario() -> bool:
    """Whether a step runs in this thread that is the scenario's own and no attempt of `eventually`."""
    test: Any = current()
    return test is not None and not test.flags & FAIL_NOT_COUNTED and not CALLS.polling


def _shown(value: object) -> str:
    """An argument in a step's name: what it is called, or its beginning."""
    name = getattr(value, "name", value)
    text = str(name)
    return text if len(text) <= LONGEST_ARGUMENT else f"{text[: LONGEST_ARGUMENT - 1]}…"
