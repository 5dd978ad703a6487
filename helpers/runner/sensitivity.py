"""Sensitivity: every mutant is let loose on the scenarios of what it violates; who notices?

A mutant is *killed* for a requirement if one of its scenarios, which passes without it, fails with
it; it *survived* if it lied to them and none noticed; it is *not applicable* where it never lied or
the scenarios cannot run here. A scenario that was lied to and kills nothing is *blind*.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fnmatch import fnmatchcase
from typing import Any

from helpers.mutants import Mutant
from helpers.runner.discover import AT, Scenario
from helpers.runner.outcome import OK, UNEXPECTED, XFAIL
from helpers.runner.supervisor import Record

KILLED, SURVIVED, NOT_APPLICABLE, IMMUNE, NO_MUTANT = (
    "killed",
    "survived",
    "not applicable",
    "immune",
    "no mutant",
)


@dataclass(frozen=True)
class Verdict:
    """What became of the mutants of one requirement."""

    name: str
    verdict: str
    reason: str
    mutants: Mapping[str, str]


def mutated(
    scenarios: Sequence[Scenario], mutants: Sequence[Mutant], *, fast: bool
) -> list[Scenario]:
    """Each scenario under each mutant that violates what it verifies.

    Fast: one mutant for each requirement, on one of its scenarios.
    """
    jobs: dict[str, Scenario] = {}
    served: set[str] = set()
    for scenario in scenarios:
        for link in scenario.links:
            fitting = [one for one in mutants if one.violates_any([link.name])]
            if fast:
                fitting = [] if link.name in served else fitting[:1]
                served.add(link.name)
            for one in fitting:
                job = scenario.under(one.name)
                jobs[job.name] = job
    return list(jobs.values())


def judge(
    scenarios: Sequence[Scenario],
    mutants: Mapping[str, Mutant],
    records: Mapping[str, Record],
    immune: Mapping[str, str],
) -> list[Verdict]:
    """One verdict for each requirement that these scenarios verify."""
    requirements = sorted({link.name for scenario in scenarios for link in scenario.links})
    return [
        _verdict(
            name,
            [one for one in scenarios if any(link.name == name for link in one.links)],
            [one for one in mutants.values() if one.violates_any([name])],
            records,
            immune,
        )
        for name in requirements
    ]


def blind(scenarios: Sequence[Scenario], records: Mapping[str, Record]) -> list[str]:
    """Scenarios that pass, were lied to, and never noticed."""
    found = []
    for scenario in scenarios:
        fates = [
            fate(record)
            for record in records.values()
            if record["name"].startswith(scenario.name + AT)
        ]
        lied_to = [one for one in fates if one != NOT_APPLICABLE]
        if records[scenario.name]["result"] == OK and lied_to and KILLED not in lied_to:
            found.append(scenario.name)
    return found


def fate(record: Record) -> str:
    """What one scenario did to one mutant."""
    if record["result"] in UNEXPECTED and record.get("lies"):
        return KILLED
    if record["result"] in (OK, XFAIL) and record.get("lies"):
        return SURVIVED
    return NOT_APPLICABLE


def _verdict(
    name: str,
    scenarios: Sequence[Scenario],
    mutants: Sequence[Mutant],
    records: Mapping[str, Record],
    immune: Mapping[str, str],
) -> Verdict:
    able = [one for one in scenarios if records[one.name]["result"] in (OK, XFAIL)]
    if not able:
        reason = records[scenarios[0].name].get("reason") or "its scenarios do not pass"
        return Verdict(name, NOT_APPLICABLE, reason, {})
    excuse = next((why for pattern, why in immune.items() if fnmatchcase(name, pattern)), None)
    if excuse is not None:
        return Verdict(name, IMMUNE, excuse, {})
    told = {one.name: _fate_of(one, able, records) for one in mutants}
    fates = {mutant: one for mutant, one in told.items() if one is not None}
    tolerated = {one.name: one.tolerated.get(name) for one in mutants}
    survivors = [one for one, end in fates.items() if end == SURVIVED and not tolerated[one]]
    if survivors:
        return Verdict(name, SURVIVED, f"nobody notices {', '.join(survivors)}", fates)
    if KILLED in fates.values():
        count = list(fates.values()).count(KILLED)
        return Verdict(name, KILLED, f"{count} of {len(fates)} mutants killed", fates)
    if fates:
        return Verdict(name, NOT_APPLICABLE, "its mutants never lied to its scenarios", fates)
    return Verdict(name, NO_MUTANT, "no mutant violates it", {})


def _fate_of(
    mutant: Mutant, scenarios: Sequence[Scenario], records: Mapping[str, Record]
) -> str | None:
    """The best that any of these scenarios did to it; None if it was not let loose on them."""
    told = [
        fate(records[one.under(mutant.name).name])
        for one in scenarios
        if one.under(mutant.name).name in records
    ]
    if not told:
        return None
    return next((one for one in (KILLED, SURVIVED) if one in told), NOT_APPLICABLE)


def bad(verdict: Verdict) -> bool:
    """Whether a verdict fails the check."""
    return verdict.verdict in (SURVIVED, NO_MUTANT) or (
        verdict.verdict == NOT_APPLICABLE and bool(verdict.mutants)
    )


def section(
    verdicts: Sequence[Verdict], blind_ones: Sequence[str], mutants: Mapping[str, Mutant]
) -> dict[str, Any]:
    """What results.json says of it."""
    return {
        "mutants": [
            {"name": one.name, "about": one.about, "violates": list(one.violates)}
            for one in mutants.values()
        ],
        "requirements": [
            {
                "name": one.name,
                "verdict": one.verdict,
                "reason": one.reason,
                "mutants": dict(one.mutants),
            }
            for one in verdicts
        ],
        "blind": list(blind_ones),
    }
