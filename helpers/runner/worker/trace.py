"""Following the steps of a scenario while it runs.

TestFlows tells the steps only to its log, and a step that skips or excuses itself leaves its scenario
OK. So the two methods that every step goes through are wrapped: what runs now is known at any moment
(for a hard time limit), and so are the step that failed and the one that ended in some other way.

A refused query is an AssertionError, so that waiting takes it for 'not yet', and TestFlows would call the
step that it ends a Fail. It is told an Error, so that its log says what the report says.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from testflows._core.test import TestBase
from testflows.core import Step

from helpers.cluster.client.failures import QueryFailed
from helpers.scenario.violations import Violations

CHECKS = ("Then", "But")


@dataclass
class Trace:
    """The steps of one scenario so far."""

    entered: Callable[[str], None] = lambda label: None
    path: list[str] = field(default_factory=list)
    failed: str | None = None
    excused: tuple[str, str] | None = None
    violations: dict[str, str] | None = None
    checks: int = 0

    def enter(self, kind: str, name: str) -> None:
        if kind in CHECKS:
            self.checks += 1
        self.path.append(f"{kind} {name}")
        self.entered(" / ".join(self.path))

    def leave(self, result: str, error: BaseException | None = None) -> None:
        label = " / ".join(self.path)
        self.path.pop()
        if result in ("Fail", "Error", "Null"):
            if self.failed is None and isinstance(error, Violations):
                self.violations = error.cells
            self.failed = self.failed or label
        elif result != "OK":
            self.excused = self.excused or (label, result)


class Refusal(Exception):
    """A refused query as TestFlows is told about it: it looks the same, but is no AssertionError."""


Refusal.__name__ = Refusal.__qualname__ = QueryFailed.__name__
Refusal.__module__ = QueryFailed.__module__

_trace = Trace()


def follow(trace: Trace) -> None:
    """Record steps in this trace from now on."""
    global _trace
    _trace = trace


def install() -> None:
    """Wrap the methods, once a process."""
    enter, leave, conclude = Step.__enter__, Step.__exit__, TestBase._exit_process_exception

    def traced_enter(self: Any, *arguments: Any, **options: Any) -> Any:
        name = self.kwargs.get("name")  # before TestFlows puts look-alikes for ' : . and others
        test = enter(self, *arguments, **options)
        kind = test.subtype.name if test.subtype is not None else "Step"
        _trace.enter(kind, str(name or test.name.rpartition("/")[2]))
        return test

    def traced_leave(self: Any, *exception: Any) -> Any:
        try:
            return leave(self, *exception)
        finally:
            _trace.leave(type(self.test.result).__name__, exception[1] if exception else None)

    def told_of_refusals(self: Any, kind: Any, error: Any, traceback: Any) -> Any:
        if isinstance(error, QueryFailed):
            kind, error = Refusal, Refusal(str(error))
        return conclude(self, kind, error, traceback)

    TestBase._exit_process_exception = told_of_refusals
    Step.__enter__ = traced_enter
    Step.__exit__ = traced_leave
