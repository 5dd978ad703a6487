"""What the mutants of a run showed: the end of each mutant, and which requirements that proves."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from helpers.scenario.result import RequirementState, State

KILLED, SURVIVED, BROKEN, TIMED_OUT, NOT_APPLICABLE, TOLERATED, UNSETTLED = (
    "killed",
    "survived",
    "broken",
    "timed out",
    "not applicable",
    "tolerated",
    "unsettled",
)
IMMUNE, NO_MUTANT = "immune", "no mutant"
GENERATED = "generated"
"""The key of generated mutants in the section `sensitivity` of results.json."""

ENDS: Mapping[str, str] = {
    BROKEN: "it failed itself, so it proves nothing",
    SURVIVED: "it changed something and no scenario noticed",
    KILLED: "a scenario noticed it",
    TOLERATED: "it survived, and it is written down why that cannot be otherwise",
    UNSETTLED: "it survived where it was tried, and not everything was tried (--fast)",
    TIMED_OUT: "scenarios waited in vain until their time was up; that is no kill",
    NOT_APPLICABLE: "it changed nothing there",
}
"""What may become of a mutant. Where it has several ends, the first of these counts: a requirement
for which it survived is not made good by another one whose scenarios noticed it."""

VERDICTS: Mapping[str, str] = {
    BROKEN: "a mutant failed itself",
    SURVIVED: "a mutant changed something and no scenario noticed",
    NO_MUTANT: "nothing was there to violate it",
    KILLED: "its scenarios notice when it is violated",
    IMMUNE: "no mutant can violate it, and it is written down why",
    NOT_APPLICABLE: "its scenarios cannot run here, or no mutant changed anything in them",
}
"""What mutants may say of a requirement, worst first."""

Ends = Mapping[str, str]
"""The end of each mutant, by its name."""


@dataclass(frozen=True)
class Verdict:
    """What became of the mutants of one requirement; the fields are the keys in results.json."""

    name: str
    verdict: str
    reason: str
    mutants: Ends

    @property
    def bad(self) -> bool:
        """Whether it fails the check. Not applicable may be a lack of the environment, or of mutants
        that change anything."""
        lacking = self.verdict == NOT_APPLICABLE and bool(self.mutants)
        return lacking or self.verdict in (SURVIVED, NO_MUTANT, BROKEN)

    @property
    def killed(self) -> int:
        return list(self.mutants.values()).count(KILLED)

    @property
    def effective(self) -> int:
        """The mutants that changed something, so that they could be noticed."""
        return sum(end != NOT_APPLICABLE for end in self.mutants.values())

    def apply(self, status: RequirementState) -> RequirementState:
        """The state of its requirement: one whose scenarios do not notice a mutant is not verified."""
        if status.state != State.VERIFIED:
            return status
        if self.bad:
            return replace(status, state=State.FAILING, reason=f"not proven: {self.reason}")
        return replace(status, reason=self.reason)


@dataclass(frozen=True)
class MutantEntry:
    """A mutant in results.json: what it does, and for which requirements it may survive, and why."""

    name: str
    about: str
    violates: tuple[str, ...] = ()
    tolerated: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True)
class Sensitivity:
    """The mutants of one run. Only a thorough run can tell blind scenarios and idle mutants."""

    thorough: bool
    mutants: tuple[MutantEntry, ...]
    requirements: tuple[Verdict, ...]
    scenarios: Mapping[str, Ends]
    blind: Mapping[str, str]
    idle: tuple[str, ...]

    @property
    def verdicts(self) -> dict[str, Verdict]:
        return {verdict.name: verdict for verdict in self.requirements}

    @property
    def bad(self) -> bool:
        return bool(self.blind or self.idle or any(verdict.bad for verdict in self.requirements))

    def as_json(self) -> dict[str, Any]:
        """The section in results.json."""
        return {
            "thorough": self.thorough,
            "mutants": [vars(mutant) for mutant in self.mutants],
            "requirements": [vars(verdict) for verdict in self.requirements],
            "scenarios": [{"name": name, "mutants": ends} for name, ends in self.scenarios.items()],
            "blind": [{"name": name, "reason": reason} for name, reason in self.blind.items()],
            "idle": self.idle,
        }


def ends(verdicts: Iterable[Verdict]) -> dict[str, str]:
    """What became of each mutant over these requirements."""
    order = list(ENDS)
    worst_ends: dict[str, str] = {}
    for verdict in verdicts:
        for mutant, end in verdict.mutants.items():
            worst_ends[mutant] = min(worst_ends.get(mutant, end), end, key=order.index)
    return worst_ends


def tally(values: Iterable[str], order: Iterable[str]) -> dict[str, int]:
    """How many of each, in this order, none left out that occurs."""
    counts = Counter(values)
    return {str(value): counts[value] for value in order if counts[value]}


def worst(verdicts: Iterable[Verdict | None]) -> Verdict | None:
    """One verdict over several runs: what fails the check anywhere first."""
    order = list(VERDICTS)
    return min(
        (verdict for verdict in verdicts if verdict),
        key=lambda verdict: (not verdict.bad, order.index(verdict.verdict)),
        default=None,
    )
