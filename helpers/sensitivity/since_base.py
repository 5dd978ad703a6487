"""What became of the mutants since a base: which one was killed and survives now, or the reverse."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from helpers.scenario.result import Change
from helpers.sensitivity.mutant_ends import (
    BROKEN,
    ENDS,
    KILLED,
    NOT_APPLICABLE,
    SURVIVED,
    TIMED_OUT,
    TOLERATED,
    UNSETTLED,
    Sensitivity,
)

WORTH: Mapping[str, int | None] = {
    KILLED: 2,
    TOLERATED: 1,
    TIMED_OUT: 1,
    SURVIVED: 0,
    BROKEN: 0,
    NOT_APPLICABLE: None,
    UNSETTLED: None,
}
"""What an end of a mutant says for a requirement. One that never changed anything, or of which a fast
run knows only a part, says nothing and is not compared."""


def compare_mutants(
    runs: Iterable[Sensitivity | None], base: Sensitivity | None
) -> dict[str, list[Change]]:
    """One change for a mutant that changed alike at several requirements. Only what was tried in both is
    compared: a run without mutants takes nothing back."""
    before, after = _ends([base]), _ends(runs)
    places: dict[tuple[str, str, str], list[str]] = {}
    for (requirement, mutant), end in after.items():
        old = before.get((requirement, mutant), end)
        if old != end and WORTH[old] is not None and WORTH[end] is not None:
            places.setdefault((mutant, old, end), []).append(requirement)
    changes: dict[str, list[Change]] = {"new": [], "fixed": [], "regressed": []}
    for (mutant, old, end), requirements in places.items():
        where = requirements[0] if len(requirements) == 1 else f"{len(requirements)} requirements"
        change = Change("mutant", mutant, old, f"{end} for {where}")
        was, now = WORTH[old] or 0, WORTH[end] or 0
        if now != was:
            changes["regressed" if now < was else "fixed"].append(change)
    return changes


def _ends(runs: Iterable[Sensitivity | None]) -> dict[tuple[str, str], str]:
    """What became of each mutant at each requirement over these runs, the worst of it."""
    order = list(ENDS)
    worst: dict[tuple[str, str], str] = {}
    for run in runs:
        for verdict in run.requirements if run else ():
            for mutant, end in verdict.mutants.items():
                key = verdict.name, mutant
                worst[key] = min(worst.get(key, end), end, key=order.index)
    return worst
