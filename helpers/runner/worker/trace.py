"""Follow the steps of a scenario while it runs, and keep the exceptions that end them.

TestFlows reports steps to its log only, and a step that skips itself leaves its scenario OK. So some of its
methods are wrapped: the step that runs now is known at any moment (a hard time limit names it), and so are
the step that failed, the step that ended in another way, and the exception object. Of a failed assertion the
compared objects are kept, which TestFlows turns into text.

The steps of verbs (helpers/scenario/step.py) are left out: a failure names the scenario's own step.

A refused query is an AssertionError, so that waiting repeats it. TestFlows would call the step that it ends
a Fail; it gets another exception, so that its log says Error as the report does.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Sized
from dataclasses import dataclass, field
from typing import Any

from testflows._core.exceptions import ResultException
from testflows._core.test import Context, TestBase
from testflows.asserts.asserts import AssertEval
from testflows.core import Step

from helpers.cluster.client.failures import QueryFailed
from helpers.runner.worker.assertion import Unequal, place_of
from helpers.scenario.context import this
from helpers.scenario.step import Verb
from helpers.scenario.violations import Violations

CHECKS = ("Then", "But")
MOST_MEMBERS = 2_000  # of what TestFlows compares line by line: 100,000 rows take it a minute


@dataclass
class Trace:
    """The steps of one scenario so far."""

    entered: Callable[[str], None] = lambda label: None
    path: list[str] = field(default_factory=list)
    failed: str | None = None
    failed_in: tuple[str, ...] = ()
    """The names of the step that failed first and of those around it."""
    excused: tuple[str, str] | None = None
    violations: dict[str, str] | None = None
    checks: int = 0
    checked: dict[str, None] = field(default_factory=dict)
    """The names of the scenario's own checks that were entered, in their order."""
    _checking: bool = False
    errors: dict[str, BaseException] = field(default_factory=dict)
    """The exceptions that ended steps and the scenario, by the message of the result made from them."""
    unequal: list[Unequal] = field(default_factory=list)
    """Each == that was false when the last failed assertion was explained."""

    def enter(self, kind: str, name: str) -> None:
        if kind in CHECKS:
            self.checks += 1
        if not self.path:  # And goes on with what the step before it began
            self._checking = kind in CHECKS or (kind == "And" and self._checking)
            self.checked |= {name: None} if self._checking else {}
        self.path.append(f"{kind} {name}")
        self.entered(" / ".join(self.path))

    def leave(self, result: str, error: BaseException | None = None) -> None:
        label, around = " / ".join(self.path), self.path.copy()
        self.path.pop()
        if result in ("Fail", "Error", "Null"):
            if self.failed is None:
                self.failed = label
                self.failed_in = tuple(step.partition(" ")[2] for step in around)
                self.violations = error.cells if isinstance(error, Violations) else None
        elif result != "OK":
            self.excused = self.excused or (label, result)


class Refusal(Exception):
    """A refused query for TestFlows: it looks the same, but is no AssertionError."""


Refusal.__name__ = Refusal.__qualname__ = QueryFailed.__name__
Refusal.__module__ = QueryFailed.__module__

_trace = Trace()


def follow(trace: Trace) -> None:
    """Record steps in this trace from now on."""
    global _trace
    _trace = trace


def _size(value: object) -> int:
    return len(value) if isinstance(value, Sized) else 0


def install() -> None:
    """Wrap the methods, once a process."""
    enter, leave, conclude = Step.__enter__, Step.__exit__, TestBase._exit_process_exception
    explain, comparison, difference = AssertEval.eval, AssertEval.visit_Compare, AssertEval._diff

    def traced_enter(self: Any, *arguments: Any, **options: Any) -> Any:
        if isinstance(self, Verb):
            return enter(self, *arguments, **options)
        name = self.kwargs.get("name")  # before TestFlows puts look-alikes for ' : . and others
        test = enter(self, *arguments, **options)
        kind = test.subtype.name if test.subtype is not None else "Step"
        _trace.enter(kind, str(name or test.name.rpartition("/")[2]))
        return test

    def traced_leave(self: Any, *exception: Any) -> Any:
        if isinstance(self, Verb):
            return leave(self, *exception)
        try:
            return leave(self, *exception)
        finally:
            _trace.leave(type(self.test.result).__name__, exception[1] if exception else None)

    def traced_conclude(self: Any, kind: Any, error: Any, traceback: Any) -> Any:
        if isinstance(error, QueryFailed):
            answer = conclude(self, Refusal, Refusal(str(error)), traceback)
        else:
            answer = conclude(self, kind, error, traceback)
        if not isinstance(error, ResultException):
            _trace.errors[self.result.message] = error
        return answer

    def traced_explanation(self: Any) -> Any:
        _trace.unequal.clear()
        self.comparing = []  # innermost last, each with the number of operators that were evaluated
        return explain(self)

    def traced_comparison(self: Any, node: ast.Compare) -> Any:
        self.comparing.append([place_of(node), 0])
        try:
            return comparison(self, node)
        finally:
            self.comparing.pop()

    def traced_difference(self: Any, operator: Any, result: Any, left: Any, right: Any) -> Any:
        place, number = self.comparing[-1]
        self.comparing[-1][1] += 1
        if operator is not ast.Eq or result:
            return result
        _trace.unequal.append(Unequal(place, number, left, right))
        if max(map(_size, (left, right))) > MOST_MEMBERS:
            return result
        try:
            return difference(self, operator, result, left, right)
        except Exception:  # of a repr in a scenario
            return result

    AssertEval.eval = traced_explanation
    AssertEval.visit_Compare = traced_comparison
    AssertEval._diff = traced_difference
    # As other suites of TestFlows write it: self.context.cluster.node("clickhouse1").
    Context.cluster = property(lambda context: this())
    TestBase._exit_process_exception = traced_conclude
    Step.__enter__ = traced_enter
    Step.__exit__ = traced_leave
