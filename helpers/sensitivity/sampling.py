"""Which generated mutants are tried, and in which order: all of them, or as many as fit into some minutes.

The requirement of which the fewest were tried comes next, so that whenever the time is over every requirement
has been tried about equally often: the score of one with a single scenario is worth as much as that of one
with twenty.
"""

from __future__ import annotations

import random
import time
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from helpers.scenario.result import ScenarioResult
from helpers.scenario.scenario import Job, Scenario
from helpers.sensitivity.assertion_score import ends_of
from helpers.sensitivity.mutant import WITHOUT, split_name
from helpers.sensitivity.mutant_ends import NOT_APPLICABLE
from helpers.sensitivity.strategy import time_limit
from helpers.sensitivity.verdicts import end_of

AHEAD = 4  # jobs that are queued before their time, so that no worker waits


class Strata:
    """Pending mutants by scenario, and how many were tried of each requirement and scenario.

    Of the requirement with the fewest the scenario with the fewest is next. In a scenario every operator
    comes once before any comes again; the rest is random.
    """

    def __init__(self, jobs: Iterable[Job], rng: random.Random) -> None:
        shuffled = list(jobs)
        rng.shuffle(shuffled)
        ranks: Counter[tuple[str, str]] = Counter()
        ranked = []
        for job in shuffled:
            place = job.scenario.name, _operator(job)
            ranked.append((ranks[place], job))
            ranks[place] += 1
        self._pending: dict[str, list[Job]] = {}
        for _, job in sorted(ranked, key=lambda entry: -entry[0]):
            self._pending.setdefault(job.scenario.name, []).append(job)
        self._requirements: Counter[str] = Counter()
        self._scenarios: Counter[str] = Counter()

    def __len__(self) -> int:
        return sum(map(len, self._pending.values()))

    def take(self) -> Job:
        """The next one; it counts as tried from now on."""
        name = min(self._pending, key=lambda name: self._tried(self._pending[name][-1].scenario))
        job = self._pending[name].pop()
        if not self._pending[name]:
            del self._pending[name]
        self._count(job.scenario, 1)
        return job

    def give_back(self, job: Job) -> None:
        """It changed nothing, so it proves nothing: another mutant is tried instead."""
        self._count(job.scenario, -1)

    def _tried(self, scenario: Scenario) -> tuple[int, int]:
        fewest = min((self._requirements[name] for name in scenario.requirements), default=0)
        return fewest, self._scenarios[scenario.name]

    def _count(self, scenario: Scenario, number: int) -> None:
        self._scenarios[scenario.name] += number
        for name in scenario.requirements:
            self._requirements[name] += number


@dataclass
class SystematicStrategy:
    """Scenarios as they are first; then their generated mutants, until the time is over."""

    scenarios: Sequence[Scenario]
    seed: int
    minutes: float | None = None
    workers: int = 1
    _jobs: list[Job] = field(default_factory=list)
    _continued: list[Job] = field(default_factory=list)
    _results: dict[str, ScenarioResult] = field(default_factory=dict)
    _proven: set[str] = field(default_factory=set)
    _strata: Strata | None = None
    _unchanged: int = 0
    _deadline: float | None = None

    @property
    def not_tried(self) -> int:
        return len(self._jobs if self._strata is None else self._strata)

    def first(self) -> list[Job]:
        return [Job(scenario) for scenario in self.scenarios]

    def next(self, job: Job, result: ScenarioResult) -> list[Job]:
        if job.mutant is None:
            self._unchanged += 1
            self._results[job.scenario.name] = result
            self._jobs += mutants_of(job.scenario, result)
            if self._unchanged < len(self.scenarios):
                return []
            self._strata = Strata(self._jobs, random.Random(self.seed))
            if self.minutes is not None:
                self._deadline = time.monotonic() + 60 * self.minutes
            return self._take(self.workers + AHEAD)
        self._learn(job, result)
        written, switched_off = "@" not in job.mutant, split_name(job.mutant)[1]
        if self._strata is None or (written and len(self._strata)):
            return []
        if end_of(result) == NOT_APPLICABLE and not switched_off and not written:
            self._strata.give_back(job)
        return self._take(1)

    def _learn(self, job: Job, result: ScenarioResult) -> None:
        """Where a mutant ended. It goes on once without that assertion, to see who else notices it."""
        unchanged = self._results.get(job.scenario.name)
        ended = ends_of(result, unchanged)
        self._proven |= ended
        if unchanged is None or job.mutant is None or split_name(job.mutant)[1]:
            return
        for each in unchanged.reached:
            if each["place"] in ended and not each["is_step"]:
                name = f"{job.mutant}{WITHOUT}{each['place']}"
                self._continued.append(Job(job.scenario, name, job.time_limit))

    def _take(self, count: int) -> list[Job]:
        over = self._deadline is not None and time.monotonic() > self._deadline
        if self._strata is None or over:
            return []
        jobs = [self._strata.take() for _ in range(min(count, len(self._strata)))]
        while len(jobs) < count and self._continued:
            job = self._continued.pop(0)
            jobs += [job] if self._may_prove(job) else []
        return jobs

    def _may_prove(self, job: Job) -> bool:
        """Whether an assertion that comes after the one that is switched off is not proven yet."""
        switched_off = split_name(job.mutant)[1]
        places = [each["place"] for each in self._results[job.scenario.name].reached]
        return bool(set(places[places.index(switched_off) + 1 :]) - self._proven)


def mutants_of(scenario: Scenario, result: ScenarioResult) -> list[Job]:
    """A scenario that ended as expected, under each mutant that is not known to be equivalent."""
    if not result.as_expected:
        return []
    return [
        Job(scenario, mutant["name"], time_limit(result))
        for mutant in result.generated
        if not mutant["equivalent"]
    ]


def _operator(job: Job) -> str:
    """The operator of a generated mutant, which its name begins with."""
    return (job.mutant or "").partition("@")[0].partition("[")[0]
