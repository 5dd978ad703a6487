"""Scenarios that end differently on several versions or environments come first in every form."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from helpers.base.errors import UsageError
from helpers.cluster.target import Target
from helpers.report.console_table import render_table
from helpers.report.data_files import render_json
from helpers.report.load import read_results
from helpers.report.markdown import render_markdown
from helpers.report.page import render_html
from helpers.report.report import Report, build_report
from tests.report.page.browser import Browser, needs_browser

Document = dict[str, Any]


def two_runs(document: Document, first: dict[str, str], second: dict[str, str]) -> Report:
    """Runs on two versions in which these scenarios ended so."""
    runs = []
    for version, ends in (("26.9", first), ("26.7", second)):
        run = {**document["run"], "id": version, "clickhouse": version}
        entry = document["scenarios"][0]
        scenarios = [{**entry, "name": name, "result": result} for name, result in ends.items()]
        runs.append(read_results({**document, "run": run, "scenarios": scenarios}, version))
    return build_report(runs)


@pytest.fixture
def differing(document: Document) -> Report:
    return two_runs(
        document,
        {
            "/a/same": "OK",
            "/a/known": "OK",
            "/a/broken": "Fail",
            "/a/blocked": "OK",
            "/a/new": "OK",
        },
        {"/a/same": "OK", "/a/known": "XFail", "/a/broken": "OK", "/a/blocked": "Skip"},
    )


def test_what_failed_somewhere_comes_first(differing: Report) -> None:
    assert [difference.name for difference in differing.differences] == ["/a/broken", "/a/known"]


def test_every_form_says_it_before_anything_else(differing: Report) -> None:
    line = "/a/broken: Fail on embedded 26.9, OK on embedded 26.7"
    table, markdown = render_table(differing), render_markdown(differing)
    assert line in table and line in markdown.replace("`", "")
    assert table.index("differ between the runs (2)") < table.index("not as expected")
    assert markdown.index("## Differ between the runs: 2") < markdown.index("not as expected")
    assert json.loads(render_json(differing))["differences"] == [
        {"name": "/a/broken", "results": ["Fail", "OK"]},
        {"name": "/a/known", "results": ["OK", "XFail"]},
    ]


def test_runs_that_agree_say_nothing_of_it(document: Document) -> None:
    report = two_runs(document, {"/a/b": "OK"}, {"/a/b": "OK"})
    assert report.differences == []
    assert "differ" not in render_table(report).lower()
    assert "Differ" not in render_markdown(report)


@needs_browser
def test_the_page_shows_them_first(browser: Browser, differing: Report, tmp_path: Path) -> None:
    file = tmp_path / "coverage.html"
    file.write_text(render_html(differing), encoding="utf-8")
    browser.open(file.as_uri())
    text = browser.run("document.querySelector('#differences').innerText")
    assert "2 scenarios differ between the runs" in text and "/a/broken" in text
    assert browser.run("document.querySelector('#holes .hole').id") == "differences"
    assert browser.errors == []


def test_versions_are_separated_by_commas() -> None:
    targets = Target(clickhouse_version="26.9, 26.7").each_version()
    assert [target.clickhouse_version for target in targets] == ["26.9", "26.7"]
    assert Target().each_version() == [Target()]


@pytest.mark.parametrize("versions", ["26.9,", ",", "26.9,26.9", ""])
def test_what_is_no_list_of_versions(versions: str) -> None:
    with pytest.raises(UsageError, match="is not a list of different versions"):
        Target(clickhouse_version=versions).each_version()
