"""What a sensitivity run runs: scenarios as they are first, then, where they pass, under their mutants.

Under all of them, or (fast) one for each requirement: the most telling mutant on the most telling
scenario, and the next one only where that was not killed.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

from helpers.mutants import Mutant
from helpers.report.sensitivity import KILLED
from helpers.runner.discover import Scenario
from helpers.runner.outcome import OK, XFAIL
from helpers.runner.sensitivity import fate
from helpers.runner.supervisor import Record

Candidate = tuple[Scenario, Mutant]
# A sabotaged scenario may wait in vain: it gets this long, or so much longer than it needs as it is.
LEAST_SECONDS, TIMES_LONGER = 20.0, 5.0


class Hunt(Protocol):
    """What to begin with, and what a record makes necessary."""

    def first(self) -> list[Scenario]: ...
    def more(self, scenario: Scenario, record: Record) -> list[Scenario]: ...


def fitting(scenario: Scenario, mutants: Sequence[Mutant]) -> list[Mutant]:
    """The mutants that violate what a scenario verifies."""
    names = [link.name for link in scenario.links]
    return [one for one in mutants if one.aims_at(scenario.name, names)]


def sabotaged(scenario: Scenario, mutant: Mutant, seconds: float) -> Scenario:
    """A scenario that took so long as it is, under a mutant."""
    return scenario.under(mutant.name, max(LEAST_SECONDS, TIMES_LONGER * seconds))


class Thorough:
    """Every scenario under every mutant that violates what it verifies."""

    def __init__(self, scenarios: Sequence[Scenario], mutants: Sequence[Mutant]) -> None:
        self.scenarios = scenarios
        self.mutants = mutants

    def first(self) -> list[Scenario]:
        return list(self.scenarios)

    def more(self, scenario: Scenario, record: Record) -> list[Scenario]:
        if scenario.mutant or not _able(record):
            return []
        mutants = fitting(scenario, self.mutants)
        return [sabotaged(scenario, one, record["seconds"]) for one in mutants]


class Fast:
    """Every scenario as it is, and one killed mutant for each requirement."""

    def __init__(self, scenarios: Sequence[Scenario], mutants: Sequence[Mutant]) -> None:
        self._scenarios = scenarios
        self._left = {
            name: _candidates(name, scenarios, mutants)
            for name in sorted({link.name for one in scenarios for link in one.links})
        }
        self._trying: dict[str, Candidate] = {}
        self._planned: set[str] = set()
        self._records: dict[str, Record] = {}

    def first(self) -> list[Scenario]:
        # Those with little choice choose first; others may be served by what they have chosen.
        for name in sorted(self._left, key=lambda one: len(self._left[one])):
            shared = [one for one in self._left[name] if one in self._trying.values()]
            if shared:
                self._trying[name] = shared[0]
                self._left[name].remove(shared[0])
            else:
                self._next(name)
        return list(self._scenarios)

    def more(self, scenario: Scenario, record: Record) -> list[Scenario]:
        self._records[scenario.name] = record
        found: list[Scenario] = []
        for name, (tried, mutant) in list(self._trying.items()):
            if not scenario.mutant and tried.name == scenario.name:
                found += self._go_on(name)
            elif tried.under(mutant.name).name == scenario.name and fate(record) != KILLED:
                found += self._next(name)
        return found

    def _next(self, name: str) -> list[Scenario]:
        """Give the requirement its next candidate, if there is one left."""
        self._trying.pop(name, None)
        if not self._left[name]:
            return []
        self._trying[name] = self._left[name].pop(0)
        return self._go_on(name)

    def _go_on(self, name: str) -> list[Scenario]:
        scenario, mutant = self._trying[name]
        record = self._records.get(scenario.name)
        if record is None:
            return []  # it comes to its turn
        if not _able(record):
            return self._next(name)
        planned = sabotaged(scenario, mutant, record["seconds"])
        if planned.name in self._planned:  # for another requirement
            known = self._records.get(planned.name)
            return self._next(name) if known and fate(known) != KILLED else []
        self._planned.add(planned.name)
        return [planned]


def _candidates(
    name: str, scenarios: Sequence[Scenario], mutants: Sequence[Mutant]
) -> list[Candidate]:
    """What may show that a requirement's violation is noticed, the most telling first: a mutant made
    for this requirement, then one that violates few others; a scenario that passes, is not known to
    take long, and is about little else."""
    found = [
        (scenario, mutant)
        for scenario in scenarios
        if any(link.name == name for link in scenario.links)
        for mutant in mutants
        if mutant.aims_at(scenario.name, [name])
    ]
    return sorted(
        found,
        key=lambda one: (
            name not in one[1].violates,
            len(one[1].violates),
            bool(one[0].marks.deviations),
            one[0].marks.seconds,
            len(one[0].links),
        ),
    )


def _able(record: Record) -> bool:
    return record["result"] in (OK, XFAIL)
