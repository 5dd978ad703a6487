"""Several attempts at a scenario: when there is another one, and their combined result.

A scenario that passes in one attempt and fails in another is Flaky: a result of its own, which fails the run.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from helpers.scenario.result import Result, ScenarioResult


@dataclass(frozen=True)
class Attempts:
    """How often a scenario runs: so many times, again after a failure, or until it fails."""

    repeat: int = 1
    retry: int = 0
    until_fail: bool = False

    def another(self, attempts: Sequence[ScenarioResult]) -> bool:
        """Whether a scenario with these results runs once more."""
        failed = any(result.unexpected for result in attempts)
        if attempts[-1].result in (Result.SKIP, Result.NOT_RUN):
            return False
        if self.until_fail:
            return not failed
        if self.retry:
            return attempts[-1].unexpected and len(attempts) <= self.retry
        return len(attempts) < self.repeat


def combined(attempts: Sequence[ScenarioResult]) -> ScenarioResult:
    """One result for all attempts; reason, message and folder are those of the first that failed."""
    if len(attempts) == 1:
        return attempts[0]
    failed = [result for result in attempts if result.unexpected]
    combined_result = replace(
        failed[0] if failed else attempts[-1],
        seconds=round(sum(result.seconds for result in attempts), 3),
        attempts=tuple(str(result.result) for result in attempts),
    )
    if not failed:
        return combined_result
    reason = f"failed in {len(failed)} of {len(attempts)} attempts: {combined_result.reason}"
    if len(failed) == len(attempts):
        return replace(combined_result, reason=reason)
    return replace(combined_result, result=Result.FLAKY, reason=f"flaky, {reason}")
