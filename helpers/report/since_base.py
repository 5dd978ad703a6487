"""What changed since a base: requirements added, changed, removed; results new, fixed, regressed."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from helpers.report.model import Comparison, build_report, overall
from helpers.report.run_results import Results
from helpers.scenario.result import UNEXPECTED, Change, Result, State
from helpers.sensitivity.since_base import compare_mutants

ABSENT = "absent"
UNPROVEN = (State.UNTESTED, State.PLANNED, ABSENT)
WORTH: Mapping[str, int | None] = {
    State.VERIFIED: 3,
    State.DEVIATES: 2,
    State.BLOCKED: 1,
    State.NOT_RUN: None,
    State.FAILING: 0,
    State.OUTDATED: 0,
    State.SUSPECT: 0,
    State.UNTESTED: 0,
    State.PLANNED: 0,
    ABSENT: 0,
}
"""What a state says for a requirement. A requirement that was not run says nothing, so it is
never compared: a run of one feature does not regress the others. One that is blocked though it
was verified before has lost its proof, which is what the ratchet is there to notice."""


ENDED: Mapping[Result, State] = {
    Result.OK: State.VERIFIED,
    Result.FIXED: State.VERIFIED,
    Result.XFAIL: State.DEVIATES,
    Result.SKIP: State.BLOCKED,
    Result.NOT_RUN: State.NOT_RUN,
    **dict.fromkeys(UNEXPECTED, State.FAILING),
}


@dataclass(frozen=True)
class Wording:
    """What identifies the text of a requirement; an empty hash says that it is not known."""

    version: str
    hash: str


def compare_results(runs: Iterable[Results], base: Results) -> Comparison:
    """Compare these runs with an older one."""
    runs = list(runs)
    report, old = build_report(runs), build_report([base])
    requirements = _compare(
        "requirement", {r.name: r.state for r in old.rows}, {r.name: r.state for r in report.rows}
    )
    scenarios = _compare_scenarios(_ended([base]), _ended(runs))
    mutants = compare_mutants([run.sensitivity for run in runs], base.sensitivity)
    label = f"{old.columns[0].label}, {base.id}"
    texts = compare_texts(label, wordings(runs), wordings([base]))
    return Comparison(
        base=label,
        added=texts.added,
        changed=texts.changed,
        removed=texts.removed,
        **{key: tuple(requirements[key] + scenarios[key] + mutants[key]) for key in requirements},
    )


def compare_texts(
    base: str, now: Mapping[str, Wording], before: Mapping[str, Wording]
) -> Comparison:
    """Compare the texts of requirements with older ones."""
    changed = []
    for name, wording in now.items():
        old = before.get(name)
        if old and old.version != wording.version:
            changed.append(f"{name}: version {old.version} → {wording.version}")
        elif old and old.hash and wording.hash and old.hash != wording.hash:
            changed.append(f"{name}: the text, still version {wording.version}")
    return Comparison(
        base=base,
        added=tuple(name for name in now if name not in before),
        changed=tuple(changed),
        removed=tuple(name for name in before if name not in now),
    )


def wordings(runs: Iterable[Results]) -> dict[str, Wording]:
    """The requirements as the last of these runs knew them."""
    return {r.name: Wording(r.version, r.hash) for run in runs for r in run.requirements}


def _ended(runs: Iterable[Results]) -> dict[str, str]:
    """How each scenario ended over these runs, as the corresponding state of a requirement."""
    ended: dict[str, list[State]] = {}
    for run in runs:
        for scenario in run.scenarios:
            ended.setdefault(scenario.name, []).append(ENDED[scenario.result])
    return {name: overall(states) for name, states in ended.items()}


def _compare_scenarios(
    before: Mapping[str, str], after: Mapping[str, str]
) -> dict[str, list[Change]]:
    """Changes of scenarios. One that fails and did not has regressed, also if it is new or was not run
    before: it may verify no requirement whose state would show it."""
    failing = {
        name: Change("scenario", name, before.get(name, ABSENT), state)
        for name, state in after.items()
        if state == State.FAILING and before.get(name) != State.FAILING
    }
    rest = {name: state for name, state in after.items() if name not in failing}
    changes = _compare("scenario", before, rest)
    return {**changes, "regressed": [*failing.values(), *changes["regressed"]]}


def _compare(
    kind: str, before: Mapping[str, str], after: Mapping[str, str]
) -> dict[str, list[Change]]:
    changes: dict[str, list[Change]] = {"new": [], "fixed": [], "regressed": []}
    for name, state in after.items():
        old = before.get(name, ABSENT)
        was, now = WORTH[old], WORTH[state]
        if was is None or now is None or state == old:
            continue
        change = Change(kind, name, old, state)
        if old in UNPROVEN:
            if state not in UNPROVEN:
                changes["new"].append(change)
        elif now < was or state == State.FAILING:
            changes["regressed"].append(change)
        elif now > was:
            changes["fixed"].append(change)
    return changes
