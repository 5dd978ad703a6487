"""What a run says about each requirement: one pure function from links and results to states."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from enum import StrEnum
from typing import TYPE_CHECKING

from helpers.report.records import RequirementState, ScenarioResult

if TYPE_CHECKING:  # reading results needs neither, and a report starts the faster for it
    from requirements.compiler.model import RequirementText, Specification
    from requirements.links import Link


class State(StrEnum):
    """The state of a requirement in one run, worst first: of several that apply the first wins.

    A failure beats everything. A link that names another version or an unread text proves
    nothing about the requirement as it stands, so it beats any passing result. A known
    deviation is knowledge, so it beats what is merely missing. Only a requirement whose
    scenarios all ran and all passed is verified.
    """

    FAILING = "failing"
    OUTDATED = "outdated"
    SUSPECT = "suspect"
    DEVIATES = "deviates"
    NOT_RUN = "not run"
    BLOCKED = "blocked"
    VERIFIED = "verified"
    UNTESTED = "untested"
    PLANNED = "planned"


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

FAILED = frozenset({"Fail", "Error", "XPass"})


def requirement_states(
    specifications: Iterable[Specification],
    links: Iterable[Link],
    results: Iterable[ScenarioResult],
    accepted: Mapping[str, tuple[str, str]],
) -> list[RequirementState]:
    """The state of every requirement, in the order of the specifications.

    `accepted` maps a requirement's name to the version and text hash its scenarios were last
    accepted for; one that it does not mention is the checker's to report, and not suspected.
    """
    linked: dict[str, list[Link]] = {}
    for link in links:
        linked.setdefault(link.python_name, []).append(link)
    ran: dict[str, list[ScenarioResult]] = {}
    for result in results:
        for name, _ in result.requirements:
            ran.setdefault(name, []).append(result)

    states = []
    for specification in specifications:
        for text in specification.requirements:
            own_links, own_results = linked.get(text.python_name, []), ran.get(text.name, [])
            state, reason = _state(specification, text, own_links, own_results, accepted)
            states.append(
                RequirementState(
                    name=text.name,
                    version=text.version,
                    specification=specification.id,
                    file=text.file,
                    line=text.line,
                    state=state,
                    reason=reason,
                    scenarios=_scenarios(own_links, own_results),
                    title=specification.title,
                    section=tuple(part for part in text.heading_path if part != text.name),
                    text=text.text,
                    hash=text.content_hash,
                )
            )
    return states


def _state(
    specification: Specification,
    text: RequirementText,
    links: Sequence[Link],
    results: Sequence[ScenarioResult],
    accepted: Mapping[str, tuple[str, str]],
) -> tuple[State, str | None]:
    """The first state that applies, in the order of `State`, and why."""
    if not links and not results:
        if specification.planned:
            return State.PLANNED, specification.reason
        return State.UNTESTED, text.untested_reason or "no scenario names it"

    failed = [result for result in results if result.result in FAILED]
    if failed:
        return State.FAILING, _each(_told(result) for result in failed)

    named = [(link.version or "none", f"{link.file}:{link.line}") for link in links]
    named += [
        (version, result.name)
        for result in results
        for name, version in result.requirements
        if name == text.name
    ]
    other = [f"{place} names version {said}" for said, place in named if said != text.version]
    if other:
        return State.OUTDATED, f"{other[0]}, the requirement is at {text.version}"
    present = (text.version, text.content_hash)
    if accepted.get(text.name, present) != present:
        return State.SUSPECT, "the text changed since its scenarios were accepted"

    deviating = [result for result in results if result.result == "XFail"]
    if deviating:
        return State.DEVIATES, _each(_told(result) for result in deviating)
    missing = [link.scenario for link in links if not _ran(link, results)]
    missing += [result.name for result in results if result.result == "NotRun"]
    if missing:
        return State.NOT_RUN, _part(missing, results, "not run: " + _each(missing))
    skipped = [result for result in results if result.result != "OK"]
    if skipped:
        return State.BLOCKED, _part(skipped, results, _each(_told(result) for result in skipped))
    return State.VERIFIED, None


def _scenarios(links: Sequence[Link], results: Sequence[ScenarioResult]) -> tuple[str, ...]:
    """Everything that claims to verify it: what ran, then what did not."""
    names = [result.name for result in results]
    names += [link.scenario for link in links if not _ran(link, results)]
    return tuple(dict.fromkeys(names))


def _ran(link: Link, results: Sequence[ScenarioResult]) -> bool:
    """Whether a result is of the linked scenario, or of one of its examples."""
    return any(
        result.name == link.scenario or result.name.startswith(f"{link.scenario}/")
        for result in results
    )


def _told(result: ScenarioResult) -> str:
    """A scenario's own explanation, or its name and result where it gave none."""
    why = result.reason or (f"failed in: {result.step}" if result.step else None)
    if result.result in FAILED:
        return f"{result.name}: {why or result.result}"
    if result.result == "XFail":
        why = (result.deviation or {}).get("reason") or why
    return why or f"{result.name}: {result.result}"


def _each(reasons: Iterable[str]) -> str:
    """The distinct reasons on one line: the first two and how many more."""
    distinct = list(dict.fromkeys(" ".join(reason.split()) for reason in reasons))
    more = len(distinct) - 2
    return "; ".join(distinct[:2]) + (f"; and {more} more" if more > 0 else "")


def _part(lacking: Sequence[object], results: Sequence[ScenarioResult], why: str) -> str:
    """Says what passed nonetheless, so that a partial result is not mistaken for none."""
    passed = sum(result.result == "OK" for result in results)
    return f"{passed} of {passed + len(lacking)} scenarios passed; {why}" if passed else why
