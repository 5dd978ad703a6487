"""What needs attention on the page: holes with reasons, failures, deviations by whose fault they are."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from helpers.report.load import read_results
from helpers.report.page import render_html
from helpers.report.report import Report, build_report
from helpers.scenario.result import State
from tests.report.page.browser import Browser, needs_browser

pytestmark = needs_browser
FOCUSED = "document.activeElement.dataset.name"


def test_holes_come_first_with_reasons(page: Browser, report: Report) -> None:
    order = page.run("[...document.querySelectorAll('main > section')].map(part => part.id)")
    assert order[0] == "holes"
    text = page.run("document.querySelector('#holes').innerText")
    for state, rows in report.holes:
        if state != State.DEVIATES:  # its deviations are listed instead
            assert rows[0].name in text, state
            assert str(rows[0].reason)[:30] in text, state
    bugs = [deviation for deviation in report.deviations if deviation.kind == "bug"]
    assert bugs and all(bug.id in text and bug.reason[:30] in text for bug in bugs)
    whole = page.run("document.querySelector('#holes').textContent")
    assert all(deviation.id in whole for deviation in report.deviations)


def test_a_failed_scenario_without_a_requirement_needs_attention(
    browser: Browser, document: dict[str, Any], tmp_path: Path
) -> None:
    file = tmp_path / "coverage.html"
    attention = "document.querySelector('#holes').innerText"
    file.write_text(render_html(build_report([read_results(document, "x")])), encoding="utf-8")
    browser.open(file.as_uri())
    assert "Nothing: no scenario failed" in browser.run(attention)
    document["scenarios"].append({"name": "/a/b/alone", "result": "Error", "reason": "it broke"})
    file.write_text(render_html(build_report([read_results(document, "x")])), encoding="utf-8")
    browser.open(file.as_uri())
    text = browser.run(attention)
    assert "Nothing" not in text
    assert "1 scenario not as expected" in text and "it broke" in text
    browser.run("document.querySelector('#failures a').click()")
    browser.wait("document.querySelector('.detail')")
    assert browser.run(FOCUSED) == "/a/b/alone"
