"""What a scenario says about itself: what it needs, where the product deviates, how long it may take.

    @TestScenario
    @Requirements(RQ_…("1.0"))
    @needs(Capability.OBJECT_STORE)
    @deviates(when="clickhouse >= 26.6", step="every cell is refused",
              observed={"count.txt removed": "accepted"}, reason="…",
              kind="bug", severity="wrong answer", upstream="https://…")
    @equivalent(mutant="drop", statement="SYSTEM STOP MERGES", reason="one part is left to merge")
    def parts_survive(self): …

What all scenarios of a file need is a constant of the file: NEEDS = (Capability.OBJECT_STORE,).

The marks are kept beside the function and not on it: TestFlows takes whatever hangs on a function for
an argument of the test.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from typing import Any, TypeVar

from helpers.base.errors import UsageError
from helpers.cluster.capabilities import Capability
from helpers.scenario.deviation import Deviation, check_condition, judged
from helpers.scenario.violations import Observed

SECONDS = 120.0
Marked = TypeVar("Marked")


@dataclass(frozen=True)
class Equivalent:
    """A generated mutant that changes nothing the scenario is about, with the reason.

    `mutant` is a pattern for the operator's name, `statement` a part of the SQL or of the action.
    """

    mutant: str
    statement: str
    reason: str


@dataclass(frozen=True)
class Marks:
    """All marks of a scenario."""

    needs: tuple[Capability, ...] = ()
    deviations: tuple[Deviation, ...] = ()
    equivalents: tuple[Equivalent, ...] = ()
    seconds: float = SECONDS
    left_out: tuple[tuple[str, str], ...] = ()
    """Obligations that no scenario checks, and why."""
    tests_instead: str = ""
    """Why the exporter is tested and not the server; empty where the server is."""
    deviations_begin_with: str = ""
    """The beginning of the ids of the file's deviations, where it differs from the file's name."""


_marks: dict[str, Marks] = {}


def needs(*capabilities: object) -> Callable[[Marked], Marked]:
    """The scenario is Skip, with the probe's reason, where the environment lacks one of these."""
    wanted = _checked(capabilities)
    return _marking(lambda marks: replace(marks, needs=(*marks.needs, *wanted)))


def deviates(
    *,
    reason: str = "",
    step: str = "",
    observed: Observed | None = None,
    when: str | None = None,
    upstream: str | None = None,
    id: str | None = None,
    where: Capability | None = None,
    no_sql: str = "",
    kind: str | None = None,
    severity: str | None = None,
) -> Callable[[Marked], Marked]:
    """The scenario has to fail, in the step of this name, with exactly these violations; then it is XFail.

    `observed` names every violated cell and what is seen there (a compiled pattern where a number
    varies); the step fails by `assert_no_violations`. Where the scenario passes although the
    deviation applies it is XPass, and where it fails in another way it is Fail: both fail the run.
    On a server newer than RECORDED_UP_TO (helpers/base/versions.py) it is Fixed? instead of XPass.
    `when` names the versions and `where` the capability of an environment that it holds for.
    `id` is what the deviation is called (helpers/deviations/known.py), where it is not its scenario's name.
    `no_sql` says why no SQL script reproduces it.
    `kind` and `severity` say whose fault it is and how bad (helpers/scenario/deviation.py); `upstream` is
    the link to the report, or to the documentation of what is by design.
    """
    if not (reason and step and observed):
        raise UsageError(
            "@deviates needs a reason, the step that fails and the violations observed there."
        )
    check_condition(when)
    verdict = judged(kind, severity, upstream)
    deviation = Deviation(reason, step, dict(observed), when, upstream, id, where, no_sql, *verdict)
    return _marking(lambda marks: replace(marks, deviations=(*marks.deviations, deviation)))


def equivalent(*, mutant: str, statement: str, reason: str) -> Callable[[Marked], Marked]:
    """A generated mutant that this scenario need not notice, because it changes nothing."""
    if not (mutant and statement and reason):
        raise UsageError("@equivalent needs the mutant's operator, the statement and a reason.")
    entry = Equivalent(mutant, statement, reason)
    return _marking(lambda marks: replace(marks, equivalents=(*marks.equivalents, entry)))


def time_limit(seconds: float) -> Callable[[Marked], Marked]:
    """The scenario is ended, as an Error, after this long."""
    return _marking(lambda marks: replace(marks, seconds=seconds))


def leaves_out(*obligations: str, reason: str) -> Callable[[Marked], Marked]:
    """No scenario checks these obligations of its requirements, or checks only a part of them."""
    if not (obligations and all(obligations) and reason):
        raise UsageError("@leaves_out needs a part of each obligation's text and a reason.")
    left = tuple((obligation, reason) for obligation in obligations)
    return _marking(lambda marks: replace(marks, left_out=(*marks.left_out, *left)))


def tests_exporter(instead: str) -> Callable[[Marked], Marked]:
    """The exporter is tested, unless steps record that the server was (`this().subjects`).

    `instead` says why it is not the server: "this server has no EXPORT PART".
    """
    return _marking(lambda marks: replace(marks, tests_instead=instead))


def needs_spark(*capabilities: Capability, seconds: float) -> Callable[[Marked], Marked]:
    """The scenario needs a store, Spark and these capabilities, and the time that Spark takes to start on
    a busy machine."""

    def mark(scenario: Marked) -> Marked:
        needed = needs(Capability.OBJECT_STORE, Capability.SPARK, *capabilities)
        return time_limit(seconds)(needed(scenario))

    return mark


def marks_of(function: Callable[..., Any]) -> Marks:
    """The marks of a scenario and of its file: NEEDS, and DEVIATIONS, where ids begin with another name."""
    marks = _marks.get(_key(function), Marks())
    of_file = _checked(function.__globals__.get("NEEDS", ()))
    begin_with = function.__globals__.get("DEVIATIONS", "")
    return replace(marks, needs=(*of_file, *marks.needs), deviations_begin_with=begin_with)


def _checked(needed: Iterable[object]) -> tuple[Capability, ...]:
    capabilities = []
    for capability in needed:
        if not isinstance(capability, Capability):
            known = ", ".join(f"Capability.{known.name}" for known in Capability)
            raise UsageError(f"needs {capability!r}: not a capability; known are {known}.")
        capabilities.append(capability)
    return tuple(capabilities)


def _marking(change: Callable[[Marks], Marks]) -> Callable[[Marked], Marked]:
    def mark(scenario: Marked) -> Marked:
        function = getattr(scenario, "func", scenario)
        key = _key(function)
        _marks[key] = change(_marks.get(key, Marks()))
        return scenario

    return mark


def _key(function: Any) -> str:
    return f"{function.__module__}.{function.__qualname__}"
