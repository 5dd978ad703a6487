"""The states of requirements: each state, and which one wins where several apply."""

from __future__ import annotations

from dataclasses import replace

import pytest

from bench.samples import sample_scenario
from helpers.report.states import requirement_states
from helpers.scenario.result import Link, Result, ScenarioResult, State
from helpers.scenario.scenario import Scenario
from requirements.compiler.specification import RequirementText, Specification

NAME = "RQ.SRS-900.A"


def requirement(version: str = "1.0", untested_reason: str = "") -> RequirementText:
    return RequirementText(
        name=NAME,
        version=version,
        specification="SRS-900",
        heading_path=("Basics", NAME),
        level=3,
        number="1.1",
        file="requirements/srs900.md",
        line=9,
        text="It SHALL hold.",
        content_hash="new",
        origin="",
        untested_reason=untested_reason,
        python_name="RQ_SRS_900_A",
    )


def specification(*texts: RequirementText, state: str = "", reason: str = "") -> Specification:
    return Specification(
        "SRS-900", "Samples", "f.md", 1, state, reason, (), texts or (requirement(),)
    )


def link(scenario: str = "/a/b/one", version: str = "1.0") -> Scenario:
    return sample_scenario(scenario, (NAME, version))


def ended(
    result: str, name: str = "/a/b/one", version: str = "1.0", **more: object
) -> ScenarioResult:
    links = (Link(NAME, version),)
    return ScenarioResult(name, Result(result), requirements=links, **more)  # type: ignore[arg-type]


def state_of(
    links: list[Scenario],
    results: list[ScenarioResult],
    accepted: dict[str, tuple[str, str]] | None = None,
    of: Specification | None = None,
) -> tuple[str, str | None]:
    (state,) = requirement_states([of or specification()], links, results, accepted or {})
    return state.state, state.reason


TWO = [link(), link("/a/b/two")]
OLD_TEXT = {NAME: ("1.0", "old")}


@pytest.mark.parametrize(
    ("links", "results", "accepted", "expected"),
    [
        ([], [], {}, State.UNTESTED),
        ([link()], [ended("OK")], {}, State.VERIFIED),
        ([link()], [ended("OK")], {NAME: ("1.0", "new")}, State.VERIFIED),
        ([link()], [ended("XFail")], {}, State.DEVIATES),
        ([link()], [ended("Fail")], {}, State.FAILING),
        ([link()], [ended("Error")], {}, State.FAILING),
        ([link()], [ended("XPass")], {}, State.FAILING),
        ([link()], [ended("Skip")], {}, State.BLOCKED),
        ([link()], [ended("NotRun")], {}, State.NOT_RUN),
        ([link()], [], {}, State.NOT_RUN),
        ([link(version="0.9")], [], {}, State.OUTDATED),
        ([link(version="none")], [ended("OK")], {}, State.OUTDATED),
        ([], [ended("OK", version="0.9")], {}, State.OUTDATED),
        ([link()], [ended("OK")], OLD_TEXT, State.SUSPECT),
        ([link()], [ended("OK")], {NAME: ("0.9", "new")}, State.SUSPECT),
        # Of several the worst wins.
        (TWO, [ended("Fail"), ended("OK", "/a/b/two")], OLD_TEXT, State.FAILING),
        ([link(version="0.9")], [ended("Fail")], OLD_TEXT, State.FAILING),
        ([link(version="0.9")], [ended("XFail")], OLD_TEXT, State.OUTDATED),
        (TWO, [ended("OK"), ended("XFail", "/a/b/two")], OLD_TEXT, State.SUSPECT),
        (TWO, [ended("OK"), ended("XFail", "/a/b/two")], {}, State.DEVIATES),
        (TWO, [ended("XFail")], {}, State.DEVIATES),
        (TWO, [ended("OK")], {}, State.NOT_RUN),
        (TWO, [ended("Skip")], {}, State.NOT_RUN),
        (TWO, [ended("OK"), ended("Skip", "/a/b/two")], {}, State.BLOCKED),
        (TWO, [ended("OK"), ended("OK", "/a/b/two")], {}, State.VERIFIED),
    ],
)
def test_state(
    links: list[Scenario],
    results: list[ScenarioResult],
    accepted: dict[str, tuple[str, str]],
    expected: State,
) -> None:
    assert state_of(links, results, accepted)[0] == expected


def test_an_example_of_an_outline_counts_as_its_scenario() -> None:
    assert state_of([link("/a/b/one")], [ended("OK", "/a/b/one/first example")])[0] == "verified"


def test_a_longer_name_is_another_scenario() -> None:
    assert state_of([link("/a/b/one")], [ended("OK", "/a/b/one more")])[0] == "not run"


def test_planned_until_a_scenario_exists() -> None:
    planned = specification(state="planned", reason="other builds only")
    assert state_of([], [], of=planned) == ("planned", "other builds only")
    assert state_of([link()], [], of=planned)[0] == "not run"
    assert state_of([link()], [ended("OK")], of=planned)[0] == "verified"


def test_a_stated_reason_for_no_scenario_is_shown() -> None:
    stated = specification(requirement(untested_reason="needs two data centres"))
    assert state_of([], [], of=stated) == ("untested", "needs two data centres")


def test_reasons_name_what_a_reader_needs() -> None:
    _, failing = state_of([link()], [ended("Fail", reason="3 rows\nlost")])
    assert failing == "/a/b/one: 3 rows lost"
    _, deviates = state_of([link()], [ended("XFail", deviation={"reason": "accepts it"})])
    assert deviates == "accepts it"
    _, outdated = state_of([link(version="0.9")], [])
    assert outdated == "scenarios/a/b.py:7 names version 0.9, the requirement is at 1.0"
    _, partial = state_of(TWO, [ended("OK"), ended("Skip", "/a/b/two", reason="needs s3: none")])
    assert partial == "1 of 2 scenarios passed; needs s3: none"
    many = [ended("Fail", f"/a/b/{i}", reason="x") for i in range(5)]
    assert str(state_of([], many)[1]).endswith("and 3 more")


def test_every_requirement_appears_in_order_with_its_scenarios() -> None:
    states = requirement_states([specification()], TWO, [ended("OK")], {})
    assert [state.name for state in states] == [NAME]
    assert states[0].scenarios == ("/a/b/one", "/a/b/two")
    assert states[0].section == ("Basics",)
    assert states[0].hash == "new"


def test_what_is_left_out_is_said_of_a_verified_requirement() -> None:
    listed = replace(requirement(), text="It SHALL hold:\n\n* by day;\n* by night;\n* on Sundays.")
    marks = ({"obligation": "by day", "step": "s"}, {"obligation": "by night", "reason": "dark"})
    results = [ended("OK", obligations=marks), ended("OK", "/a/b/two", obligations=marks[1:])]
    state, reason = state_of([link()], results, of=specification(listed))
    assert state == "verified"
    assert reason == "1 of 3 obligations are not checked, or only in part"
    covered = [ended("OK", obligations=marks[:1])]
    assert state_of([link()], covered, of=specification(listed)) == ("verified", None)
