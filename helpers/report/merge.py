"""Joining the shards of a run: results of the same environment and version become one result."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any

from helpers.base.errors import ENVIRONMENT, INTERRUPTED, UsageError
from helpers.report.run_results import Results
from helpers.scenario.result import RequirementState, Result, ScenarioResult
from helpers.sensitivity import verdicts
from helpers.sensitivity.assertion_score import merged
from helpers.sensitivity.systematic import Score, Systematic

States = Callable[[Iterable[ScenarioResult]], list[RequirementState]]


def merge_results(runs: Sequence[Results], states: States) -> list[Results]:
    """One result for each environment and version, in the order in which they were given.

    `states` computes the states of the requirements from all scenarios of a joined run: a
    requirement whose scenarios ran in different shards is verified by all of them together. A run that is
    given twice (by its folder and by `latest`) counts once.
    """
    groups: dict[tuple[str, str], list[Results]] = {}
    for run in {run.id: run for run in runs}.values():
        key = (str(run.run.get("environment")), str(run.run.get("clickhouse")))
        groups.setdefault(key, []).append(run)
    return [
        _merged(group, states) if len(group) > 1 or group[0].run.get("shard") else group[0]
        for group in groups.values()
    ]


def _merged(shards: Sequence[Results], states: States) -> Results:
    _check(shards)
    by_name: dict[str, list[ScenarioResult]] = {}
    for shard in shards:
        for scenario in shard.scenarios:
            by_name.setdefault(scenario.name, []).append(scenario)
    scenarios = tuple(_joined(results) for results in by_name.values())
    systematic = _merged_scores([shard.systematic for shard in shards if shard.systematic])
    requirements = states(scenarios)
    linked = {state.name: state.scenarios for state in requirements}
    written = [shard.sensitivity for shard in shards if shard.sensitivity]
    sensitivity = verdicts.merged(written, linked) if written else None
    if systematic:
        requirements = [systematic.apply(state) for state in requirements]
    if sensitivity:
        found = sensitivity.verdicts
        requirements = [
            found[state.name].apply(state) if state.name in found else state
            for state in requirements
        ]
    return Results(
        source=", ".join(shard.source for shard in shards),
        run=_facts(shards),
        scenarios=scenarios,
        requirements=tuple(requirements),
        sensitivity=sensitivity,
        systematic=systematic,
    )


def _check(shards: Sequence[Results]) -> None:
    for key, what in {"commit": "commits", "mutant": "mutants"}.items():
        values = {str(shard.run.get(key)): shard for shard in shards}
        if len(values) > 1:
            first, second, *_ = values.items()
            raise UsageError(
                f"{first[1].source} and {second[1].source} are of different {what} ({first[0]}, "
                f"{second[0]}): only shards of one run can be merged."
            )
    with_mutants = [shard.source for shard in shards if shard.sensitivity]
    without = [shard.source for shard in shards if not shard.sensitivity]
    if with_mutants and without:
        raise UsageError(
            f"{with_mutants[0]} has written mutants and {without[0]} has none: only shards of one "
            "run can be merged; give the other to ./regression.py coverage as a column."
        )


def _joined(results: Sequence[ScenarioResult]) -> ScenarioResult:
    """The result of a scenario; one that ended differently in several shards is flaky."""
    ran = [result for result in results if result.result != Result.NOT_RUN] or list(results)
    ends = dict.fromkeys(result.result for result in ran)
    if len(ends) == 1:
        return ran[0]
    worst = next((result for result in ran if result.unexpected), ran[0])
    reason = f"ended as {', '.join(ends)} in different shards"
    attempts = tuple(str(result.result) for result in ran)
    return replace(worst, result=Result.FLAKY, reason=reason, attempts=attempts)


def _facts(shards: Sequence[Results]) -> Mapping[str, Any]:
    """The section `run`: what the shards have in common, and which they were."""
    runs = [shard.run for shard in shards]
    common = {
        key: value
        for key, value in runs[0].items()
        if all(run.get(key) == value for run in runs[1:])
    }
    interrupted = [str(run["interrupted"]) for run in runs if run.get("interrupted")]
    return {
        **common,
        "id": "+".join(shard.id for shard in shards),
        "started": min(str(run.get("started")) for run in runs),
        "seconds": max(float(run.get("seconds") or 0) for run in runs),
        "exit_code": max(int(run.get("exit_code") or 0) for run in runs),
        "interrupted": interrupted[0] if interrupted else None,
        "shard": None,
        "seed": ", ".join(dict.fromkeys(str(run.get("seed")) for run in runs)),
        "shards": [shard.id for shard in shards],
        "incomplete": _incomplete(runs),
    }


def _incomplete(runs: Sequence[Mapping[str, Any]]) -> list[str]:
    """The shards that are missing, and those whose environment did not start or that were interrupted."""
    delivered = {str(run["shard"]): run for run in runs if run.get("shard")}
    broken = [
        f"shard {shard} ended with exit code {run['exit_code']}"
        for shard, run in delivered.items()
        if run.get("exit_code") in (ENVIRONMENT, INTERRUPTED)
    ]
    count = max((int(shard.partition("/")[2]) for shard in delivered), default=0)
    every = (f"{number}/{count}" for number in range(1, count + 1))
    return [f"shard {shard} is missing" for shard in every if shard not in delivered] + broken


def _merged_scores(sections: Sequence[Systematic]) -> Systematic | None:
    if not sections:
        return None
    return Systematic(
        total=sum((section.total for section in sections), Score()),
        requirements=_sums(section.requirements for section in sections),
        scenarios=_sums(section.scenarios for section in sections),
        survivors=tuple(survivor for section in sections for survivor in section.survivors),
        equivalents=tuple(known for section in sections for known in section.equivalents),
        not_tried=sum(section.not_tried for section in sections),
        bar=max(section.bar for section in sections),
        assertions=merged([section.assertions for section in sections]),
    )


def _sums(scores: Iterable[Mapping[str, Score]]) -> dict[str, Score]:
    sums: dict[str, Score] = {}
    for mapping in scores:
        for name, score in mapping.items():
            sums[name] = sums.get(name, Score()) + score
    return dict(sorted(sums.items()))
