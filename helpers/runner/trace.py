"""Following the steps of a scenario while it runs.

TestFlows tells the steps only to its log, and a step that skips itself leaves its scenario OK. So the
two methods that every step goes through are wrapped: what runs now is known at any moment (for a hard
time limit), and so are the step that failed and the ones that were skipped.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from testflows.core import Step

CHECKS = ("Then", "But")


@dataclass
class Trace:
    """The steps of one scenario so far."""

    entered: Callable[[str], None] = lambda label: None
    path: list[str] = field(default_factory=list)
    failed: str | None = None
    skipped: str | None = None
    checks: int = 0
    _kind: str = "Step"

    def enter(self, kind: str, name: str) -> None:
        # 'And' continues what went before it.
        self._kind = self._kind if kind in ("And", "By") else kind
        if self._kind in CHECKS:
            self.checks += 1
        self.path.append(f"{kind} {name}")
        self.entered(" / ".join(self.path))

    def leave(self, result: str) -> None:
        label = " / ".join(self.path)
        self.path.pop()
        if result in ("Fail", "Error", "Null") and self.failed is None:
            self.failed = label
        if result == "Skip" and self.skipped is None:
            self.skipped = label


_trace = Trace()


def follow(trace: Trace) -> None:
    """From now on steps are told to this trace."""
    global _trace
    _trace = trace


def install() -> None:
    """Wrap the two methods, once a process."""
    enter, leave = Step.__enter__, Step.__exit__

    def traced_enter(self: Any, *arguments: Any, **options: Any) -> Any:
        test = enter(self, *arguments, **options)
        kind = test.subtype.name if test.subtype is not None else "Step"
        _trace.enter(kind, test.name.rpartition("/")[2])
        return test

    def traced_leave(self: Any, *exception: Any) -> Any:
        try:
            return leave(self, *exception)
        finally:
            _trace.leave(type(self.test.result).__name__)

    Step.__enter__ = traced_enter
    Step.__exit__ = traced_leave
