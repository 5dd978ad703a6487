"""Whose fault a failure is: what has changed since the scenario last passed, from what two runs recorded.

Nothing is guessed: an engine is told from another one by version and build, a scenario by the text of
everything it uses in scenarios/ and steps/ (`code`), the framework by its commit.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any, NamedTuple

from helpers.report.run_results import Results
from helpers.scenario.result import Broke, Result, ScenarioResult

COMMIT = 7  # the first digits of a commit that people know it by
SAYS_NOTHING = (Result.SKIP, Result.NOT_RUN)
MOST_MODULES = 3
BROKEN: Mapping[Broke, str] = {
    Broke.ENVIRONMENT: "environment: a server, the store or the worker broke, not a check",
    Broke.TIME_LIMIT: "time limit: a hang of the server, or a machine that is too slow",
}


class Earlier(NamedTuple):
    """A scenario in an earlier run, and the facts of that run."""

    scenario: ScenarioResult
    run: Mapping[str, Any]


def triaged(run: Results, earlier: Iterable[Results]) -> Results:
    """The same results with a triage for each failure, by the runs before it."""
    before = sorted((old for old in earlier if _is_before(old, run)), key=_started, reverse=True)
    found: dict[str, list[Earlier]] = {}
    for old in before:
        for scenario in old.scenarios:
            found.setdefault(scenario.name, []).append(Earlier(scenario, old.run))
    scenarios = tuple(
        replace(scenario, triage=triage(scenario, run.run, found.get(scenario.name, ())))
        if scenario.unexpected
        else scenario
        for scenario in run.scenarios
    )
    return replace(run, scenarios=scenarios)


def triage(scenario: ScenarioResult, run: Mapping[str, Any], earlier: Sequence[Earlier]) -> str:
    """Whose fault a failure is, in one line; `earlier` are runs of the same scenario, the newest first."""
    if run.get("mutant"):
        return f"mutant: the run was sabotaged by {run['mutant']}, as asked for"
    if scenario.broke is not None:
        return BROKEN[scenario.broke]
    if scenario.result == Result.FLAKY:
        return f"flaky: {_share(scenario)}"
    known = [each for each in earlier if each.scenario.result not in SAYS_NOTHING]
    if not known:
        return "new: no earlier run has this scenario"
    passed = next((each for each in known if not each.scenario.unexpected), None)
    if passed is None:
        return f"never seen to pass: fails since {_when(known[-1].run)} at the latest"
    failing = known[: known.index(passed)]
    since = f", failing since {_when(failing[-1].run)}" if failing else ""
    return f"{_changed(scenario, run, passed)}; passed on {_when(passed.run)}{since}"


def _changed(scenario: ScenarioResult, run: Mapping[str, Any], passed: Earlier) -> str:
    """What differs from the run in which it passed."""
    causes = []
    versions, builds = (
        [str(of.get(key) or "") for of in (passed.run, run)] for key in ("clickhouse", "build")
    )
    if versions[0] != versions[1]:
        causes.append(f"ClickHouse changed ({versions[0]} → {versions[1]})")
    elif all(builds) and builds[0] != builds[1]:
        causes.append("ClickHouse changed (another build)")
    options = [str(of.get("options") or "") for of in (passed.run, run)]
    if not causes and options[0] != options[1] and "options" in passed.run:
        causes.append(f"the options changed ({options[0] or 'none'} → {options[1] or 'none'})")
    modules = _differing(passed.scenario.code, scenario.code)
    if modules:
        shown = ", ".join(modules[:MOST_MODULES])
        more = f" and {len(modules) - MOST_MODULES} more" if len(modules) > MOST_MODULES else ""
        commits = f", {between}" if (between := _commits(passed.run, run)) else ""
        causes.append(f"the scenario or its steps changed ({shown}{more}{commits})")
    if causes:
        return " and ".join(causes)
    if not passed.scenario.code:
        return "not known: the earlier run did not record what the scenario was"
    if between := _commits(passed.run, run):
        return f"the framework changed ({between}), not the scenario, its steps or ClickHouse"
    if str(run.get("commit") or "").endswith("-changed"):
        return "not known: both runs had changed files, the scenario and its steps are the same"
    if passed.run.get("seed") != run.get("seed"):
        return f"only the seed changed ({passed.run.get('seed')} → {run.get('seed')}): that seed, or flaky"
    return "nothing changed: flaky"


def _differing(before: Mapping[str, str], now: Mapping[str, str]) -> list[str]:
    """The modules whose used part is another one; nothing is known of results of earlier versions."""
    if not before or not now:
        return []
    return sorted(module for module in {*before, *now} if before.get(module) != now.get(module))


def _commits(before: Mapping[str, Any], now: Mapping[str, Any]) -> str:
    """The two commits, if they differ."""
    commits = [str(of.get("commit") or "") for of in (before, now)]
    if commits[0] == commits[1] or not all(commits):
        return ""
    shown = [
        commit[:COMMIT] + ("-changed" if commit.endswith("-changed") else "") for commit in commits
    ]
    return f"{shown[0]} → {shown[1]}"


def _share(scenario: ScenarioResult) -> str:
    """How many of its attempts failed, and between which shares the true one lies (95 %, Wilson)."""
    number = len(scenario.attempts)
    if not number:
        return "failed in some attempts"
    bad = sum(attempt not in (Result.OK, Result.XFAIL) for attempt in scenario.attempts)
    low, high = interval(bad, number)
    return f"failed in {bad} of {number} attempts (true share {low:.0%} to {high:.0%})"


def interval(bad: int, number: int, z: float = 1.96) -> tuple[float, float]:
    """Wilson's interval for the share of failures."""
    share, square = bad / number, z * z
    middle = (share + square / (2 * number)) / (1 + square / number)
    half = z * math.sqrt(share * (1 - share) / number + square / (4 * number * number))
    half /= 1 + square / number
    return max(0.0, middle - half), min(1.0, middle + half)


def _when(run: Mapping[str, Any]) -> str:
    """A run as people name it: its time and its commit."""
    started = str(run.get("started") or run.get("id") or "an unknown day")[:16].replace("T", " ")
    commit = str(run.get("commit") or "")[:COMMIT]
    return f"{started}, {commit}" if commit else started


def _is_before(old: Results, run: Results) -> bool:
    """Whether a run came before this one, in the same environment and without a mutant."""
    is_same = old.run.get("environment") == run.run.get("environment")
    return is_same and not old.run.get("mutant") and _started(old) < _started(run)


def _started(run: Results) -> str:
    return str(run.run.get("started") or "")
