"""From the results of scenarios under mutants to a verdict for each requirement.

A mutant is *killed* for a requirement if one of its scenarios, which passes without it, ends
otherwise with it; it *survived* if it changed something and none noticed; it is *not applicable* where
it never changed anything or the scenarios cannot run here. A survivor is *tolerated* where it is written
down why, and *unsettled* where another mutant was killed and not everything was tried. A scenario that
kills nothing is *blind*. A mutant that failed itself is *broken*, and one that kept a scenario waiting
until its time was up is *timed out*: neither counts as killed.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fnmatch import fnmatchcase

from helpers.scenario.result import ScenarioResult
from helpers.scenario.scenario import Key, Scenario
from helpers.sensitivity.mutant import Mutant, split_name
from helpers.sensitivity.mutant_ends import (
    BROKEN,
    IMMUNE,
    KILLED,
    NO_MUTANT,
    NOT_APPLICABLE,
    SURVIVED,
    TIMED_OUT,
    TOLERATED,
    UNSETTLED,
    Ends,
    Sensitivity,
    Verdict,
)

# The best that any scenario did to a mutant is what counts for the requirement.
BEST_FIRST = (BROKEN, KILLED, SURVIVED, TIMED_OUT)
# What counts of the ends and verdicts that shards found for the same requirement.
ENDS_OF_SHARDS = (BROKEN, KILLED, SURVIVED, TOLERATED, UNSETTLED, TIMED_OUT, NOT_APPLICABLE)
WITHOUT_MUTANTS = (KILLED, IMMUNE, NOT_APPLICABLE, NO_MUTANT)


def end_of(result: ScenarioResult) -> str:
    """What became of a mutant in one scenario."""
    if result.broken:
        return BROKEN
    if result.changes is None:
        return TIMED_OUT
    if not result.changes:
        return NOT_APPLICABLE
    if result.unexpected:
        return KILLED
    return SURVIVED if result.as_expected else NOT_APPLICABLE


@dataclass(frozen=True)
class Evaluation:
    """The results of scenarios as they are and under mutants, and what they prove.

    Where not everything was tried (not thorough), one killed mutant is enough. `immune` gives the
    reasons why no mutant can violate a requirement, by name or pattern.
    """

    scenarios: Sequence[Scenario]
    mutants: Mapping[str, Mutant]
    results: Mapping[Key, ScenarioResult]
    immune: Mapping[str, str]
    thorough: bool = True

    def verdicts(self) -> list[Verdict]:
        """One for each requirement that these scenarios verify."""
        names = {name for scenario in self.scenarios for name in scenario.requirements}
        return [self._verdict(name) for name in sorted(names)]

    def blind(self) -> dict[str, str]:
        """Scenarios that end as expected and that no mutant disturbs, with the reason."""
        reasons = {}
        for scenario in self.scenarios:
            excused = all(self._immunity(name) for name in scenario.requirements)
            ends = self.ends(scenario)
            if not self._as_expected(scenario) or excused or KILLED in ends.values():
                continue
            unnoticed = [mutant for mutant, end in ends.items() if end != NOT_APPLICABLE]
            reasons[scenario.name] = (
                f"it noticed none of its mutants: {', '.join(unnoticed)}"
                if unnoticed
                else "no mutant changes anything in it"
            )
        return reasons

    def idle(self, everything: Sequence[Scenario]) -> tuple[str, ...]:
        """Mutants that were tried on all scenarios of what they violate and changed nothing."""
        names = []
        for mutant in self.mutants.values():
            targets = [
                scenario
                for scenario in everything
                if mutant.targets(scenario.name, scenario.requirements)
            ]
            if any((scenario.name, None) not in self.results for scenario in targets):
                continue  # it may change something in those that were not chosen
            ends = self._ends_in(mutant, targets)
            if not targets or (ends and set(ends) == {NOT_APPLICABLE}):
                names.append(mutant.name)
        return tuple(names)

    def ends(self, scenario: Scenario) -> dict[str, str]:
        """What became of each mutant that was tried on a scenario."""
        return {
            mutant: end_of(result)
            for (name, mutant), result in self.results.items()
            if name == scenario.name and mutant is not None and not split_name(mutant)[1]
        }

    def _verdict(self, name: str) -> Verdict:
        """The verdict on one requirement."""
        scenarios = [scenario for scenario in self.scenarios if name in scenario.requirements]
        mutants = [mutant for mutant in self.mutants.values() if mutant.violates_any([name])]
        able = [scenario for scenario in scenarios if self._as_expected(scenario)]
        reason = self._immunity(name)
        if reason is not None:
            return Verdict(name, IMMUNE, reason, {})
        if not mutants:
            return Verdict(name, NO_MUTANT, "no mutant violates it", {})
        if not able:
            return Verdict(name, NOT_APPLICABLE, self._why_none(scenarios), {})
        return _concluded(name, self._requirement_ends(name, mutants, able))

    def _requirement_ends(
        self, name: str, mutants: Sequence[Mutant], scenarios: Sequence[Scenario]
    ) -> Ends:
        """What became of the mutants that were tried on these scenarios of a requirement."""
        tried = {mutant.name: self._ends_in(mutant, scenarios) for mutant in mutants}
        ends = {
            mutant: next((end for end in BEST_FIRST if end in its_ends), NOT_APPLICABLE)
            for mutant, its_ends in tried.items()
            if its_ends
        }
        settled = self.thorough or KILLED not in ends.values()
        for mutant in mutants:
            if ends.get(mutant.name) == SURVIVED:
                if mutant.tolerated.get(name):
                    ends[mutant.name] = TOLERATED
                elif not settled:
                    ends[mutant.name] = UNSETTLED
        return ends

    def _ends_in(self, mutant: Mutant, scenarios: Sequence[Scenario]) -> list[str]:
        results = (self.results.get((scenario.name, mutant.name)) for scenario in scenarios)
        return [end_of(result) for result in results if result is not None]

    def _immunity(self, requirement: str) -> str | None:
        """Why no mutant can violate a requirement, if that is written down."""
        return next(
            (reason for name, reason in self.immune.items() if fnmatchcase(requirement, name)), None
        )

    def _as_expected(self, scenario: Scenario) -> bool:
        result = self.results.get((scenario.name, None))
        return result is not None and result.as_expected

    def _why_none(self, scenarios: Sequence[Scenario]) -> str:
        results = [self.results.get((scenario.name, None)) for scenario in scenarios]
        ran = [result for result in results if result is not None]
        return (ran[0].reason if ran else None) or "its scenarios did not run"


def _concluded(name: str, ends: Ends) -> Verdict:
    """What the ends of all mutants of a requirement say about it."""
    for end, explanation in ((BROKEN, "failed itself"), (SURVIVED, "was not noticed")):
        mutants = [mutant for mutant, its_end in ends.items() if its_end == end]
        if mutants:
            return Verdict(name, end, f"{', '.join(mutants)} {explanation}", ends)
    verdict = Verdict(name, KILLED, "", ends)
    if verdict.killed:
        reason = f"{verdict.killed} of {verdict.effective} mutants killed"
        return Verdict(name, KILLED, reason, ends)
    reason = "its mutants changed nothing in its scenarios"
    if verdict.effective:
        reason = "none of its mutants was killed"
    return Verdict(name, NOT_APPLICABLE, reason, ends)


def merged(shards: Sequence[Sensitivity], linked: Mapping[str, Sequence[str]]) -> Sensitivity:
    """What shards of one run showed together; `linked` has the scenarios of each requirement."""
    thorough = all(shard.thorough for shard in shards)
    by_name: dict[str, list[Verdict]] = {}
    scenarios: dict[str, dict[str, str]] = {}
    for shard in shards:
        for verdict in shard.requirements:
            by_name.setdefault(verdict.name, []).append(verdict)
        for name, ends in shard.scenarios.items():
            scenarios.setdefault(name, {}).update(ends)
    mutants = {mutant.name: mutant for shard in shards for mutant in shard.mutants}
    blind = {name: reason for shard in shards for name, reason in shard.blind.items()}
    idle = {name for shard in shards for name in shard.idle}
    changed = {
        name for ends in scenarios.values() for name, end in ends.items() if end != NOT_APPLICABLE
    }
    for name, mutant in mutants.items():
        targets = {
            scenario
            for requirement, its_scenarios in linked.items()
            if any(fnmatchcase(requirement, pattern) for pattern in mutant.violates)
            for scenario in its_scenarios
        }
        if targets and targets <= scenarios.keys():
            idle.add(name)
    return Sensitivity(
        thorough=thorough,
        mutants=tuple(mutants.values()),
        requirements=tuple(_of_shards(found, thorough) for found in by_name.values()),
        scenarios=scenarios,
        blind={
            name: reason
            for name, reason in blind.items()
            if KILLED not in scenarios.get(name, {}).values()
        },
        idle=tuple(name for name in mutants if name in idle - changed),
    )


def _of_shards(verdicts: Sequence[Verdict], thorough: bool) -> Verdict:
    """The verdict on a requirement whose scenarios ran in several shards."""
    ends: dict[str, str] = {}
    for verdict in verdicts:
        for mutant, end in verdict.mutants.items():
            ends[mutant] = min(ends.get(mutant, end), end, key=ENDS_OF_SHARDS.index)
    if not ends:
        return min(verdicts, key=lambda verdict: WITHOUT_MUTANTS.index(verdict.verdict))
    if not thorough and KILLED in ends.values():
        ends = {name: UNSETTLED if end == SURVIVED else end for name, end in ends.items()}
    return _concluded(verdicts[0].name, ends)
