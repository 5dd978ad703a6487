"""Whose fault a failure is: each cause by itself, from what two runs recorded."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pytest

from helpers.report.triage import Earlier, interval, triage
from helpers.scenario.result import Broke, Result, ScenarioResult

NAME = "/feature/topic/scenario"
BEFORE: Mapping[str, Any] = {
    "started": "2026-11-18T21:11:00Z",
    "environment": "embedded",
    "clickhouse": "26.9.2.1",
    "build": "A7",
    "commit": "ff96f99aa",
    "seed": 1,
    "options": "",
}
NOW = {**BEFORE, "started": "2026-11-19T21:11:00Z"}
CODE = {"scenarios.feature.topic": "1", "steps.tables": "2"}
PASSED = ScenarioResult(NAME, Result.OK, code=CODE)
FAILED = ScenarioResult(NAME, Result.FAIL, reason="is 1, expected 2", code=CODE)
ON = "passed on 2026-11-18 21:11, ff96f99"


@pytest.mark.parametrize(
    ("now", "code", "expected"),
    [
        (
            {"clickhouse": "26.10.1.1", "build": "B1"},
            CODE,
            f"ClickHouse changed (26.9.2.1 → 26.10.1.1); {ON}",
        ),
        ({"build": "B1"}, CODE, f"ClickHouse changed (another build); {ON}"),
        (
            {"commit": "d6e8044aa"},
            {**CODE, "steps.tables": "3"},
            f"the scenario or its steps changed (steps.tables, ff96f99 → d6e8044); {ON}",
        ),
        (
            {"build": "B1", "commit": "ff96f99aa-changed"},
            {**CODE, "steps.parts": "1"},
            "ClickHouse changed (another build) and the scenario or its steps changed "
            f"(steps.parts, ff96f99 → ff96f99-changed); {ON}",
        ),
        (
            {"commit": "d6e8044aa"},
            CODE,
            f"the framework changed (ff96f99 → d6e8044), not the scenario, its steps or ClickHouse; {ON}",
        ),
        ({"options": "--setting a=1"}, CODE, f"the options changed (none → --setting a=1); {ON}"),
        ({"mutant": "wrong-sum"}, CODE, "mutant: the run was sabotaged by wrong-sum, as asked for"),
        ({"seed": 2}, CODE, f"only the seed changed (1 → 2): that seed, or flaky; {ON}"),
        ({}, CODE, f"nothing changed: flaky; {ON}"),
    ],
)
def test_what_has_changed(now: dict[str, Any], code: dict[str, str], expected: str) -> None:
    failed = ScenarioResult(NAME, Result.FAIL, code=code)
    assert triage(failed, {**NOW, **now}, [Earlier(PASSED, BEFORE)]) == expected


def test_a_failure_between_is_said() -> None:
    earlier = [
        Earlier(FAILED, {**BEFORE, "started": "2026-11-19T02:00:00Z"}),
        Earlier(PASSED, BEFORE),
    ]
    assert triage(FAILED, NOW, earlier).endswith(f"{ON}, failing since 2026-11-19 02:00, ff96f99")


def test_runs_without_a_result_of_it_say_nothing() -> None:
    skipped = ScenarioResult(NAME, Result.SKIP)
    assert (
        triage(FAILED, NOW, [Earlier(skipped, BEFORE)]) == "new: no earlier run has this scenario"
    )


def test_runs_of_earlier_versions_recorded_less() -> None:
    old = {key: value for key, value in BEFORE.items() if key != "build"}
    text = triage(FAILED, NOW, [Earlier(ScenarioResult(NAME, Result.OK), old)])
    assert text.startswith(
        "not known: the earlier run did not record what the scenario was; passed"
    )


def test_what_never_passed() -> None:
    text = triage(FAILED, NOW, [Earlier(FAILED, BEFORE)])
    assert text == "never seen to pass: fails since 2026-11-18 21:11, ff96f99 at the latest"


@pytest.mark.parametrize("broke", Broke)
def test_what_the_environment_ended(broke: Broke) -> None:
    failed = ScenarioResult(NAME, Result.ERROR, broke=broke)
    assert triage(failed, {**NOW, "build": "B1"}, [Earlier(PASSED, BEFORE)]).startswith(
        f"{broke}: "
    )


def test_flaky_says_how_often() -> None:
    flaky = ScenarioResult(NAME, Result.FLAKY, attempts=("Fail", "OK", "OK", "OK"))
    assert triage(flaky, NOW, []) == "flaky: failed in 1 of 4 attempts (true share 5% to 70%)"


@pytest.mark.parametrize(("bad", "number"), [(0, 5), (5, 5), (1, 20), (10, 20)])
def test_the_interval_holds_the_share(bad: int, number: int) -> None:
    low, high = interval(bad, number)
    assert 0 <= low <= bad / number <= high <= 1
    assert interval(bad * 100, number * 100)[1] - interval(bad * 100, number * 100)[0] < high - low


def test_files_that_were_changed_in_both_runs_are_not_called_the_same() -> None:
    changed = {"commit": "ff96f99aa-changed"}
    told = triage(FAILED, {**NOW, **changed}, [Earlier(PASSED, {**BEFORE, **changed})])
    assert told.startswith("not known: both runs had changed files")
