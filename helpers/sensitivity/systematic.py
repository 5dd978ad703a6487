"""The result of a systematic run: the score of every requirement and scenario, and what survived.

Which generated mutants are tried, and in which order, is in sampling.py.
"""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from helpers.scenario.result import RequirementState, Result, ScenarioResult, State
from helpers.scenario.scenario import Key, Scenario
from helpers.sensitivity.assertion_score import AssertionScore, score_assertions
from helpers.sensitivity.mutant_ends import (
    KILLED,
    NO_MUTANT,
    NOT_APPLICABLE,
    SURVIVED,
    TIMED_OUT,
    Verdict,
)
from helpers.sensitivity.verdicts import end_of

# The bar of all mutants; that of one requirement (where there are enough to say so) is lower.
TOTAL_BAR, LOWER, ENOUGH = 0.95, 0.15, 5
SHOWN = 10  # names on the console where there may be hundreds


@dataclass(frozen=True)
class Score:
    """How many mutants were noticed, of those that changed something."""

    killed: int = 0
    effective: int = 0

    def __str__(self) -> str:
        return f"{self.killed} of {self.effective} ({self.share:.1%})"

    @property
    def share(self) -> float:
        return self.killed / self.effective if self.effective else 1.0

    def misses(self, bar: float, sample: bool) -> bool:
        """Whether it is below a bar; a sample has to be so by two standard deviations."""
        if not self.effective:
            return not sample  # nothing tried is nothing proven
        if not sample:
            return self.share < bar
        return self.share + 2 * math.sqrt(bar * (1 - bar) / self.effective) < bar

    def __add__(self, other: Score) -> Score:
        return Score(self.killed + other.killed, self.effective + other.effective)


@dataclass(frozen=True)
class Unnoticed:
    """A mutant that the scenario it was made from did not notice; `text` says what it changes."""

    scenario: str
    mutant: str
    text: str


@dataclass(frozen=True)
class Survivor(Unnoticed):
    """It should have noticed; `rerun` is the command that shows it again."""

    requirements: tuple[str, ...]
    rerun: str


@dataclass(frozen=True)
class EquivalentMutant(Unnoticed):
    """It need not notice, and why."""

    reason: str


@dataclass(frozen=True)
class Systematic:
    """The result of a systematic run."""

    total: Score
    requirements: Mapping[str, Score]
    scenarios: Mapping[str, Score]
    survivors: tuple[Survivor, ...]
    equivalents: tuple[EquivalentMutant, ...]
    not_tried: int
    bar: float = TOTAL_BAR
    broken: tuple[Unnoticed, ...] = ()
    assertions: AssertionScore = field(default_factory=AssertionScore)

    @property
    def is_sample(self) -> bool:
        return self.not_tried > len(self.broken)

    @property
    def weak(self) -> dict[str, Score]:
        """Requirements below their bar."""
        lower = max(self.bar - LOWER, 0.0)
        return {
            name: score
            for name, score in self.requirements.items()
            if (score.effective >= ENOUGH or not self.is_sample)
            and score.misses(lower, self.is_sample)
        }

    @property
    def too_few(self) -> dict[str, Score]:
        """Requirements of which a sample tried too few mutants for a meaningful share."""
        return {
            name: score
            for name, score in self.requirements.items()
            if self.is_sample and score.effective < ENOUGH
        }

    @property
    def bad(self) -> bool:
        blind = self.assertions.bad and not self.is_sample
        return bool(self.weak) or blind or self.total.misses(self.bar, self.is_sample)

    def complete(self, verdict: Verdict) -> Verdict:
        """The verdict of a requirement without a written mutant: what generated ones show."""
        score = self.requirements.get(verdict.name, Score())
        if verdict.verdict != NO_MUTANT:
            return verdict
        if score.killed:
            reason = f"of its generated mutants {score} were noticed"
            return replace(verdict, verdict=KILLED, reason=reason)
        if self.not_tried:
            reason = "it has generated mutants only, and this sample shows nothing of them"
            return replace(verdict, verdict=NOT_APPLICABLE, reason=reason)
        return verdict

    def apply(self, status: RequirementState) -> RequirementState:
        """The state of a requirement: one whose mutants go unnoticed is not verified."""
        if status.state != State.VERIFIED:
            return status
        score = self.weak.get(status.name)
        blind = None if self.is_sample else self.assertions.why_not(status)
        why = f"{score} generated mutants were noticed" if score else blind
        if why is None:
            return status
        return replace(status, state=State.FAILING, reason=f"not proven: {why}")

    def as_json(self) -> dict[str, Any]:
        """The section in results.json."""

        def scores(named: Mapping[str, Score]) -> dict[str, list[int]]:
            return {name: [score.killed, score.effective] for name, score in named.items()}

        return {
            "killed": self.total.killed,
            "effective": self.total.effective,
            "not_tried": self.not_tried,
            "bar": self.bar,
            "assertions": self.assertions.as_json(),
            "requirements": scores(self.requirements),
            "scenarios": scores(self.scenarios),
            "survivors": [vars(survivor) for survivor in self.survivors],
            "equivalents": [vars(equivalent) for equivalent in self.equivalents],
        }

    def counts(self) -> str:
        """The figures in a line."""
        return (
            f"a mutant ended at {self.assertions}; "
            f"{self.total} mutants noticed, {len(self.survivors)} survived, "
            f"{len(self.equivalents)} are equivalent, {self.not_tried} were not tried"
        )

    def unjudged(self) -> str:
        """Which requirements are not judged for lack of mutants, in a line; empty if all are."""
        few = [f"{name} ({score.effective})" for name, score in self.too_few.items()]
        if not few:
            return ""
        shown = ", ".join(few[:SHOWN]) + (f" and {len(few) - SHOWN} more" if few[SHOWN:] else "")
        return (
            f"{len(few)} of {len(self.requirements)} requirements, for fewer than {ENOUGH} of their "
            f"mutants were tried: {shown}"
        )

    def summary(self) -> str:
        """The lines for the console."""
        lines = [f"Generated mutants: {self.counts()}"]
        lines += [f"  {'weak':<10} {name}: {score}" for name, score in self.weak.items()]
        lines += [f"  {'not judged':<10} {self.unjudged()}"] if self.too_few else []
        lines += [
            f"  {'unproven':<10} {each.place}: {each.text}"
            + (f" ({each.reason})" if each.reason else "")
            for each in (() if self.is_sample else self.assertions.unproven)
        ]
        lines += [f"  {'broken':<10} {each.mutant}: {each.text}" for each in self.broken]
        for survivor in self.survivors:
            operator, _, place = survivor.mutant.partition("@")
            lines += [
                f"  {'survived':<10} {operator}: {survivor.text}",
                f"  {'':<10} {place.rpartition('#')[0]}",
                f"  {'':<10} {survivor.rerun}",
            ]
        return "\n".join(lines)


def evaluate(
    scenarios: Sequence[Scenario],
    results: Mapping[Key, ScenarioResult],
    not_tried: int,
    bar: float = TOTAL_BAR,
) -> Systematic:
    """The scores of all scenarios and requirements."""
    by_scenario: dict[str, Score] = {}
    by_requirement: dict[str, Score] = defaultdict(Score)
    survivors, equivalents, broken = [], [], []
    for scenario in scenarios:
        unchanged = results.get((scenario.name, None))
        score = Score()
        for mutant in unchanged.generated if unchanged else ():
            name, text = mutant["name"], mutant["text"]
            if mutant["equivalent"]:
                equivalents.append(
                    EquivalentMutant(scenario.name, name, text, mutant["equivalent"])
                )
            result = results.get((scenario.name, name))
            end = end_of(result) if result else None
            if end == SURVIVED and result is not None:
                names = tuple(scenario.requirements)
                survivors.append(Survivor(scenario.name, name, text, names, result.rerun or ""))
            if result is not None and end == NOT_APPLICABLE and result.result == Result.ERROR:
                # Its statement was never executed: that it was not noticed proves nothing.
                broken.append(Unnoticed(scenario.name, name, result.reason or ""))
            # One that got stuck until its time was up is an Error in any run: it was noticed.
            score += Score(end in (KILLED, TIMED_OUT), end in (KILLED, TIMED_OUT, SURVIVED))
        by_scenario[scenario.name] = score
        if unchanged is None or not unchanged.as_expected:
            continue  # it was not mutated, and proves nothing about its requirements
        for requirement in scenario.requirements:
            by_requirement[requirement] += score
    total = sum(by_scenario.values(), Score())
    return Systematic(
        total,
        dict(sorted(by_requirement.items())),
        by_scenario,
        tuple(survivors),
        tuple(equivalents),
        not_tried + len(broken),
        bar,
        tuple(broken),
        score_assertions(results),
    )
