"""Assertions of scenarios: which are found, which were reached, and at which one a scenario ended."""

from __future__ import annotations

import ast
import importlib
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from types import ModuleType

import pytest

from helpers.cluster.client.failures import QueryFailed
from helpers.scenario.result import RequirementState, Result, ScenarioResult, State
from helpers.scenario.scenario import Job, Key
from helpers.scenario.waiting import eventually
from helpers.sensitivity import assertions
from helpers.sensitivity.assertion_score import AssertionScore, Unproven, merged, score_assertions
from helpers.sensitivity.assertions import ASSERTIONS, assertions_in
from helpers.sensitivity.sampling import SystematicStrategy
from helpers.sensitivity.systematic import Score, Systematic
from tests.sensitivity.conftest import Sabotaged

STEPS = """\
with Given("a table"):
    insert()
with And("another one"):
    insert()
with Then("it is there"):
    is_there()
with And("it has rows"):
    assert rows() == [
        1
    ], error()
with But("not these"):
    # no mutant: no answer has both
    assert_no_violations({})
"""


def test_what_an_assertion_is() -> None:
    found = assertions_in(ast.parse(STEPS), "f.py", STEPS.split("\n"))
    assert [(each.place, each.text, each.is_step) for each in found] == [
        ("f.py:5", "Then('it is there')", True),
        ("f.py:8", "assert rows() == [1]", False),
        ("f.py:13", "assert_no_violations({})", False),
    ]
    assert [each.reason for each in found] == ["", "", "no answer has both"]


@pytest.fixture
def loaded(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> Iterator[Callable[[str], ModuleType]]:
    """Load a module of a package whose assertions are followed."""
    monkeypatch.syspath_prepend(str(tmp_path))
    monkeypatch.setattr(sys, "meta_path", [*sys.meta_path])
    assertions.install(["followed"])
    (tmp_path / "followed").mkdir()
    (tmp_path / "followed/__init__.py").touch()

    def load(text: str) -> ModuleType:
        (tmp_path / "followed/topic.py").write_text(text)
        ASSERTIONS.start()
        return importlib.import_module("followed.topic")

    yield load
    for name in ("followed", "followed.topic"):
        sys.modules.pop(name, None)


TWO = """\
from helpers.scenario.violations import assert_no_violations

def inner(value):
    assert value > 0, "inner"
    return value

def check(value, cells=()):
    assert (
        inner(value) == 1
    ), "outer"
    assert_no_violations(dict(cells))
"""


def ended(check: Callable[[], object]) -> tuple[str, ...]:
    try:
        check()
    except AssertionError as error:
        return ASSERTIONS.ended(error)
    return ()


def places() -> list[str]:
    return [str(each["place"]).removeprefix("followed/topic.py:") for each in ASSERTIONS.reached()]


def test_where_it_ends_and_what_it_reached(loaded: Callable[[str], ModuleType]) -> None:
    topic = loaded(TWO)
    assert ended(lambda: topic.check(1)) == ()
    assert places() == ["8", "4", "11"]
    assert ended(lambda: topic.check(2)) == ("followed/topic.py:8",)
    assert ended(lambda: topic.check(0)) == ("followed/topic.py:4",)
    assert ended(lambda: topic.check(1, {"a": "b"})) == ("followed/topic.py:11",)


def test_without_one_of_them_the_next_one_notices(loaded: Callable[[str], ModuleType]) -> None:
    topic = loaded(TWO)
    ASSERTIONS.start(switched_off="followed/topic.py:8")
    assert ended(lambda: topic.check(2)) == ()
    assert ended(lambda: topic.check(2, {"a": "b"})) == ("followed/topic.py:11",)
    assert ended(lambda: topic.check(-2)) == ("followed/topic.py:4",)
    ASSERTIONS.start(switched_off="followed/topic.py:11")
    assert ended(lambda: topic.check(1, {"a": "b"})) == ()


def test_what_is_asked_again_and_again_ends_where_it_was_wrong(
    loaded: Callable[[str], ModuleType],
) -> None:
    topic = loaded(TWO)
    wait = lambda: eventually(lambda: topic.inner(0), timeout=0.01)  # noqa: E731
    assert ended(wait) == ("followed/topic.py:4",)


BARE = """\
class Then:
    def __init__(self, name): pass
    def __enter__(self): pass
    def __exit__(self, *exception): pass

def scenario(check):
    with Then("it answers"):
        check()
"""


def test_a_step_without_an_assertion_counts_itself(loaded: Callable[[str], ModuleType]) -> None:
    topic = loaded(BARE)

    def refused() -> None:
        raise QueryFailed(code=62, message="no", node="node1", sql="SELECT", user="me", seconds=0.1)

    assert ended(lambda: topic.scenario(lambda: None)) == ()
    assert places() == ["7"]
    assert ended(lambda: topic.scenario(refused)) == ("followed/topic.py:7",)


def reached(place: str, reason: str = "") -> dict[str, object]:
    return {"place": place, "text": f"assert {place}", "reason": reason, "is_step": False}


def results(**facts: object) -> dict[Key, ScenarioResult]:
    """A scenario as it is, and one mutant that ended with these facts."""
    generated = ({"name": "drop@f.py:1#1", "text": "", "equivalent": None},)
    places = (reached("a.py:1"), reached("a.py:2"), reached("steps/b.py:3", "known"))
    unchanged = ScenarioResult("s", Result.OK, generated=generated, reached=places)
    given = {"result": Result.FAIL, "changes": 1, "ended": ("a.py:1",), **facts}
    mutated = ScenarioResult("s", mutant="drop@f.py:1#1", **given)  # type: ignore[arg-type]
    return {("s", None): unchanged, ("s", "drop@f.py:1#1"): mutated}


def test_the_score_of_assertions() -> None:
    score = score_assertions(results())
    assert score.ended == ("a.py:1",)
    assert [each.place for each in score.unproven] == ["a.py:2", "steps/b.py:3"]
    assert (score.share, score.bad) == (0.5, True)  # the one with a reason does not count
    # Only a mutant that was noticed proves anything.
    for facts in ({"changes": 0}, {"result": Result.OK}, {"broken": "a bug"}, {"changes": None}):
        assert score_assertions(results(**facts)).ended == (), facts


def test_a_deviation_that_passes_has_ended_where_it_fails_as_it_is() -> None:
    given = results(result=Result.XPASS, ended=())
    unchanged = given["s", None]
    given["s", None] = ScenarioResult(
        "s", Result.XFAIL, reached=unchanged.reached, ended=("a.py:2",)
    )
    assert score_assertions(given).ended == ("a.py:2",)


def test_of_several_shards_any_may_prove_it() -> None:
    one = AssertionScore(("a",), (Unproven("b", "", "", ("s",)), Unproven("c", "", "", ("s",))))
    two = AssertionScore(("b",), (Unproven("c", "", "", ("t",)),))
    both = merged([one, two])
    assert both.ended == ("a", "b")
    assert both.unproven == (Unproven("c", "", "", ("s", "t")),)
    assert AssertionScore().bad, "nothing reached is nothing proven"


@pytest.mark.parametrize(
    ("place", "scenario", "reason", "state"),
    [
        ("scenarios/f/t.py:3", "s", "", State.FAILING),
        ("scenarios/f/t.py:3", "other", "", State.VERIFIED),
        ("scenarios/f/t.py:3", "s", "it cannot", State.VERIFIED),
        ("steps/t.py:3", "s", "", State.VERIFIED),
    ],
)
def test_a_requirement_whose_assertion_is_not_proven_is_not_verified(
    place: str, scenario: str, reason: str, state: State
) -> None:
    score = AssertionScore(("x",), (Unproven(place, "assert x", reason, (scenario,)),))
    status = RequirementState("RQ", "1", "S", "f", 1, State.VERIFIED, None, scenarios=("s",))
    for not_tried, expected in ((0, state), (5, State.VERIFIED)):
        whole = Systematic(
            Score(1, 1), {"RQ": Score(9, 9)}, {}, (), (), not_tried, assertions=score
        )
        assert whole.apply(status).state == expected


def test_a_killed_mutant_goes_on_without_its_assertion_if_that_may_prove_another_one() -> None:
    from tests.sensitivity.test_systematic import scenario

    given, one = results(), scenario("s")
    unchanged, mutated = given["s", None], given["s", "drop@f.py:1#1"]
    strategy = SystematicStrategy([one], seed=1)
    (job,) = strategy.next(Job(one), unchanged)
    (again,) = strategy.next(job, mutated)
    assert again.mutant == "drop@f.py:1#1 without a.py:1"
    assert strategy.next(again, mutated) == []  # once
    last = SystematicStrategy([one], seed=1)
    (job,) = last.next(Job(one), unchanged)
    ends = ("steps/b.py:3",)
    assert last.next(job, results(ended=ends)["s", "drop@f.py:1#1"]) == []  # nothing comes after it


SCENARIO = """
@TestScenario
@Requirements(Requirement("RQ.One", "1.0"))
def looks_twice(self):
    node = this().node()
    with Given("a table"):
        node.query("CREATE TABLE t (x UInt8) ENGINE = MergeTree ORDER BY x")
        node.query("INSERT INTO t VALUES", data=[(1,), (2,)])
    with Then("it has its rows"):
        assert node.query("SELECT x FROM t ORDER BY x") == {expected}, error()
    with And("they are counted"):
        assert node.value("SELECT count() FROM t") == 2, error()
"""
SAME = 'node.query("SELECT x FROM t ORDER BY x")'


@pytest.mark.parametrize(("expected", "proven"), [("[(1,), (2,)]", True), (SAME, False)])
def test_an_assertion_that_reads_both_sides_the_same_way_is_listed(
    sabotaged: Sabotaged, expected: str, proven: bool
) -> None:
    sabotaged.write(SCENARIO.replace("{expected}", expected))
    given = sabotaged.run("--systematic", "--workers", "1", "--seed", "1")
    score = given.document["sensitivity"]["generated"]["assertions"]
    assert len(score["ended"]) + len(score["unproven"]) == 2, given.out + given.err
    assert [each["text"].startswith("assert node.query") for each in score["unproven"]] == (
        [] if proven else [True]
    )
    assert given.code == (0 if proven else 1), given.out
    assert ("of 2 assertions (100.0%)" in given.out) == proven
