"""The score of assertions: at which of those that scenarios reach did a mutant end?

An assertion at which none ends proves nothing, unless a reason stands beside it: `# no mutant: …`.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from helpers.scenario.result import RequirementState, Result, ScenarioResult
from helpers.scenario.scenario import Key
from helpers.sensitivity.mutant_ends import KILLED
from helpers.sensitivity.verdicts import end_of

BAR = 0.9


@dataclass(frozen=True)
class Unproven:
    """An assertion that `scenarios` reach and at which no mutant ended; `reason` says why none can."""

    place: str
    text: str
    reason: str
    scenarios: tuple[str, ...]


@dataclass(frozen=True)
class AssertionScore:
    """The places of assertions at which a mutant ended, and the other ones."""

    ended: tuple[str, ...] = ()
    unproven: tuple[Unproven, ...] = ()

    def __str__(self) -> str:
        reached = len(self.ended) + len(self.unexcused)
        share = f" ({self.share:.1%})" if reached else ""
        return f"{len(self.ended)} of {reached} assertions{share}"

    @property
    def unexcused(self) -> tuple[Unproven, ...]:
        """Those without a reason."""
        return tuple(each for each in self.unproven if not each.reason)

    @property
    def share(self) -> float:
        """Of the assertions without a reason; nothing reached is nothing proven."""
        reached = len(self.ended) + len(self.unexcused)
        return len(self.ended) / reached if reached else 0.0

    @property
    def bad(self) -> bool:
        return self.share < BAR

    def why_not(self, state: RequirementState) -> str | None:
        """Why a requirement is not proven: an assertion in the file of one of its scenarios."""
        names = set(state.scenarios)
        for each in self.unexcused:
            if not each.place.startswith("steps/") and names & set(each.scenarios):
                return f"no mutant ends at {each.place}: {each.text}"
        return None

    def as_json(self) -> dict[str, Any]:
        """The part in results.json."""
        return {"ended": self.ended, "unproven": [vars(each) for each in self.unproven]}


def score_assertions(results: Mapping[Key, ScenarioResult]) -> AssertionScore:
    """The score of all assertions that scenarios without a mutant reached."""
    texts: dict[str, Mapping[str, Any]] = {}
    scenarios: dict[str, list[str]] = {}
    ended: set[str] = set()
    for (name, mutant), result in results.items():
        if mutant is not None:
            ended |= ends_of(result, results.get((name, None)))
        elif result.as_expected:
            for each in result.reached:
                texts[each["place"]] = each
                scenarios.setdefault(each["place"], []).append(name)
    return AssertionScore(
        ended=tuple(sorted(ended & texts.keys())),
        unproven=tuple(
            Unproven(place, each["text"], each["reason"], tuple(sorted(scenarios[place])))
            for place, each in sorted(texts.items())
            if place not in ended
        ),
    )


def ends_of(result: ScenarioResult, unchanged: ScenarioResult | None) -> set[str]:
    """The assertions at which a mutant ended. Where a deviating scenario passes under it, that is the one
    that fails without it."""
    if end_of(result) != KILLED:
        return set()
    if result.result == Result.XPASS and unchanged is not None:
        return set(unchanged.ended)
    return set(result.ended)


def merged(scores: Sequence[AssertionScore]) -> AssertionScore:
    """Of several shards: an assertion is proven by any of them."""
    ended = {place for score in scores for place in score.ended}
    unproven: dict[str, Unproven] = {}
    for each in _unproven(scores):
        if each.place not in ended:
            known = unproven.get(each.place)
            names = {*each.scenarios, *(known.scenarios if known else ())}
            unproven[each.place] = Unproven(
                each.place, each.text, each.reason, tuple(sorted(names))
            )
    return AssertionScore(tuple(sorted(ended)), tuple(unproven[key] for key in sorted(unproven)))


def _unproven(scores: Iterable[AssertionScore]) -> Iterable[Unproven]:
    return (each for score in scores for each in score.unproven)
