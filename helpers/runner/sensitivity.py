"""Sensitivity: every mutant is let loose on the scenarios of what it violates; who notices?

A mutant is *killed* for a requirement if one of its scenarios, which passes without it, ends
otherwise with it; it *survived* if it lied to them and none noticed; it is *not applicable* where it
never lied or the scenarios cannot run here. A survivor is *tolerated* where it is written down why,
and *unsettled* where another mutant was killed and not everything was tried. A scenario that kills
nothing is *blind*. A mutant that stumbled over itself is *broken*, and one that kept a scenario
waiting until its time was up has not been noticed but endured: neither counts as killed.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from fnmatch import fnmatchcase
from typing import Any

from helpers.mutants import Mutant
from helpers.report.sensitivity import (
    BROKEN,
    ENDURED,
    IMMUNE,
    KILLED,
    NO_MUTANT,
    NOT_APPLICABLE,
    SURVIVED,
    TOLERATED,
    UNSETTLED,
    Verdict,
)
from helpers.runner.discover import AT, Scenario
from helpers.runner.outcome import OK, UNEXPECTED, XFAIL
from helpers.runner.supervisor import Record

# The best that any scenario did to a mutant is what counts for the requirement.
BEST_FIRST = (BROKEN, KILLED, SURVIVED, ENDURED)


def fate(record: Record) -> str:
    """What one scenario did to one mutant."""
    if record.get("broken"):
        return BROKEN
    if "lies" not in record:
        return ENDURED
    if not record["lies"]:
        return NOT_APPLICABLE
    if record["result"] in UNEXPECTED:
        return KILLED
    return SURVIVED if record["result"] in (OK, XFAIL) else NOT_APPLICABLE


def judge(
    scenarios: Sequence[Scenario],
    mutants: Mapping[str, Mutant],
    records: Mapping[str, Record],
    immune: Mapping[str, str],
    *,
    thorough: bool = True,
) -> list[Verdict]:
    """One verdict for each requirement that these scenarios verify.

    Where not everything was tried (not thorough), one killed mutant is enough.
    """
    requirements = sorted({link.name for scenario in scenarios for link in scenario.links})
    return [
        _verdict(
            name,
            [one for one in scenarios if any(link.name == name for link in one.links)],
            [one for one in mutants.values() if one.violates_any([name])],
            records,
            immune,
            thorough,
        )
        for name in requirements
    ]


def blind(
    scenarios: Sequence[Scenario], records: Mapping[str, Record], immune: Mapping[str, str]
) -> dict[str, str]:
    """Scenarios that end as expected and that no mutant disturbs, with the reason."""
    found = {}
    for scenario in scenarios:
        excused = all(excuse(link.name, immune) for link in scenario.links)
        told = fates(scenario, records)
        if not ended_well(scenario, records) or excused or KILLED in told.values():
            continue
        liars = [mutant for mutant, end in told.items() if end != NOT_APPLICABLE]
        found[scenario.name] = (
            f"it was lied to and never noticed: {', '.join(liars)}"
            if liars
            else "no mutant lies to it"
        )
    return found


def idle(
    everything: Sequence[Scenario], mutants: Mapping[str, Mutant], records: Mapping[str, Record]
) -> list[str]:
    """Mutants that were let loose on all scenarios of what they violate and never lied."""
    found = []
    for mutant in mutants.values():
        aims = [
            one for one in everything if mutant.aims_at(one.name, [link.name for link in one.links])
        ]
        if not all(one.name in records for one in aims):
            continue  # it may lie to those that were not chosen
        told = [records.get(one.under(mutant.name).name) for one in aims]
        ends = [fate(record) for record in told if record is not None]
        if not aims or (ends and set(ends) == {NOT_APPLICABLE}):
            found.append(mutant.name)
    return found


def fates(scenario: Scenario, records: Mapping[str, Record]) -> dict[str, str]:
    """What a scenario did to each of its mutants."""
    return {
        name.partition(AT)[2]: fate(record)
        for name, record in records.items()
        if name.startswith(scenario.name + AT)
    }


def excuse(requirement: str, immune: Mapping[str, str]) -> str | None:
    """Why no mutant can violate a requirement, if somebody has said so."""
    return next((why for what, why in immune.items() if fnmatchcase(requirement, what)), None)


def ended_well(scenario: Scenario, records: Mapping[str, Record]) -> bool:
    return scenario.name in records and records[scenario.name]["result"] in (OK, XFAIL)


def _verdict(
    name: str,
    scenarios: Sequence[Scenario],
    mutants: Sequence[Mutant],
    records: Mapping[str, Record],
    immune: Mapping[str, str],
    thorough: bool,
) -> Verdict:
    able = [one for one in scenarios if ended_well(one, records)]
    reason = excuse(name, immune)
    if reason is not None:
        return Verdict(name, IMMUNE, reason, {})
    if not mutants:
        return Verdict(name, NO_MUTANT, "no mutant violates it", {})
    if not able:
        told = [records[one.name].get("reason") for one in scenarios if one.name in records]
        return Verdict(name, NOT_APPLICABLE, (told and told[0]) or "its scenarios did not run", {})
    ends = {one.name: _end_of(one, able, records) for one in mutants}
    ends = {mutant: end for mutant, end in ends.items() if end}
    settled = thorough or KILLED not in ends.values()
    for one in mutants:
        if ends.get(one.name) == SURVIVED and (one.tolerated.get(name) or not settled):
            ends[one.name] = TOLERATED if one.tolerated.get(name) else UNSETTLED
    for verdict, why in ((BROKEN, "stumbled over itself"), (SURVIVED, "is noticed by nobody")):
        bad = [mutant for mutant, end in ends.items() if end == verdict]
        if bad:
            return Verdict(name, verdict, f"{', '.join(bad)} {why}", ends)
    found = Verdict(name, KILLED, "", ends)
    if found.killed:
        return replace(found, reason=f"{found.killed} of {found.lied} mutants killed")
    why = (
        "none of its mutants was killed"
        if found.lied
        else "its mutants never lied to its scenarios"
    )
    return replace(found, verdict=NOT_APPLICABLE, reason=why)


def _end_of(mutant: Mutant, scenarios: Sequence[Scenario], records: Mapping[str, Record]) -> str:
    """What became of a mutant among these scenarios; '' if it was not let loose on them."""
    told = [records.get(one.under(mutant.name).name) for one in scenarios]
    ends = [fate(record) for record in told if record is not None]
    if not ends:
        return ""
    return next((one for one in BEST_FIRST if one in ends), NOT_APPLICABLE)


def section(
    verdicts: Sequence[Verdict],
    blind_ones: Mapping[str, str],
    idle_ones: Sequence[str],
    scenarios: Sequence[Scenario],
    mutants: Mapping[str, Mutant],
    records: Mapping[str, Record],
    *,
    thorough: bool,
) -> dict[str, Any]:
    """What results.json says of it."""
    return {
        "thorough": thorough,
        "mutants": [
            {
                "name": one.name,
                "about": one.about,
                "violates": list(one.violates),
                "tolerated": dict(one.tolerated),
            }
            for one in mutants.values()
        ],
        "requirements": [{**vars(one), "mutants": dict(one.mutants)} for one in verdicts],
        "scenarios": [{"name": one.name, "mutants": fates(one, records)} for one in scenarios],
        "blind": [{"name": name, "reason": reason} for name, reason in blind_ones.items()],
        "idle": list(idle_ones),
    }
