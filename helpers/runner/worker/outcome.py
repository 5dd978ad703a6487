"""Converts TestFlows' result of a scenario to ours."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

from helpers.base.versions import RECORDED_UP_TO, is_newer_than_recorded
from helpers.cluster.client.failures import QueryFailed, Unavailable
from helpers.runner.worker import assertion
from helpers.runner.worker.trace import Trace
from helpers.scenario.marks import Deviation
from helpers.scenario.result import Result, ScenarioResult
from helpers.scenario.violations import difference

# What ended a scenario: the refusal itself, or the last one that it got while it waited.
REFUSAL = re.compile(r"(?:\A\S+ |^  actual:\s+)\S+ refused the query with code (\d+): (.*)", re.M)
# Syntax, functions, identifiers, types, engines, tables and settings that a server has never heard of.
UNKNOWN = {46, 47, 50, 56, 60, 62, 63, 115}
UNKNOWN_SETTING = re.compile(
    r"Unknown setting|type is not allowed|doesn't support PARTITION BY|can only be created with ENGINE"
    r"|requires \d+ to \d+ parameters"
)
# The runner's own frames say nothing about a failure.
RUNNER_FRAME = r'  File "(<frozen runpy>|[^"]*/helpers/runner/)'


def judge(
    planned: ScenarioResult,
    raw: str,
    message: str,
    trace: Trace,
    hidden_failure: str | None,
    deviations: Sequence[Deviation],
    version: str,
    *,
    is_outdated: bool = False,
) -> ScenarioResult:
    """The result of a scenario. A failure that TestFlows reports as a pass is found here."""
    applying = next((known for known in deviations if known.applies_to(version)), None)
    newer = applying is not None and is_newer_than_recorded(version)
    if raw == Result.OK:
        return _passed(planned, trace, hidden_failure, applying, newer)
    text = _readable(message)
    kind = message.partition("\n")[0]
    missing = _missing(kind, text, is_outdated)
    if missing is not None:
        return replace(planned, result=Result.SKIP, reason=missing, step=trace.failed)
    # A refusal that nobody expected says nothing about what was to be checked: the scenario broke.
    refused = kind == QueryFailed.__name__
    if applying is not None and (raw == Result.FAIL or refused):
        result = _known_or_new(planned, applying, trace, text, newer)
        return replace(result, result=Result.ERROR) if refused and result.unexpected else result
    # Whatever else TestFlows knows (Skip, Null, XFail …) is not a way for our scenarios to end.
    reason = _line(text) or f"ended as {raw}"
    return replace(
        planned,
        result=Result.FAIL if raw == Result.FAIL and not refused else Result.ERROR,
        reason=reason,
        message=text or reason,
        step=trace.failed,
    )


def _missing(kind: str, text: str, is_outdated: bool) -> str | None:
    """What the environment lacks if that ended a scenario; None if something else did."""
    if kind == Unavailable.__name__:
        return f"needs {_line(text)}"
    return _unknown_word(text) if is_outdated else None


def _unknown_word(text: str) -> str | None:
    """What an old server does not know of a statement that it refused; None if something else was wrong."""
    answer = REFUSAL.search(text)
    if answer is None or not (int(answer[1]) in UNKNOWN or UNKNOWN_SETTING.search(answer[2])):
        return None
    return f"needs a later server: code {answer[1]}: {answer[2]}"[:300]


def _passed(
    planned: ScenarioResult,
    trace: Trace,
    hidden_failure: str | None,
    deviation: Deviation | None,
    newer: bool,
) -> ScenarioResult:
    """A scenario that TestFlows lets pass."""
    if hidden_failure is not None:
        return error(planned, hidden_failure, _line(hidden_failure))
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
    planned: ScenarioResult, deviation: Deviation, trace: Trace, text: str, newer: bool
) -> ScenarioResult:
    """XFail only where the scenario fails exactly as recorded, in the recorded step."""
    differs = _difference(deviation, trace, text)
    failed = replace(planned, step=trace.failed, deviation=vars(deviation))
    if not differs:
        reason = f"{deviation.reason}{_since(newer)}"
        return replace(failed, result=Result.XFAIL, reason=reason, message=text)
    reason = f"fails otherwise than the recorded deviation{_since(newer)}: {differs}"
    return replace(failed, result=Result.FAIL, reason=reason, message=f"{reason}\n{text}")


def _since(newer: bool) -> str:
    """What is added about a deviation on a server that is newer than the recorded ones."""
    return f" (recorded up to {RECORDED_UP_TO})" if newer else ""


def _difference(deviation: Deviation, trace: Trace, text: str) -> str:
    """How a failure differs from the recorded deviation; '' if it does not."""
    if deviation.step in (trace.failed or "") and trace.violations is not None:
        return difference(deviation.observed, trace.violations)
    return f"expected violations in the step '{deviation.step}', got: {_line(text)}"


def _readable(message: str) -> str:
    """The error itself first; the traceback, which TestFlows puts before it, after it."""
    kind, _, rest = message.partition("\nTraceback (most recent call last):\n")
    match = re.search(rf"^(?:[\w.]+\.)?{re.escape(kind)}(?:: |$)", rest, re.MULTILINE)
    if not match:
        return message
    error, trace = rest[match.start() :], rest[: match.start()]
    frames = re.split(r"^(?=  File )", trace, flags=re.MULTILINE)
    shown = "".join(frame for frame in frames if not re.match(RUNNER_FRAME, frame))
    return f"{error.strip()}\n\nTraceback:\n{shown.rstrip()}"


def _line(text: str) -> str:
    """The first line with a message, without the name of the exception."""
    failed = assertion.summary(text)
    if failed is not None:
        return failed
    for line in text.splitlines():
        message = re.sub(
            r"^[\w.]*(Error|Failed|Died|TimedOut|Unavailable|Exception)(: |$)", "", line
        ).strip()
        if message and message != "Oops! Assertion failed":
            return message[:300]
    return text[:300]
