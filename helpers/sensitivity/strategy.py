"""Which jobs a sensitivity run executes: scenarios as they are, then under mutants where they passed.

Under all mutants, or (fast) one for each requirement: the most specific mutant on the most specific
scenario, and the next one only where that was not killed.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

from helpers.scenario.result import ScenarioResult
from helpers.scenario.scenario import Job, Key, Scenario
from helpers.sensitivity.mutant import Mutant
from helpers.sensitivity.mutant_ends import KILLED
from helpers.sensitivity.verdicts import end_of

# A scenario under a mutant may wait for something that never happens: its limit is this long, or this many
# times its duration without a mutant.
LEAST_SECONDS, TIMES_LONGER = 20.0, 5.0


class Strategy(Protocol):
    """What to begin with, and which jobs a result makes necessary."""

    def first(self) -> list[Job]: ...
    def next(self, job: Job, result: ScenarioResult) -> list[Job]: ...


def targeting(scenario: Scenario, mutants: Sequence[Mutant]) -> list[Mutant]:
    """The mutants that violate what a scenario verifies."""
    return [mutant for mutant in mutants if mutant.targets(scenario.name, scenario.requirements)]


def under(scenario: Scenario, mutant: Mutant, unchanged: ScenarioResult) -> Job:
    """A scenario under a mutant, with a time limit that follows from its run as it is."""
    return Job(scenario, mutant.name, time_limit(unchanged))


def time_limit(unchanged: ScenarioResult) -> float:
    return max(LEAST_SECONDS, TIMES_LONGER * unchanged.seconds)


class Thorough:
    """Every scenario under every mutant that violates what it verifies."""

    def __init__(self, scenarios: Sequence[Scenario], mutants: Sequence[Mutant]) -> None:
        self.scenarios = scenarios
        self.mutants = mutants

    def first(self) -> list[Job]:
        return [Job(scenario) for scenario in self.scenarios]

    def next(self, job: Job, result: ScenarioResult) -> list[Job]:
        if job.mutant or not result.as_expected:
            return []
        mutants = targeting(job.scenario, self.mutants)
        return [under(job.scenario, mutant, result) for mutant in mutants]


class Fast:
    """Every scenario as it is, and one killed mutant for each requirement."""

    def __init__(self, scenarios: Sequence[Scenario], mutants: Sequence[Mutant]) -> None:
        self._scenarios = scenarios
        self._candidates = {
            requirement: _candidates(requirement, scenarios, mutants)
            for requirement in sorted(
                {name for scenario in scenarios for name in scenario.requirements}
            )
        }
        self._current: dict[str, tuple[Scenario, Mutant]] = {}
        self._planned: set[Key] = set()
        self._results: dict[Key, ScenarioResult] = {}

    def first(self) -> list[Job]:
        # Requirements with few candidates choose first; others may share what these have chosen.
        for requirement, candidates in sorted(
            self._candidates.items(), key=lambda entry: len(entry[1])
        ):
            shared = [pair for pair in candidates if pair in self._current.values()]
            if shared:
                self._current[requirement] = shared[0]
                candidates.remove(shared[0])
            else:
                self._advance(requirement)
        return [Job(scenario) for scenario in self._scenarios]

    def next(self, job: Job, result: ScenarioResult) -> list[Job]:
        self._results[job.key] = result
        jobs: list[Job] = []
        for requirement, (scenario, mutant) in list(self._current.items()):
            if scenario.name != job.scenario.name:
                continue
            if job.mutant is None:
                jobs += self._plan(requirement)
            elif job.mutant == mutant.name and end_of(result) != KILLED:
                jobs += self._advance(requirement)
        return jobs

    def _advance(self, requirement: str) -> list[Job]:
        """Take the requirement's next candidate, if there is one left."""
        self._current.pop(requirement, None)
        if not self._candidates[requirement]:
            return []
        self._current[requirement] = self._candidates[requirement].pop(0)
        return self._plan(requirement)

    def _plan(self, requirement: str) -> list[Job]:
        """The job for the requirement's current candidate, unless it has to wait or is planned already."""
        scenario, mutant = self._current[requirement]
        unchanged = self._results.get((scenario.name, None))
        if unchanged is None:
            return []  # the scenario runs as it is first
        if not unchanged.as_expected:
            return self._advance(requirement)
        job = under(scenario, mutant, unchanged)
        if job.key in self._planned:  # for another requirement
            known = self._results.get(job.key)
            return self._advance(requirement) if known and end_of(known) != KILLED else []
        self._planned.add(job.key)
        return [job]


def _candidates(
    requirement: str, scenarios: Sequence[Scenario], mutants: Sequence[Mutant]
) -> list[tuple[Scenario, Mutant]]:
    """What may show that a violation of a requirement is noticed, the most specific first: a mutant made
    for this requirement, then one that violates few others; a scenario that passes, is not known to
    take long, and verifies little else."""
    pairs = [
        (scenario, mutant)
        for scenario in scenarios
        if requirement in scenario.requirements
        for mutant in mutants
        if mutant.targets(scenario.name, [requirement])
    ]

    def order(pair: tuple[Scenario, Mutant]) -> tuple[bool, int, bool, float, int]:
        scenario, mutant = pair
        return (
            requirement not in mutant.violates,
            len(mutant.violates),
            bool(scenario.marks.deviations),
            scenario.marks.seconds,
            len(scenario.links),
        )

    return sorted(pairs, key=order)
