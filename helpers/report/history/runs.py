"""Several runs of the same environment in the order of time: what broke when, what is flaky, what is slow.

One pure function from results to a history; the page and the console show nothing else.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from statistics import median
from typing import Any, NamedTuple

from helpers.report.history.heat_map import NIGHTS, HeatMap, heat_map
from helpers.report.run_results import Results
from helpers.report.triage import Earlier, triage
from helpers.scenario.result import Result, ScenarioResult, State
from helpers.sensitivity.mutant_ends import tally

SLOWEST = 20
RECENT = 5  # runs whose median is what a scenario takes now


class RunPoint(NamedTuple):
    """One run of the history."""

    id: str
    started: str
    commit: str
    environment: str
    clickhouse: str
    seconds: float
    states: Mapping[str, int]
    results: Mapping[str, int]
    interrupted: bool
    facts: Mapping[str, Any]

    @property
    def target(self) -> str:
        """What it ran on: the environment and the version."""
        return f"{self.environment} {self.clickhouse}".strip()


class Regression(NamedTuple):
    """A scenario that fails in the newest run that has it, since when, and when it last did not."""

    environment: str
    scenario: str
    result: Result
    reason: str
    first_bad: RunPoint
    last_good: RunPoint | None
    bad_runs: int
    triage: str


class FlakyScenario(NamedTuple):
    """A scenario that passes in some runs and fails in others between them."""

    environment: str
    scenario: str
    bad: int
    runs: int
    sequence: str


class SlowScenario(NamedTuple):
    """What a scenario takes now, and what it took before."""

    environment: str
    scenario: str
    seconds: float
    before: float | None


@dataclass(frozen=True)
class RunHistory:
    """Everything that is shown of a series of runs, the newest run last."""

    runs: tuple[RunPoint, ...]
    regressions: tuple[Regression, ...]
    flaky: tuple[FlakyScenario, ...]
    slowest: tuple[SlowScenario, ...]
    nights: tuple[HeatMap, ...]
    """For each environment and version: scenario × the last runs."""
    versions: HeatMap | None
    """Scenario × the newest run of each environment and version, if there are several."""


def build_history(results: Sequence[Results]) -> RunHistory:
    """The history of these runs, separately for each environment and version."""
    ordered = sorted(results, key=lambda run: (str(run.run.get("started")), run.id))
    points = [_point(run) for run in ordered]
    timelines: dict[tuple[str, str], list[tuple[RunPoint, ScenarioResult]]] = {}
    for run, point in zip(ordered, points, strict=True):
        for scenario in run.scenarios:
            if scenario.result not in (Result.NOT_RUN, Result.SKIP):
                key = (point.target, scenario.name)
                timelines.setdefault(key, []).append((point, scenario))
    regressions, flaky, slow = [], [], []
    for (environment, name), timeline in timelines.items():
        if timeline[-1][1].unexpected:
            regressions.append(_regression(environment, name, timeline))
        if _alternates([scenario for _, scenario in timeline]):
            flaky.append(_flaky(environment, name, timeline))
        slow.append(_slow(environment, name, timeline))
    slow.sort(key=lambda scenario: -scenario.seconds)
    return RunHistory(
        runs=tuple(points),
        regressions=tuple(sorted(regressions, key=lambda regression: regression.first_bad.started)),
        flaky=tuple(sorted(flaky, key=lambda scenario: -scenario.bad / scenario.runs)),
        slowest=tuple(slow[:SLOWEST]),
        nights=tuple(_nights(ordered, points)),
        versions=_versions(ordered, points),
    )


def _nights(runs: Sequence[Results], points: Sequence[RunPoint]) -> Iterator[HeatMap]:
    by_target: dict[str, list[tuple[str, Mapping[str, Result]]]] = {}
    days = {(point.target, point.started[:10]) for point in points}
    length = 10 if len(days) == len(points) else 16  # the time, too, where a day has several runs
    for run, point in zip(runs, points, strict=True):
        label = point.started[5:length].replace("T", " ")
        by_target.setdefault(point.target, []).append((label, _ends(run)))
    for target, columns in by_target.items():
        if len(columns) > 1:
            title = f"{target}, the last {min(NIGHTS, len(columns))} runs"
            yield heat_map(title, columns[-NIGHTS:])


def _versions(runs: Sequence[Results], points: Sequence[RunPoint]) -> HeatMap | None:
    newest = {point.target: _ends(run) for run, point in zip(runs, points, strict=True)}
    return heat_map("the newest run of each", [*newest.items()]) if len(newest) > 1 else None


def _ends(run: Results) -> dict[str, Result]:
    return {scenario.name: scenario.result for scenario in run.scenarios}


def _point(run: Results) -> RunPoint:
    facts = run.run
    return RunPoint(
        id=run.id,
        started=str(facts.get("started") or ""),
        commit=str(facts.get("commit") or ""),
        environment=str(facts.get("environment") or "unknown"),
        clickhouse=str(facts.get("clickhouse") or ""),
        seconds=float(facts.get("seconds") or 0),
        states=tally((requirement.state for requirement in run.requirements), State),
        results=tally((scenario.result for scenario in run.scenarios), Result),
        interrupted=bool(facts.get("interrupted")),
        facts=facts,
    )


def _regression(
    environment: str, name: str, timeline: Sequence[tuple[RunPoint, ScenarioResult]]
) -> Regression:
    good = [index for index, (_, scenario) in enumerate(timeline) if not scenario.unexpected]
    first_bad = good[-1] + 1 if good else 0
    newest = timeline[-1][1]
    return Regression(
        environment=environment,
        scenario=name,
        result=newest.result,
        reason=newest.reason or newest.message or "",
        first_bad=timeline[first_bad][0],
        last_good=timeline[good[-1]][0] if good else None,
        bad_runs=len(timeline) - first_bad,
        triage=_triage(timeline),
    )


def _triage(timeline: Sequence[tuple[RunPoint, ScenarioResult]]) -> str:
    """Whose fault the newest result is, by the runs before it; when it passed has a column of its own."""
    *before, (newest, scenario) = timeline
    earlier = [Earlier(result, point.facts) for point, result in reversed(before)]
    return triage(scenario, newest.facts, earlier).partition("; passed on ")[0]


def _alternates(scenarios: Sequence[ScenarioResult]) -> bool:
    """Whether it was flaky within a run, or failed between two runs in which it did not."""
    if any(scenario.result == Result.FLAKY for scenario in scenarios):
        return True
    good = [index for index, scenario in enumerate(scenarios) if not scenario.unexpected]
    return bool(good) and len(good) < good[-1] - good[0] + 1


def _flaky(
    environment: str, name: str, timeline: Sequence[tuple[RunPoint, ScenarioResult]]
) -> FlakyScenario:
    bad = sum(scenario.unexpected for _, scenario in timeline)
    marks = {Result.OK: ".", Result.XFAIL: ".", Result.FIXED: ".", Result.FLAKY: "~"}
    sequence = "".join(marks.get(scenario.result, "F") for _, scenario in timeline)
    return FlakyScenario(environment, name, bad, len(timeline), sequence)


def _slow(
    environment: str, name: str, timeline: Sequence[tuple[RunPoint, ScenarioResult]]
) -> SlowScenario:
    times = [scenario.seconds for _, scenario in timeline]
    before = times[:-RECENT]
    return SlowScenario(
        environment, name, median(times[-RECENT:]), median(before) if before else None
    )
