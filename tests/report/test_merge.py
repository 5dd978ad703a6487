"""Joining the shards of a run, from Python and as the command `coverage merge`."""

from __future__ import annotations

import json
from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest

from helpers.base.errors import UsageError
from helpers.cli.main import main
from helpers.report import project
from helpers.report.load import load_results, read_results
from helpers.report.merge import merge_results
from helpers.report.run_results import Results
from helpers.runner.discovery import load
from helpers.scenario.result import RequirementState, Result, ScenarioResult, State
from helpers.sensitivity.mutant_ends import (
    IMMUNE,
    KILLED,
    NO_MUTANT,
    NOT_APPLICABLE,
    SURVIVED,
    UNSETTLED,
    MutantEntry,
    Sensitivity,
    Verdict,
)
from helpers.sensitivity.systematic import Score, Systematic
from helpers.sensitivity.verdicts import merged

Document = dict[str, Any]


def shard(document: Document, number: int, scenarios: dict[str, str], **facts: object) -> Results:
    """A shard in which scenarios of these names ended so."""
    entry = document["scenarios"][0]
    entries = [{**entry, "name": name, "result": result} for name, result in scenarios.items()]
    run = {**document["run"], "id": f"r{number}", "clickhouse": "26.9", "commit": "c1", **facts}
    return read_results({**document, "run": run, "scenarios": entries}, f"shard{number}.json")


def unchanged(document: Document) -> Any:
    """Stands for what computes the states; it shows which scenarios it was given."""

    def states(scenarios: Iterable[ScenarioResult]) -> list[RequirementState]:
        (state,) = read_results(document, "x").requirements
        return [replace(state, scenarios=tuple(scenario.name for scenario in scenarios))]

    return states


def test_scenarios_of_all_shards_decide_together(document: Document) -> None:
    shards = [
        shard(document, 1, {"/a/1": "OK"}, seconds=3.0, seed=1, exit_code=0),
        shard(document, 2, {"/a/2": "Fail"}, seconds=5.0, seed=2, exit_code=1),
    ]
    (joined,) = merge_results(shards, unchanged(document))
    assert [scenario.name for scenario in joined.scenarios] == ["/a/1", "/a/2"]
    assert joined.requirements[0].scenarios == ("/a/1", "/a/2")
    assert joined.run["shards"] == ["r1", "r2"] and joined.run["exit_code"] == 1
    assert joined.run["seconds"] == 5.0 and joined.run["seed"] == "1, 2"
    assert read_results(json.loads(joined.text()), "again").scenarios == joined.scenarios


def test_a_shard_that_is_given_twice_counts_once(document: Document) -> None:
    again = [shard(document, 1, {"/a/1": "OK"}), shard(document, 2, {"/a/2": "OK"})]
    (joined,) = merge_results([*again, again[0]], unchanged(document))
    assert joined.run["shards"] == ["r1", "r2"]


def test_other_environments_and_versions_stay_columns_of_their_own(document: Document) -> None:
    runs = [
        shard(document, 1, {"/a/1": "OK"}),
        shard(document, 2, {"/a/1": "OK"}, clickhouse="26.7"),
        shard(document, 3, {"/a/2": "OK"}),
        shard(document, 4, {"/a/1": "OK"}, environment="docker"),
    ]
    joined = merge_results(runs, unchanged(document))
    assert [run.id for run in joined] == ["r1+r3", "r2", "r4"]


@pytest.mark.parametrize(
    ("first", "second", "expected"),
    [
        ("OK", "OK", Result.OK),
        ("NotRun", "XFail", Result.XFAIL),
        ("OK", "Fail", Result.FLAKY),
        ("Skip", "OK", Result.FLAKY),
        ("NotRun", "NotRun", Result.NOT_RUN),
    ],
)
def test_a_scenario_in_two_shards(
    document: Document, first: str, second: str, expected: Result
) -> None:
    shards = [shard(document, 1, {"/a/1": first}), shard(document, 2, {"/a/1": second})]
    (joined,) = merge_results(shards, unchanged(document))
    (scenario,) = joined.scenarios
    assert scenario.result == expected
    if expected == Result.FLAKY:
        assert scenario.attempts == (first, second)
        assert scenario.reason == f"ended as {first}, {second} in different shards"


def test_scores_of_generated_mutants_are_added(document: Document) -> None:
    def scored(number: int, killed: int) -> Results:
        systematic = Systematic(
            Score(killed, 10), {"RQ.SRS-900.A": Score(killed, 10)}, {}, (), (), not_tried=1
        )
        return replace(shard(document, number, {f"/a/{number}": "OK"}), systematic=systematic)

    (joined,) = merge_results([scored(1, 10), scored(2, 7)], unchanged(document))
    assert joined.systematic is not None
    assert joined.systematic.requirements == {"RQ.SRS-900.A": Score(17, 20)}
    assert joined.systematic.total == Score(17, 20) and joined.systematic.not_tried == 2


ONE, TWO, THREE = "RQ.SRS-900.Example.One", "RQ.SRS-900.Example.Two", "RQ.SRS-900.Example.Three"


def section(
    verdicts: dict[str, tuple[str, dict[str, str]]],
    scenarios: dict[str, dict[str, str]],
    *,
    thorough: bool = True,
) -> Sensitivity:
    """What one shard showed of three written mutants."""
    return Sensitivity(
        thorough=thorough,
        mutants=(
            MutantEntry("lies", "", (ONE,)),
            MutantEntry("loses", "", ("*.Two",)),
            MutantEntry("sleeps", "", (THREE,)),
        ),
        requirements=tuple(
            Verdict(name, verdict, "why", ends) for name, (verdict, ends) in verdicts.items()
        ),
        scenarios=scenarios,
        blind={name: "never" for name, ends in scenarios.items() if KILLED not in ends.values()},
        idle=(),
    )


LINKED = {ONE: ["/a/1", "/a/2"], TWO: ["/a/1"], THREE: ["/a/1", "/a/2"]}
FIRST = section(
    {ONE: (SURVIVED, {"lies": SURVIVED}), TWO: (KILLED, {"loses": KILLED}), THREE: (IMMUNE, {})},
    {"/a/1": {"lies": SURVIVED, "loses": KILLED, "sleeps": NOT_APPLICABLE}},
)
SECOND = section(
    {ONE: (KILLED, {"lies": KILLED}), THREE: (IMMUNE, {})},
    {"/a/2": {"lies": KILLED, "sleeps": NOT_APPLICABLE}},
)


def test_a_mutant_that_one_shard_notices_is_killed() -> None:
    both = merged([FIRST, SECOND], LINKED)
    verdicts = {name: (each.verdict, each.mutants) for name, each in both.verdicts.items()}
    assert verdicts == {
        ONE: (KILLED, {"lies": KILLED}),
        TWO: (KILLED, {"loses": KILLED}),
        THREE: (IMMUNE, {}),
    }
    assert both.verdicts[ONE].reason == "1 of 1 mutants killed"
    assert set(both.scenarios) == {"/a/1", "/a/2"} and both.blind == {}
    alone = merged([FIRST], LINKED)
    assert (alone.verdicts[ONE].verdict, alone.bad) == (SURVIVED, True)


def test_a_mutant_is_idle_if_all_its_scenarios_ran_and_it_changed_nothing() -> None:
    assert merged([FIRST], LINKED).idle == ()
    assert merged([FIRST, SECOND], LINKED).idle == ("sleeps",)
    assert merged([FIRST, SECOND], {**LINKED, THREE: ["/a/1", "/a/2", "/a/3"]}).idle == ()


def test_a_scenario_that_noticed_nothing_stays_blind() -> None:
    blind = section({}, {"/a/2": {"lies": SURVIVED}})
    assert merged([FIRST, blind], LINKED).blind == {"/a/2": "never"}


def test_a_survivor_of_a_fast_run_is_unsettled_where_another_mutant_was_killed() -> None:
    shards = [
        section({ONE: (SURVIVED, {"lies": SURVIVED})}, {}, thorough=False),
        section({ONE: (KILLED, {"loses": KILLED})}, {}),
    ]
    assert merged(shards, LINKED).verdicts[ONE].mutants == {"lies": UNSETTLED, "loses": KILLED}
    assert merged(shards, LINKED).verdicts[ONE].verdict == KILLED


@pytest.mark.parametrize(
    ("found", "expected"),
    [
        ((NO_MUTANT, NO_MUTANT), NO_MUTANT),
        ((NO_MUTANT, KILLED), KILLED),  # by a generated one
        ((NOT_APPLICABLE, NO_MUTANT), NOT_APPLICABLE),
    ],
)
def test_verdicts_without_written_mutants(found: tuple[str, ...], expected: str) -> None:
    shards = [section({ONE: (verdict, {})}, {}) for verdict in found]
    assert merged(shards, LINKED).verdicts[ONE].verdict == expected


def test_results_with_written_mutants_are_joined(document: Document) -> None:
    name = read_results(document, "x").requirements[0].name
    shards = [
        replace(
            shard(document, number, {f"/a/{number}": "OK"}),
            sensitivity=section({name: (end, {"lies": end})}, {f"/a/{number}": {"lies": end}}),
        )
        for number, end in ((1, SURVIVED), (2, SURVIVED))
    ]
    (joined,) = merge_results(shards, unchanged(document))
    assert joined.sensitivity and joined.sensitivity.verdicts[name].verdict == SURVIVED
    assert joined.requirements[0].state == State.FAILING
    assert "lies was not noticed" in str(joined.requirements[0].reason)
    assert read_results(json.loads(joined.text()), "again").sensitivity == joined.sensitivity
    with pytest.raises(UsageError, match=r"shard1.json has written mutants and shard2.json has no"):
        merge_results([shards[0], replace(shards[1], sensitivity=None)], unchanged(document))


def test_shards_of_different_commits_are_refused(document: Document) -> None:
    shards = [shard(document, 1, {"/a/1": "OK"}), shard(document, 2, {"/a/2": "OK"}, commit="c2")]
    with pytest.raises(UsageError, match=r"shard1.json and shard2.json are of different commits"):
        merge_results(shards, unchanged(document))


def test_the_command_writes_results_and_reports(tmp_path: Path) -> None:
    tree = project.read_tree(load())
    for number in (1, 2):
        run = {"id": f"r{number}", "started": "2026-11-16T00:00:00Z", "environment": "embedded"}
        scenarios = (ScenarioResult("/feature/topic/rows", Result.OK),)
        results = Results(f"s{number}", run, scenarios, tuple(tree.states(())))
        results.write(tmp_path / f"shard{number}.json")
    shards = [str(tmp_path / f"shard{number}.json") for number in (1, 2)]
    output = tmp_path / "merged"
    assert main(["coverage", "merge", *shards, "--output", str(output)]) == 0
    suites = ElementTree.parse(output / "junit.xml").getroot()
    assert [case.get("name") for case in suites.iter("testcase")] == ["rows"]
    assert load_results(output).run["shards"] == ["r1", "r2"]
    assert (output / "coverage.html").exists() and (output / "coverage.md").exists()


def test_what_the_command_refuses(
    document: Document, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "results.json"
    file.write_text(json.dumps(document))
    assert main(["coverage", "merge"]) == 2
    assert main(["coverage", "merge", str(file)]) == 2
    assert "needs results of shards, and --output DIR" in capsys.readouterr().err
    assert main(["coverage", "merge", str(file), "--output", str(tmp_path / "out")]) == 2
    assert "of other specifications than the ones here" in capsys.readouterr().err
