"""Several attempts at a scenario: what passes at times only is Flaky, and never green in silence."""

from __future__ import annotations

from pathlib import Path
from xml.etree import ElementTree

import pytest

from helpers.runner.attempts import Attempts, combined
from helpers.scenario.result import Result, ScenarioResult
from tests.runner.suite import Suite

BODY = """
from pathlib import Path


def count(name):
    file = Path({folder!r}) / name
    file.write_text(file.read_text() + "x" if file.exists() else "x")
    return len(file.read_text())


@TestScenario
def good(self):
    count("good")
    with Then("it answers"):
        assert this().node().value("SELECT 1") == 1, error()


@TestScenario
def flaky(self):
    number = count("flaky")  # error() evaluates the assertion again
    with Then("it is not the first time"):
        assert number == this().node().value("SELECT 2"), error()


@TestScenario
def bad(self):
    number = count("bad")
    with Then("it is five hundred"):
        assert number == this().node().value("SELECT 500"), error()


@TestScenario
def third(self):
    number = count("third")
    with Then("it is not the third time"):
        assert number < 3, error()
"""


def ends(*results: str) -> list[ScenarioResult]:
    return [
        ScenarioResult(
            "/a/b/c", Result(result), reason=f"reason {number}", folder=f"folder {number}"
        )
        for number, result in enumerate(results, 1)
    ]


@pytest.mark.parametrize(
    ("results", "result", "reason", "folder"),
    [
        (["OK"], "OK", "reason 1", "folder 1"),
        (["OK", "OK"], "OK", "reason 2", "folder 2"),
        (["Fail", "OK"], "Flaky", "flaky, failed in 1 of 2 attempts: reason 1", "folder 1"),
        (["OK", "Error", "OK"], "Flaky", "flaky, failed in 1 of 3 attempts: reason 2", "folder 2"),
        (["Fail", "Error"], "Fail", "failed in 2 of 2 attempts: reason 1", "folder 1"),
        (["XFail", "XPass"], "Flaky", "flaky, failed in 1 of 2 attempts: reason 2", "folder 2"),
    ],
)
def test_attempts_together(results: list[str], result: str, reason: str, folder: str) -> None:
    whole = combined(ends(*results))
    assert (whole.result, whole.reason, whole.folder) == (result, reason, folder)
    assert whole.attempts == (() if len(results) == 1 else tuple(results))
    assert whole.unexpected == (result not in ("OK", "XFail"))


@pytest.mark.parametrize(
    ("policy", "results", "another"),
    [
        (Attempts(), ["OK"], False),
        (Attempts(), ["Fail"], False),
        (Attempts(repeat=3), ["Fail", "OK"], True),
        (Attempts(repeat=3), ["OK", "OK", "OK"], False),
        (Attempts(repeat=3), ["Skip"], False),
        (Attempts(retry=2), ["OK"], False),
        (Attempts(retry=2), ["Fail"], True),
        (Attempts(retry=2), ["Fail", "Error"], True),
        (Attempts(retry=2), ["Fail", "Fail", "Fail"], False),
        (Attempts(retry=2), ["Fail", "OK"], False),
        (Attempts(until_fail=True), ["OK"] * 50, True),
        (Attempts(until_fail=True), ["OK", "Fail"], False),
    ],
)
def test_another_attempt(policy: Attempts, results: list[str], another: bool) -> None:
    assert policy.another(ends(*results)) == another


def test_retry_tells_flaky_from_failing(suite: Suite, tmp_path: Path) -> None:
    suite.write(BODY.format(folder=str(tmp_path)))
    only = ["--only", "*/good", "*/flaky", "*/bad"]
    ended = suite.run("--workers", "1", "--retry", "2", *only)
    assert ended.code == 1
    entries = {title: ended.scenario(title) for title in ("good", "flaky", "bad")}
    assert {title: entry["result"] for title, entry in entries.items()} == {
        "good": "OK",
        "flaky": "Flaky",
        "bad": "Fail",
    }
    assert entries["flaky"]["attempts"] == ["Fail", "OK"]
    assert entries["bad"]["attempts"] == ["Fail", "Fail", "Fail"]
    assert entries["good"]["attempts"] == []
    assert entries["flaky"]["reason"].startswith(
        "flaky, failed in 1 of 2 attempts: number: is 1, expected 2"
    )
    run = ended.results / "latest"
    assert (run / entries["flaky"]["folder"] / "repro.sql").exists(), "of the attempt that failed"
    folders = sorted(folder.name for folder in (run / "scenarios").iterdir())
    assert folders == [
        "feature-topic-bad",
        "feature-topic-bad-attempt-2",
        "feature-topic-bad-attempt-3",
        "feature-topic-flaky",
    ]
    assert "Flaky  /feature/topic/flaky" in ended.out and "[2 attempts: 1 Fail, 1 OK]" in ended.out
    assert "1 OK, 1 Fail, 1 Flaky" in ended.out
    cases = {
        case.get("name"): case for case in ElementTree.parse(run / "junit.xml").iter("testcase")
    }
    assert cases["flaky"].find("failure") is not None
    assert cases["flaky"].find("properties/property[@name='attempts']") is not None

    # A pipeline that tolerates it says so, and the reports still show it.
    (tmp_path / "flaky").unlink()
    allowed = suite.run("--workers", "1", "--retry", "1", "--allow-flaky", "--only", "*/flaky")
    assert allowed.code == 0, allowed.out
    assert allowed.scenario("flaky")["result"] == "Flaky"
    case = next(ElementTree.parse(run / "junit.xml").iter("testcase"))
    assert case.find("failure") is None and case.find("flakyFailure") is not None
    assert "Flaky" in (run / "coverage.md").read_text()
    # What failed in every attempt is not tolerated.
    assert suite.run("--retry", "1", "--allow-flaky", "--only", "*/bad").code == 1


def test_repeat_and_until_fail(suite: Suite, tmp_path: Path) -> None:
    suite.write(BODY.format(folder=str(tmp_path)))
    repeated = suite.run("--workers", "1", "--repeat", "3", "--only", "*/good")
    assert repeated.code == 0, repeated.out
    assert repeated.scenario("good")["attempts"] == ["OK", "OK", "OK"]
    assert (tmp_path / "good").read_text() == "xxx"
    until = suite.run("--workers", "1", "--until-fail", "--only", "*/good", "*/third")
    assert until.code == 1
    assert until.scenario("third")["result"] == "Flaky"
    assert until.scenario("third")["attempts"] == ["OK", "OK", "Fail"]
    assert until.scenario("good")["result"] == "OK"
