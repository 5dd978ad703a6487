"""What changed since a base: requirements added, changed, removed; results new, fixed, regressed."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from helpers.report.columns import label_of
from helpers.report.report import DID_NOT_RUN, Comparison
from helpers.report.run_results import Results
from helpers.scenario.result import UNEXPECTED, Change, Result, State, Subject
from helpers.sensitivity.since_base import compare_mutants

ABSENT = "absent"
COMMIT = 7  # the first digits of a commit that people know it by
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


def compare_results(runs: Sequence[Results], base: Sequence[Results]) -> Comparison:
    """Compare these runs with older ones: each with the one of the same environment and version.

    One run is compared with one base whatever they ran on.
    """
    pairs = [(run, old) for run in runs if (old := _counterpart(run, base))]
    if len(runs) == len(base) == 1:
        pairs = [(runs[0], base[0])]
    found = [(label_of(run), _changes(run, old)) for run, old in pairs]
    compared = [*(run.id for run, _ in pairs), *(old.id for _, old in pairs)]
    started = min(str(old.run.get("started") or old.id) for old in base)
    started = started[:16].replace("T", " ") if "T" in started else started
    commit = str(base[0].run.get("commit") or "")[:COMMIT]
    texts = compare_texts(
        ", ".join(filter(None, [started, commit])), wordings(runs), wordings(base)
    )
    return replace(
        texts,
        not_compared=tuple(
            f"{label_of(run)} {'is new' if run in runs else DID_NOT_RUN}"
            for run in (*runs, *base)
            if run.id not in compared
        ),
        new=_joined("new", found),
        fixed=_joined("fixed", found),
        regressed=_joined("regressed", found),
    )


def _counterpart(run: Results, base: Iterable[Results]) -> Results | None:
    """The run of the same environment and version, or of a version with the same first two numbers."""
    environment, version = run.run.get("environment"), str(run.run.get("clickhouse") or "")
    there = [old for old in base if old.run.get("environment") == environment]
    same = [old for old in there if str(old.run.get("clickhouse") or "") == version]
    similar = [old for old in there if _release(old.run) == _release(run.run)]
    return next(iter([*same, *similar]), None)


def _release(run: Mapping[str, Any]) -> str:
    """The first two numbers of the version: a fix release is compared with the one before it."""
    return ".".join(str(run.get("clickhouse") or "").split(".")[:2])


def _changes(run: Results, base: Results) -> dict[str, list[Change]]:
    requirements = _compare("requirement", _states(base), _states(run))
    scenarios = _compare_scenarios(_ended(base), _ended(run))
    mutants = compare_mutants([run.sensitivity], base.sensitivity)
    return {kind: requirements[kind] + scenarios[kind] + mutants[kind] for kind in requirements}


def _states(run: Results) -> dict[str, str]:
    """The state of each requirement for each subject."""
    return {
        name if subject is Subject.CLICKHOUSE else f"{name} ({subject})": state
        for name, subject, state in ((of.name, of.subject, of.state) for of in run.requirements)
    }


def _joined(
    kind: str, found: Sequence[tuple[str, Mapping[str, list[Change]]]]
) -> tuple[Change, ...]:
    """A change once, with the runs it is about unless it is about all of them."""
    places: dict[Change, list[str]] = {}
    for label, changes in found:
        for change in changes[kind]:
            places.setdefault(change, []).append(label)
    return tuple(
        change if len(labels) == len(found) else replace(change, where=", ".join(labels))
        for change, labels in places.items()
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


def _ended(run: Results) -> dict[str, str]:
    """How each scenario ended, as the corresponding state of a requirement."""
    return {scenario.name: ENDED[scenario.result] for scenario in run.scenarios}


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
