"""A systematic run: every scenario as it is, then under the mutants generated from what it did.

All of them, or a sample for so many minutes: the seed decides the order, and every scenario is tried
once before any is tried again.
"""

from __future__ import annotations

import math
import random
import time
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from helpers.results import RequirementState, ScenarioResult, State
from helpers.scenario import Job, Key, Scenario
from helpers.sensitivity.model import ENDURED, KILLED, NO_MUTANT, NOT_APPLICABLE, SURVIVED, Verdict
from helpers.sensitivity.strategy import time_limit
from helpers.sensitivity.verdicts import end_of

# The bar of all mutants; that of one requirement (where there are enough to say so) is lower.
TOTAL_BAR, LOWER, ENOUGH = 0.95, 0.15, 5
AHEAD = 4  # jobs that are queued before their time, so that no worker waits


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
        if not sample or not self.effective:
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
class Equivalent(Unnoticed):
    """It need not notice, and why."""

    reason: str


@dataclass(frozen=True)
class Systematic:
    """The result of a systematic run."""

    total: Score
    requirements: Mapping[str, Score]
    scenarios: Mapping[str, Score]
    survivors: tuple[Survivor, ...]
    equivalents: tuple[Equivalent, ...]
    not_tried: int
    bar: float = TOTAL_BAR

    @property
    def weak(self) -> dict[str, Score]:
        """Requirements below their bar."""
        lower = max(self.bar - LOWER, 0.0)
        return {
            name: score
            for name, score in self.requirements.items()
            if score.effective >= ENOUGH and score.misses(lower, bool(self.not_tried))
        }

    @property
    def bad(self) -> bool:
        return bool(self.weak) or self.total.misses(self.bar, bool(self.not_tried))

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
        score = self.weak.get(status.name)
        if score is None or status.state != State.VERIFIED:
            return status
        reason = f"not proven: {score} generated mutants were noticed"
        return replace(status, state=State.FAILING, reason=reason)

    def as_json(self) -> dict[str, Any]:
        """The section in results.json."""

        def scores(named: Mapping[str, Score]) -> dict[str, list[int]]:
            return {name: [score.killed, score.effective] for name, score in named.items()}

        return {
            "killed": self.total.killed,
            "effective": self.total.effective,
            "not_tried": self.not_tried,
            "bar": self.bar,
            "requirements": scores(self.requirements),
            "scenarios": scores(self.scenarios),
            "survivors": [vars(survivor) for survivor in self.survivors],
            "equivalents": [vars(equivalent) for equivalent in self.equivalents],
        }

    def counts(self) -> str:
        """The figures in a line."""
        return (
            f"{self.total} noticed, {len(self.survivors)} survived, "
            f"{len(self.equivalents)} are equivalent, {self.not_tried} were not tried"
        )

    def summary(self) -> str:
        """What is said on the console."""
        lines = [f"Generated mutants: {self.counts()}"]
        lines += [f"  {'weak':<10} {name}: {score}" for name, score in self.weak.items()]
        for survivor in self.survivors:
            operator, _, place = survivor.mutant.partition("@")
            lines += [
                f"  {'survived':<10} {operator}: {survivor.text}",
                f"  {'':<10} {place.rpartition('#')[0]}",
                f"  {'':<10} {survivor.rerun}",
            ]
        return "\n".join(lines)


@dataclass
class SystematicStrategy:
    """Scenarios as they are first; then their generated mutants, until the time is over."""

    scenarios: Sequence[Scenario]
    seed: int
    minutes: float | None = None
    workers: int = 1
    not_tried: int = 0
    _pending: list[Job] = field(default_factory=list)
    _unchanged: int = 0
    _deadline: float | None = None

    def first(self) -> list[Job]:
        return [Job(scenario) for scenario in self.scenarios]

    def next(self, job: Job, result: ScenarioResult) -> list[Job]:
        if job.mutant is None:
            self._unchanged += 1
            self._pending += self._jobs(job.scenario, result)
            if self._unchanged < len(self.scenarios):
                return []
            self._begin()
            return self._take(self.workers + AHEAD)
        return self._take(1) if "@" in job.mutant else []

    def _jobs(self, scenario: Scenario, result: ScenarioResult) -> list[Job]:
        """The mutants of a scenario that ended as expected and are not known to be equivalent."""
        if not result.as_expected:
            return []
        return [
            Job(scenario, mutant["name"], time_limit(result))
            for mutant in result.generated
            if not mutant["equivalent"]
        ]

    def _begin(self) -> None:
        """Every scenario's first, every scenario's second …, each in a random order."""
        rng = random.Random(self.seed)
        rng.shuffle(self._pending)
        ranks: dict[str, int] = defaultdict(int)
        order = {}
        for job in self._pending:
            order[job.key] = ranks[job.scenario.name]
            ranks[job.scenario.name] += 1
        self._pending.sort(key=lambda job: order[job.key], reverse=True)
        self.not_tried = len(self._pending)
        if self.minutes is not None:
            self._deadline = time.monotonic() + 60 * self.minutes

    def _take(self, count: int) -> list[Job]:
        if self._deadline is not None and time.monotonic() > self._deadline:
            return []
        taken = [self._pending.pop() for _ in range(min(count, len(self._pending)))]
        self.not_tried -= len(taken)
        return taken


def evaluate(
    scenarios: Sequence[Scenario],
    results: Mapping[Key, ScenarioResult],
    not_tried: int,
    bar: float = TOTAL_BAR,
) -> Systematic:
    """The scores of all scenarios and requirements."""
    by_scenario: dict[str, Score] = {}
    by_requirement: dict[str, Score] = defaultdict(Score)
    survivors, equivalents = [], []
    for scenario in scenarios:
        unchanged = results.get((scenario.name, None))
        score = Score()
        for mutant in unchanged.generated if unchanged else ():
            name, text = mutant["name"], mutant["text"]
            if mutant["equivalent"]:
                equivalents.append(Equivalent(scenario.name, name, text, mutant["equivalent"]))
            result = results.get((scenario.name, name))
            end = end_of(result) if result else None
            if end == SURVIVED and result is not None:
                names = tuple(scenario.requirements)
                survivors.append(Survivor(scenario.name, name, text, names, result.rerun or ""))
            # One that got stuck until its time was up is an Error in any run: it was noticed.
            score += Score(end in (KILLED, ENDURED), end in (KILLED, ENDURED, SURVIVED))
        by_scenario[scenario.name] = score
        for requirement in scenario.requirements:
            by_requirement[requirement] += score
    total = sum(by_scenario.values(), Score())
    return Systematic(
        total,
        dict(sorted(by_requirement.items())),
        by_scenario,
        tuple(survivors),
        tuple(equivalents),
        not_tried,
        bar,
    )
