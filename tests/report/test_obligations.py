"""The table of obligations: which step of which scenario checks each, or why none does."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from helpers.report.data_files import render_json
from helpers.report.load import read_results
from helpers.report.page import render_html
from helpers.report.report import build_report
from tests.report.page.browser import Browser, needs_browser
from tests.runner.suite import Suite

TEXT = "It SHALL hold:\n\n* by day;\n* by night;\n* on Sundays."
NAME = "/a/b/c"


def rows(document: dict[str, Any]) -> list[dict[str, Any]]:
    report = build_report([read_results(document, "x")])
    found: list[dict[str, Any]] = json.loads(render_json(report))["requirements"][0]["obligations"]
    return found


def test_each_obligation_names_its_steps_or_the_reason(document: dict[str, Any]) -> None:
    document["requirements"][0]["text"] = TEXT
    document["scenarios"][0].update(
        checks=["it holds"],
        obligations=[
            {"obligation": "by day", "step": "Then it holds"},
            {"obligation": "on Sundays", "reason": "there is no calendar here"},
        ],
    )
    assert rows(document) == [
        {
            "text": "by day;",
            "checked": [{"scenario": NAME, "step": "Then it holds", "result": "OK"}],
            "reasons": [],
        },
        {"text": "by night;", "checked": [], "reasons": []},
        {"text": "on Sundays.", "checked": [], "reasons": ["there is no calendar here"]},
    ]


def test_one_obligation_is_checked_by_all_checks(document: dict[str, Any]) -> None:
    document["scenarios"][0]["checks"] = ["it holds", "nothing else moves"]
    (row,) = rows(document)
    assert [one["step"] for one in row["checked"]] == ["it holds", "nothing else moves"]


@needs_browser
def test_the_page_shows_it_in_an_opened_requirement(
    browser: Browser, document: dict[str, Any], tmp_path: Path
) -> None:
    document["requirements"][0]["text"] = TEXT
    document["scenarios"][0]["obligations"] = [{"obligation": "by day", "step": "Then <b>it</b>"}]
    file = tmp_path / "coverage.html"
    file.write_text(render_html(build_report([read_results(document, "x")])), encoding="utf-8")
    browser.open(f"{file.as_uri()}#rq=RQ.SRS-900.A")
    text = browser.run("document.querySelector('.obligations').innerText")
    assert "by day;" in text and "c: Then <b>it</b>" in text
    assert text.count("no step says that it checks this") == 2


def test_a_step_says_what_it_checks(tmp_path: Path) -> None:
    suite = Suite(tmp_path)
    suite.write(
        """
from helpers.scenario.marks import leaves_out
from helpers.scenario.obligations import covers


@TestScenario
@Requirements(Requirement("RQ.One", "1.0"))
@leaves_out("on Sundays", reason="no calendar")
def holds(self):
    with Given("a number"):
        number = 1
    with And("another"):
        other = 1
    with Then("they are equal"):
        covers("by day")
        assert number == other, error()
    with And("stay so"):
        assert number == other, error()
"""
    )
    entry = suite.run().scenario("holds")
    assert entry["result"] == "OK" and entry["checks"] == ["they are equal", "stay so"]
    assert entry["obligations"] == [
        {"obligation": "on Sundays", "reason": "no calendar"},
        {"obligation": "by day", "step": "Then they are equal"},
    ]
