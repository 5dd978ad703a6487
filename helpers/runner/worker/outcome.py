"""Converts TestFlows' result of a scenario to ours."""

from __future__ import annotations

import re
import traceback
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from helpers.base.versions import RECORDED_UP_TO, is_newer_than_recorded
from helpers.cluster.client.failures import QueryFailed, Unavailable
from helpers.cluster.processes import process
from helpers.runner import leftovers
from helpers.runner.worker import assertion
from helpers.runner.worker.trace import Trace
from helpers.scenario.deviation import Deviation
from helpers.scenario.result import Result, ScenarioResult
from helpers.scenario.violations import difference
from helpers.scenario.waiting import NeverTrue

# Syntax, functions, identifiers, types, engines, tables and settings that an old server does not know.
UNKNOWN = {46, 47, 50, 56, 60, 62, 63, 115}
UNKNOWN_SETTING = re.compile(
    r"Unknown setting|type is not allowed|doesn't support PARTITION BY|can only be created with ENGINE"
    r"|requires \d+ to \d+ parameters"
)
# The runner's own frames say nothing about a failure.
RUNNER_FRAME = re.compile(r'  File "(<frozen runpy>|[^"]*/helpers/runner/)')
TRACEBACK = "Traceback (most recent call last):\n"


def judge(
    planned: ScenarioResult,
    raw: Any,
    trace: Trace,
    hidden_failure: str | None,
    deviations: Sequence[Deviation],
    version: str,
    *,
    is_outdated: bool = False,
) -> ScenarioResult:
    """The result of a scenario, from TestFlows' result of it and the exception that ended it.

    A failure that TestFlows reports as a pass is found here.
    """
    applying = next((known for known in deviations if known.applies_to(version)), None)
    newer = applying is not None and is_newer_than_recorded(version)
    ended = type(raw).__name__
    if ended == Result.OK:
        return _passed(planned, trace, hidden_failure, applying, newer)
    message = raw.message or f"ended as {ended}"
    error = trace.errors.get(message)
    missing = _missing(error, is_outdated)
    if missing is not None:
        return replace(planned, result=Result.SKIP, reason=missing, step=trace.failed)
    # A refusal that nobody expected says nothing about what was to be checked: the scenario broke.
    refused = isinstance(error, QueryFailed)
    failed = replace(
        planned,
        # Whatever else TestFlows knows (Skip, Null, XFail …) is not a way for our scenarios to end.
        result=Result.FAIL if ended == Result.FAIL and not refused else Result.ERROR,
        reason=_reason(error) if error else message,
        message=_text(error) if error else message,
        step=trace.failed,
    )
    if applying is not None and (ended == Result.FAIL or refused):
        result = _known_or_new(failed, applying, trace, newer)
        return replace(result, result=Result.ERROR) if refused and result.unexpected else result
    return failed


def _missing(error: BaseException | None, is_outdated: bool) -> str | None:
    """What the environment lacks if that ended a scenario; None if something else did."""
    if isinstance(error, Unavailable):
        return f"needs {_reason(error)}"
    refusal = error.last_error if isinstance(error, NeverTrue) else error
    if not is_outdated or not isinstance(refusal, QueryFailed):
        return None
    if refusal.code not in UNKNOWN and not UNKNOWN_SETTING.search(refusal.message):
        return None
    return f"needs a later server: code {refusal.code}: {refusal.message.splitlines()[0]}"[:300]


def _passed(
    planned: ScenarioResult,
    trace: Trace,
    hidden_failure: str | None,
    deviation: Deviation | None,
    newer: bool,
) -> ScenarioResult:
    """A scenario that TestFlows lets pass."""
    if hidden_failure is not None:
        return error(planned, hidden_failure)
    if trace.excused is not None:
        step, result = trace.excused
        reason = f"excused itself ({result}) in the step '{step}': only @needs and @deviates excuse"
        return replace(error(planned, reason), step=step)
    if trace.checks == 0:
        return error(planned, "checked nothing: a scenario has at least one Then")
    if deviation is not None:
        reason = f"passes, though it is recorded as a deviation{_since(newer)}: {deviation.reason}"
        result = Result.FIXED if newer else Result.XPASS
        return replace(planned, result=result, reason=reason, deviation=vars(deviation))
    return replace(planned, result=Result.OK)


def error(planned: ScenarioResult, message: str, reason: str | None = None) -> ScenarioResult:
    """An Error; its reason is the first line of the message unless given."""
    reason = reason or message.splitlines()[0]
    return replace(planned, result=Result.ERROR, reason=reason, message=message)


def _known_or_new(
    failed: ScenarioResult, deviation: Deviation, trace: Trace, newer: bool
) -> ScenarioResult:
    """XFail only where the scenario fails exactly as recorded, in the recorded step."""
    failed = replace(failed, deviation=vars(deviation))
    if deviation.step in trace.failed_in and trace.violations is not None:
        differs = difference(deviation.observed, trace.violations)
    else:
        differs = f"expected violations in the step '{deviation.step}', got: {failed.reason}"
    if not differs:
        return replace(failed, result=Result.XFAIL, reason=f"{deviation.reason}{_since(newer)}")
    reason = f"fails differently from the recorded deviation{_since(newer)}: {differs}"
    message = f"{reason}\n{failed.message}"
    return replace(failed, result=Result.FAIL, reason=reason, message=message)


def _since(newer: bool) -> str:
    """What is added about a deviation on a server that is newer than the recorded ones."""
    return f" (recorded up to {RECORDED_UP_TO})" if newer else ""


def _text(error: BaseException) -> str:
    """The error first, then the traceback without the runner's frames."""
    headline = traceback.format_exception_only(error)
    frames = traceback.format_exception(error)[: -len(headline)]
    shown = "".join(frame for frame in frames if not RUNNER_FRAME.match(frame))
    return f"{''.join(headline).strip()}\n\nTraceback:\n{shown.removeprefix(TRACEBACK).rstrip()}"


def _reason(error: BaseException) -> str:
    """The first line with a message."""
    text = str(error)
    lines = (line.strip() for line in text.splitlines())
    told = next((line for line in lines if line and line != "Oops! Assertion failed"), None)
    return assertion.summary(text) or (told or type(error).__name__)[:300]


def without_leftovers(result: ScenarioResult) -> ScenarioResult:
    """End the processes that the scenario has left running, which make it an Error."""
    left = leftovers.end_leftovers(
        lambda pid: not process.was_started_here(pid) and not leftovers.of_spark(pid)
    )
    if not left:
        return result
    reason = f"left running, and ended now: {'; '.join(left)}"
    if result.unexpected:
        return replace(result, message=f"{result.message}\n\n{reason}")
    return error(result, reason)
