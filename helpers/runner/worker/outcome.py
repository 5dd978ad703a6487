"""Converts TestFlows' result of a scenario to ours."""

from __future__ import annotations

import re
import sysconfig
import traceback
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from helpers.base.errors import EnvironmentFailed
from helpers.base.escaping import shortened
from helpers.base.paths import ROOT, from_here
from helpers.base.versions import RECORDED_UP_TO, is_newer_than_recorded
from helpers.cluster.client.failures import QueryFailed, Unavailable
from helpers.cluster.processes import process
from helpers.runner import leftovers
from helpers.runner.worker import assertion
from helpers.runner.worker.trace import Trace
from helpers.scenario.deviation import Deviation
from helpers.scenario.result import Broke, Result, ScenarioResult
from helpers.scenario.violations import Violations, difference
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
# What is neither a scenario nor a step.
NOT_OURS = (*sysconfig.get_paths().values(), str(ROOT / "helpers"), str(ROOT / "pipelines"), "<")
LONGEST_REASON = 400
MOST_LINES = 20


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
    explained = _explained(error, trace)
    told = _told(error, explained.lines) if error else (message,)
    failed = replace(
        planned,
        # Whatever else TestFlows knows (Skip, Null, XFail …) is not a way for our scenarios to end.
        result=Result.FAIL if ended == Result.FAIL and not refused else Result.ERROR,
        reason=shortened(told[0], LONGEST_REASON),
        message="\n".join(told),
        details=_traceback(error) if error else None,
        expected=shortened(explained.expected, LONGEST_REASON) if explained.expected else None,
        step=trace.failed,
        broke=broke_by(error),
    )
    if applying is not None and (ended == Result.FAIL or refused):
        result = _known_or_new(failed, applying, trace, newer)
        return replace(result, result=Result.ERROR) if refused and result.unexpected else result
    return failed


def _missing(error: BaseException | None, is_outdated: bool) -> str | None:
    """What the environment lacks if that ended a scenario; None if something else did."""
    if isinstance(error, Unavailable):
        return f"needs {error}"
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


def broke_by(error: BaseException | None) -> Broke | None:
    """Whether the environment ended a scenario. A server that crashes is not the environment."""
    return Broke.ENVIRONMENT if isinstance(error, EnvironmentFailed) else None


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
    reason = shortened(reason, LONGEST_REASON)
    return replace(failed, result=Result.FAIL, reason=reason, message=message)


def _since(newer: bool) -> str:
    """What is added about a deviation on a server that is newer than the recorded ones."""
    return f" (recorded up to {RECORDED_UP_TO})" if newer else ""


def _told(error: BaseException, explained: tuple[str, ...]) -> tuple[str, ...]:
    """What happened, in a few lines: the first is the reason, the last says where in our code."""
    lines = explained or tuple(str(error).strip().splitlines()[:MOST_LINES])
    if isinstance(error, Violations):
        lines = (error.headline, *lines[1:])
    elif not isinstance(error, AssertionError):
        lines = (f"{type(error).__name__}: {lines[0] if lines else ''}", *lines[1:])
    elif not lines and (frames := _our_frames(error)):  # an assert without error()
        lines = (f"not satisfied: {frames[-1].line}",)
    return (*(lines or (type(error).__name__,)), *_place(error))


def _explained(error: BaseException | None, trace: Trace) -> assertion.Explanation:
    """The failed assertion that an error is, or the one that waiting ended with."""
    if not isinstance(error, NeverTrue):
        return assertion.explain(str(error), trace.unequal)
    if error.last_error is None or isinstance(error.last_error, QueryFailed):
        return assertion.Explanation()
    last = _explained(error.last_error, trace)
    waited = str(error).splitlines()[0]
    return (
        last._replace(lines=(f"{waited}: {last.lines[0]}", *last.lines[1:])) if last.lines else last
    )


def _our_frames(error: BaseException) -> list[traceback.FrameSummary]:
    """The lines of scenarios and steps that the error went through."""
    frames = traceback.extract_tb(error.__traceback__)
    return [frame for frame in frames if not frame.filename.startswith(NOT_OURS)]


def _place(error: BaseException) -> tuple[str, ...]:
    """The innermost line of a scenario or a step that the error went through."""
    return tuple(
        f"at: {from_here(Path(frame.filename))}:{frame.lineno}, in {frame.name}"
        for frame in _our_frames(error)[-1:]
    )


def _traceback(error: BaseException) -> str:
    """The error first, then the traceback without the runner's frames."""
    headline = traceback.format_exception_only(error)
    frames = traceback.format_exception(error)[: -len(headline)]
    shown = "".join(frame for frame in frames if not RUNNER_FRAME.match(frame))
    return f"{''.join(headline).strip()}\n\nTraceback:\n{shown.removeprefix(TRACEBACK).rstrip()}"


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
