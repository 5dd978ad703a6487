"""What the fast slice runs next, given results by hand."""

from __future__ import annotations

from typing import Any

from helpers.scenario.marks import Marks
from helpers.scenario.result import Link, Result, ScenarioResult
from helpers.scenario.scenario import Scenario
from helpers.sensitivity.mutant import Mutant
from helpers.sensitivity.strategy import Fast

OK = ScenarioResult("", Result.OK, seconds=1.0)
KILLED = ScenarioResult("", Result.FAIL, seconds=1.0, changes=1)
SURVIVED = ScenarioResult("", Result.OK, seconds=1.0, changes=1)


def scenario(name: str, *requirements: str) -> Scenario:
    links = tuple(Link(name, "1.0") for name in requirements)
    return Scenario(name, "feature", "topic", name, "", 1, links, Marks(), None)


def mutant(name: str, *requirements: str) -> Mutant:
    def tamper(_: Any) -> Any:
        raise NotImplementedError

    return Mutant(name, "", requirements, tamper)


def executed(strategy: Fast, ends: dict[str, ScenarioResult]) -> list[str]:
    """The jobs that are executed, in order; what `ends` does not name ends well."""
    queue, labels = list(strategy.first()), []
    while queue:
        job = queue.pop(0)
        labels.append(job.label)
        queue += strategy.next(job, ends.get(job.label, OK))
    return labels


def test_every_scenario_runs_as_it_is_and_one_mutant_is_killed() -> None:
    scenarios = [scenario("a", "RQ.A"), scenario("b", "RQ.A")]
    strategy = Fast(scenarios, [mutant("m", "RQ.A"), mutant("n", "RQ.A")])
    assert executed(strategy, {"a @ m": KILLED}) == ["a", "b", "a @ m"]


def test_one_mutant_serves_several_requirements() -> None:
    strategy = Fast([scenario("a", "RQ.A", "RQ.B")], [mutant("m", "RQ.A", "RQ.B")])
    assert executed(strategy, {"a @ m": KILLED}) == ["a", "a @ m"]


def test_what_survives_is_followed_by_the_next() -> None:
    strategy = Fast([scenario("a", "RQ.A")], [mutant("m", "RQ.A"), mutant("n", "RQ.A")])
    assert executed(strategy, {"a @ m": SURVIVED, "a @ n": KILLED}) == ["a", "a @ m", "a @ n"]


def test_a_scenario_that_fails_as_it_is_is_not_sabotaged() -> None:
    strategy = Fast([scenario("a", "RQ.A"), scenario("b", "RQ.A")], [mutant("m", "RQ.A")])
    failed = ScenarioResult("", Result.FAIL, seconds=1.0)
    assert executed(strategy, {"a": failed, "b @ m": KILLED}) == ["a", "b", "b @ m"]


def test_what_already_survived_for_another_requirement_is_passed_over() -> None:
    """RQ.B comes to the mutant that RQ.A has tried in vain, and goes on to the one behind it."""
    scenarios = [scenario("a", "RQ.A"), scenario("b", "RQ.A", "RQ.B")]
    mutants = [mutant(name, "RQ.B") for name in ("own", "second")]
    mutants += [mutant("both", "RQ.A", "RQ.B"), mutant("last", "RQ.?")]
    in_vain = ("a @ both", "b @ own", "b @ both", "b @ second")
    ends = dict.fromkeys(in_vain, SURVIVED) | dict.fromkeys(("a @ last", "b @ last"), KILLED)
    ran = executed(Fast(scenarios, mutants), ends)
    assert "b @ last" in ran and len(ran) == len(set(ran))
