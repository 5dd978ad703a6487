"""From what TestFlows says of a scenario to what we say of it."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from helpers.marks import Deviation
from helpers.runner.trace import Trace

OK, FAIL, ERROR, XFAIL, XPASS, SKIP, NOT_RUN = (
    "OK",
    "Fail",
    "Error",
    "XFail",
    "XPass",
    "Skip",
    "NotRun",
)
UNEXPECTED = (FAIL, ERROR, XPASS)
# How the runner got to the scenario is no news to whoever reads a failure.
RUNNER_FRAME = r'  File "(<frozen runpy>|[^"]*/helpers/runner/)'


@dataclass(frozen=True)
class Outcome:
    """One scenario's result with its reason in a line, the whole message and the step it failed in."""

    result: str
    reason: str | None = None
    message: str | None = None
    step: str | None = None
    deviation: Deviation | None = None


def judge(
    raw: str,
    message: str | None,
    trace: Trace,
    loose_end: str | None,
    deviations: Sequence[Deviation],
    version: str,
) -> Outcome:
    """What a scenario's end means, with the ways closed in which red could look green."""
    applying = next((one for one in deviations if one.applies_to(version)), None)
    if raw == OK and loose_end is not None:
        return Outcome(ERROR, _line(loose_end), loose_end, None)
    if raw == OK and trace.excused is not None:
        step, result = trace.excused
        reason = f"excused itself ({result}) in the step '{step}': only @needs and @deviates excuse"
        return Outcome(ERROR, reason, reason, step)
    if raw == OK and trace.checks == 0:
        reason = "checked nothing: a scenario has at least one Then"
        return Outcome(ERROR, reason, reason, None)
    if raw == OK and applying is not None:
        reason = f"passes, though it is recorded as a deviation: {applying.reason}"
        return Outcome(XPASS, reason, None, None, applying)
    if raw == OK:
        return Outcome(OK)
    text = _readable(message or "")
    if raw == FAIL and applying is not None:
        return _known_or_new(applying, trace, text)
    # Whatever else TestFlows knows (Skip, Null, XFail …) is not a way for our scenarios to end.
    result = FAIL if raw == FAIL else ERROR
    reason = _line(text) or f"ended as {raw}"
    return Outcome(result, reason, text or reason, trace.failed)


def _known_or_new(deviation: Deviation, trace: Trace, text: str) -> Outcome:
    if deviation.step in (trace.failed or "") and deviation.effect in text:
        return Outcome(XFAIL, deviation.reason, text, trace.failed, deviation)
    reason = (
        f"fails otherwise than the recorded deviation: expected {deviation.effect!r} in the step "
        f"'{deviation.step}', got: {_line(text)}"
    )
    return Outcome(FAIL, reason, f"{reason}\n{text}", trace.failed, deviation)


def _readable(message: str) -> str:
    """The error itself first; the traceback, which TestFlows puts before it, after it."""
    kind, _, rest = message.partition("\nTraceback (most recent call last):\n")
    found = re.search(rf"^(?:[\w.]+\.)?{re.escape(kind)}(?:: |$)", rest, re.MULTILINE)
    if not found:
        return message
    error, trace = rest[found.start() :], rest[: found.start()]
    frames = re.split(r"^(?=  File )", trace, flags=re.MULTILINE)
    told = "".join(frame for frame in frames if not re.match(RUNNER_FRAME, frame))
    return f"{error.strip()}\n\nTraceback:\n{told.rstrip()}"


def _line(text: str) -> str:
    """The first line that says something, without the name of the exception."""
    assertion = re.search(r"was not satisfied\n +(assert .*?)(?:, error\(.*)?\n", text)
    if assertion:
        value = re.search(r"\^ is (.+)", text)
        return f"not satisfied: {assertion[1]}" + (f" (is {value[1][:200]})" if value else "")
    for line in text.splitlines():
        told = re.sub(r"^[\w.]*(Error|Failed|Died|TimedOut|Exception)(: |$)", "", line).strip()
        if told and told != "Oops! Assertion failed":
            return told[:300]
    return text[:300]
