"""What the fast slice runs next, told the records by hand."""

from __future__ import annotations

from typing import Any

from helpers.marks import Marks
from helpers.mutants import Mutant
from helpers.runner.discover import Link, Scenario
from helpers.runner.hunt import Fast

OK = {"result": "OK", "seconds": 1.0}
KILLED = {"result": "Fail", "seconds": 1.0, "lies": 1}
SURVIVED = {"result": "OK", "seconds": 1.0, "lies": 1}


def scenario(name: str, *requirements: str) -> Scenario:
    links = tuple(Link(one, "1.0") for one in requirements)
    return Scenario(name, "feature", "topic", name, "", 1, links, Marks(), None)


def mutant(name: str, *requirements: str) -> Mutant:
    def sabotage(_: Any) -> Any:
        raise NotImplementedError

    return Mutant(name, "", requirements, sabotage)


def hunted(hunt: Fast, ends: dict[str, dict[str, Any]]) -> list[str]:
    """The names of what is run, in order; what `ends` does not name ends well."""
    queue, ran = list(hunt.first()), []
    while queue:
        one = queue.pop(0)
        ran.append(one.name)
        queue += hunt.more(one, ends.get(one.name, OK))
    return ran


def test_every_scenario_runs_as_it_is_and_one_mutant_is_killed() -> None:
    scenarios = [scenario("a", "RQ.A"), scenario("b", "RQ.A")]
    hunt = Fast(scenarios, [mutant("m", "RQ.A"), mutant("n", "RQ.A")])
    assert hunted(hunt, {"a @ m": KILLED}) == ["a", "b", "a @ m"]


def test_one_mutant_serves_several_requirements() -> None:
    hunt = Fast([scenario("a", "RQ.A", "RQ.B")], [mutant("m", "RQ.A", "RQ.B")])
    assert hunted(hunt, {"a @ m": KILLED}) == ["a", "a @ m"]


def test_what_survives_is_followed_by_the_next() -> None:
    hunt = Fast([scenario("a", "RQ.A")], [mutant("m", "RQ.A"), mutant("n", "RQ.A")])
    assert hunted(hunt, {"a @ m": SURVIVED, "a @ n": KILLED}) == ["a", "a @ m", "a @ n"]


def test_a_scenario_that_fails_as_it_is_is_not_sabotaged() -> None:
    hunt = Fast([scenario("a", "RQ.A"), scenario("b", "RQ.A")], [mutant("m", "RQ.A")])
    failed = {"result": "Fail", "seconds": 1.0}
    assert hunted(hunt, {"a": failed, "b @ m": KILLED}) == ["a", "b", "b @ m"]


def test_what_already_survived_for_another_requirement_is_passed_over() -> None:
    """RQ.B comes to the mutant that RQ.A has tried in vain, and goes on to the one behind it."""
    scenarios = [scenario("a", "RQ.A"), scenario("b", "RQ.A", "RQ.B")]
    mutants = [mutant(name, "RQ.B") for name in ("own", "second")]
    mutants += [mutant("both", "RQ.A", "RQ.B"), mutant("last", "RQ.?")]
    in_vain = ("a @ both", "b @ own", "b @ both", "b @ second")
    ends = dict.fromkeys(in_vain, SURVIVED) | dict.fromkeys(("a @ last", "b @ last"), KILLED)
    ran = hunted(Fast(scenarios, mutants), ends)
    assert "b @ last" in ran and len(ran) == len(set(ran))
