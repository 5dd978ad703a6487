"""The state of each requirement in a run: one pure function from scenarios and results to states."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from helpers.scenario.result import (
    UNEXPECTED,
    RequirementState,
    Result,
    ScenarioResult,
    State,
    Subject,
)
from requirements.obligations import matching, obligations_of

if TYPE_CHECKING:  # reading results needs neither, and a report starts the faster for it
    from helpers.scenario.scenario import Scenario
    from requirements.compiler.specification import RequirementText, Specification

Claim = tuple["Scenario", str]
"""A scenario that names a requirement, and the version that it names."""
ACROSS_RUNS = (
    State.FAILING,
    State.OUTDATED,
    State.SUSPECT,
    State.DEVIATES,
    State.VERIFIED,
    State.BLOCKED,
    State.NOT_RUN,
    State.UNTESTED,
    State.PLANNED,
)
"""Precedence between runs: what one environment lacks, another may have verified."""

HOLES = (State.FAILING, State.OUTDATED, State.SUSPECT, State.DEVIATES, State.UNTESTED)
"""What a reader has to see first."""

MEANINGS: Mapping[State, str] = {
    State.FAILING: "a scenario failed, broke, passed unexpectedly or let a mutant live",
    State.OUTDATED: "a scenario names another version of it",
    State.SUSPECT: "its text changed since its scenarios were accepted",
    State.DEVIATES: "the engine is known to differ, and does",
    State.NOT_RUN: "a scenario was filtered out or the run was interrupted",
    State.BLOCKED: "a scenario needs what the environment lacks",
    State.VERIFIED: "every scenario ran and passed",
    State.UNTESTED: "no scenario verifies it",
    State.PLANNED: "its whole specification waits for scenarios",
}


def requirement_states(
    specifications: Iterable[Specification],
    scenarios: Iterable[Scenario],
    results: Iterable[ScenarioResult],
    accepted: Mapping[str, tuple[str, str]],
) -> list[RequirementState]:
    """The state of every requirement for every subject, in the order of the specifications.

    A requirement that only the exporter was tested for is blocked for ClickHouse.

    `accepted` maps a requirement's name to the version and text hash its scenarios were last
    accepted for; one that it does not mention is the checker's to report, and not suspected.
    """
    linked: dict[str, list[Claim]] = {}
    for scenario in scenarios:
        for name, version in scenario.links:
            linked.setdefault(name, []).append((scenario, version))
    ran: dict[str, list[ScenarioResult]] = {}
    for result in results:
        for name, _ in result.requirements:
            ran.setdefault(name, []).append(result)

    states = []
    for specification in specifications:
        for text in specification.requirements:
            links, ended = linked.get(text.name, []), ran.get(text.name, [])
            for subject in _subjects(ended):
                facts = _Facts(specification, text, *_of(subject, links, ended), accepted)
                states.append(facts.state(subject))
    return states


def _subjects(results: Sequence[ScenarioResult]) -> Iterator[Subject]:
    """What was tested, ClickHouse first, which every requirement is about."""
    yield Subject.CLICKHOUSE
    if any(_tested_exporter(result) for result in results):
        yield Subject.EXPORTER


def _tested_exporter(result: ScenarioResult) -> bool:
    return result.subject is Subject.EXPORTER and result.result is not Result.NOT_RUN


def _of(
    subject: Subject, links: Sequence[Claim], results: Sequence[ScenarioResult]
) -> tuple[list[Claim], list[ScenarioResult]]:
    """The links and results that tell about a subject. For ClickHouse, what tested the exporter is Skip."""
    if subject is Subject.EXPORTER:
        own = [claim for claim in links if claim[0].marks.tests_instead]
        return own, [result for result in results if result.subject is subject]
    return list(links), [
        replace(result, result=Result.SKIP, reason=result.instead)
        if _tested_exporter(result)
        else result
        for result in results
    ]


@dataclass(frozen=True)
class _Facts:
    """Everything that the state of one requirement depends on."""

    specification: Specification
    text: RequirementText
    links: Sequence[Claim]
    results: Sequence[ScenarioResult]
    accepted: Mapping[str, tuple[str, str]]

    def state(self, subject: Subject) -> RequirementState:
        """The state that follows from these facts."""
        text = self.text
        state, reason = _state(self)
        shown = [result for result in self.results if result.subject is subject]
        others = {result.name for result in self.results} - {result.name for result in shown}
        links = [claim for claim in self.links if claim[0].name not in others]
        return RequirementState(
            name=text.name,
            version=text.version,
            specification=self.specification.id,
            file=text.file,
            line=text.line,
            state=state,
            reason=reason,
            scenarios=_scenarios(links, shown),
            title=self.specification.title,
            section=tuple(part for part in text.heading_path if part != text.name),
            text=text.text,
            hash=text.content_hash,
            subject=subject,
        )

    def ended(self, *results: Result) -> list[ScenarioResult]:
        return [result for result in self.results if result.result in results]


Decision = tuple[State, str | None] | None


def _untested(facts: _Facts) -> Decision:
    if facts.links or facts.results:
        return None
    if facts.specification.planned:
        return State.PLANNED, facts.specification.reason
    return State.UNTESTED, facts.text.untested_reason or "no scenario names it"


def _failing(facts: _Facts) -> Decision:
    failed = facts.ended(*UNEXPECTED)
    return (State.FAILING, _each(map(_reason, failed))) if failed else None


def _outdated(facts: _Facts) -> Decision:
    named = [(version, f"{scenario.file}:{scenario.line}") for scenario, version in facts.links]
    named += [
        (version, result.name)
        for result in facts.results
        for name, version in result.requirements
        if name == facts.text.name
    ]
    current = facts.text.version
    other = [f"{place} names version {version}" for version, place in named if version != current]
    return (State.OUTDATED, f"{other[0]}, the requirement is at {current}") if other else None


def _suspect(facts: _Facts) -> Decision:
    current = (facts.text.version, facts.text.content_hash)
    if facts.accepted.get(facts.text.name, current) != current:
        return State.SUSPECT, "the text changed since its scenarios were accepted"
    return None


def _deviating(facts: _Facts) -> Decision:
    deviating = facts.ended(Result.XFAIL)
    return (State.DEVIATES, _each(map(_reason, deviating))) if deviating else None


def _not_run(facts: _Facts) -> Decision:
    missing = [claimed.name for claimed, _ in facts.links if not _ran(claimed, facts.results)]
    missing += [result.name for result in facts.ended(Result.NOT_RUN)]
    reason = "not run: " + _each(missing)
    return (State.NOT_RUN, _partly(facts, len(missing), reason)) if missing else None


def _blocked(facts: _Facts) -> Decision:
    skipped = facts.ended(Result.SKIP)
    reason = _each(map(_reason, skipped))
    return (State.BLOCKED, _partly(facts, len(skipped), reason)) if skipped else None


def _fixed(facts: _Facts) -> Decision:
    fixed = facts.ended(Result.FIXED)
    return (State.VERIFIED, "fixed? " + _each(map(_reason, fixed))) if fixed else None


def _checked_in_part(facts: _Facts) -> Decision:
    asked = obligations_of(facts.text.text)
    marks = [mark for result in facts.results for mark in result.obligations if "reason" in mark]
    left_out = {each for mark in marks for each in matching(mark["obligation"], asked)}
    if not left_out:
        return None
    reason = f"{len(left_out)} of {len(asked)} obligations are not checked, or only in part"
    return State.VERIFIED, reason


RULES = (
    *(_untested, _failing, _outdated, _suspect, _deviating, _not_run, _blocked, _fixed),
    _checked_in_part,
)
"""The first that applies decides, in the order of `State`."""


def _state(facts: _Facts) -> tuple[State, str | None]:
    decisions = (rule(facts) for rule in RULES)
    return next((decision for decision in decisions if decision), (State.VERIFIED, None))


def _scenarios(links: Sequence[Claim], results: Sequence[ScenarioResult]) -> tuple[str, ...]:
    """Everything that claims to verify it: what ran, then what did not."""
    names = [result.name for result in results]
    names += [scenario.name for scenario, _ in links if not _ran(scenario, results)]
    return tuple(dict.fromkeys(names))


def _ran(scenario: Scenario, results: Sequence[ScenarioResult]) -> bool:
    """Whether a result is of the scenario, or of one of its examples."""
    return any(
        result.name == scenario.name or result.name.startswith(f"{scenario.name}/")
        for result in results
    )


def _reason(result: ScenarioResult) -> str:
    """A scenario's own explanation, or its name and result where it gave none."""
    why = result.reason or (f"failed in: {result.step}" if result.step else None)
    if result.unexpected:
        return f"{result.name}: {why or result.result}"
    if result.result == Result.XFAIL:
        why = (result.deviation or {}).get("reason") or why
    return why or f"{result.name}: {result.result}"


def _each(reasons: Iterable[str]) -> str:
    """The distinct reasons on one line: the first two and how many more."""
    distinct = list(dict.fromkeys(" ".join(reason.split()) for reason in reasons))
    more = len(distinct) - 2
    return "; ".join(distinct[:2]) + (f"; and {more} more" if more > 0 else "")


def _partly(facts: _Facts, lacking: int, reason: str) -> str:
    """The reason, with the number of scenarios that passed, if any did."""
    passed = len(facts.ended(Result.OK, Result.FIXED))
    return f"{passed} of {passed + lacking} scenarios passed; {reason}" if passed else reason
