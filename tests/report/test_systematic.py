"""The score of generated mutants in every form of the matrix; a damaged section is an error."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from helpers.base.errors import UsageError
from helpers.report.data_files import render_json
from helpers.report.load import read_results
from helpers.report.markdown import render_markdown
from helpers.report.page import render_html
from helpers.report.report import build_report
from tests.report.page.browser import Browser, needs_browser

Document = dict[str, Any]
NASTY = "<img src=x onerror=alert(1)>"


@pytest.fixture
def scored(document: Document) -> Document:
    document["sensitivity"] = {
        "generated": {
            "killed": 8,
            "effective": 10,
            "not_tried": 3,
            "bar": 0.95,
            "assertions": {
                "ended": ("steps/t.py:9",),
                "unproven": [
                    {
                        "place": "scenarios/a/b.py:8",
                        "text": f"assert {NASTY}",
                        "reason": "",
                        "scenarios": ("/a/b/c",),
                    }
                ],
            },
            "requirements": {"RQ.SRS-900.A": [2, 11]},
            "scenarios": {"/a/b/c": [8, 10]},
            "survivors": [
                {
                    "scenario": "/a/b/c",
                    "mutant": "drop@scenarios/a/b.py:7 > steps/t.py:9#2",
                    "text": f"INSERT {NASTY}",
                    "requirements": ["RQ.SRS-900.A"],
                    "rerun": "./regression.py …",
                }
            ],
            "equivalents": [
                {
                    "scenario": "/a/b/c",
                    "mutant": "skip@x#1",
                    "text": "kill node1",
                    "reason": "because",
                }
            ],
        }
    }
    return document


def test_what_is_written_is_what_is_read(scored: Document) -> None:
    assert read_results(scored, "x").as_json()["sensitivity"]["generated"] == {
        **scored["sensitivity"]["generated"],
        "survivors": [
            {
                **scored["sensitivity"]["generated"]["survivors"][0],
                "requirements": ("RQ.SRS-900.A",),
            }
        ],
    }


def test_runs_of_before_have_it_in_a_section_of_its_own(scored: Document) -> None:
    older = {**scored, "sensitivity": None, "systematic": scored["sensitivity"]["generated"]}
    assert read_results(older, "x") == read_results(scored, "x")


def test_markdown_and_json_tell_it(scored: Document) -> None:
    report = build_report([read_results(scored, "x")])
    text = render_markdown(report)
    assert (
        "a mutant ended at 1 of 2 assertions (50.0%); 8 of 10 (80.0%) mutants noticed, 1 " in text
    )
    assert "1 survived, 1 are equivalent, 3 were not tried." in text
    assert "- unproven" not in text, "a sample shows nothing of an assertion"
    scored["sensitivity"]["generated"]["not_tried"] = 0
    whole = render_markdown(build_report([read_results(scored, "x")]))
    assert r"- unproven: no mutant ends at `scenarios/a/b.py:8`: assert \<img" in whole
    assert "- weak: `RQ.SRS-900.A` 2 of 11 (18.2%)" in text
    assert "drop@scenarios/a/b.py:7" in text and r"\<img" in text
    column = json.loads(render_json(report))["columns"][0]
    assert column["systematic"]["scenarios"] == {"/a/b/c": [8, 10]}


def test_the_bar_of_the_run_decides_what_is_weak(scored: Document) -> None:
    scored["sensitivity"]["generated"]["bar"] = 0.1
    assert "- weak" not in render_markdown(build_report([read_results(scored, "x")]))
    del scored["sensitivity"]["generated"]["bar"]  # written before the bar was: the default
    assert "- weak" in render_markdown(build_report([read_results(scored, "x")]))


def test_a_run_without_them_says_nothing_of_them(document: Document) -> None:
    report = build_report([read_results(document, "x")])
    assert "Generated" not in render_markdown(report)
    assert json.loads(render_json(report))["columns"][0]["systematic"] is None


@needs_browser
def test_the_page_shows_statement_and_line(
    browser: Browser, scored: Document, tmp_path: Path
) -> None:
    file = tmp_path / "coverage.html"
    file.write_text(render_html(build_report([read_results(scored, "x")])), encoding="utf-8")
    browser.open(file.as_uri())
    browser.run(
        "document.querySelectorAll('.generated details').forEach(element => element.open = true)"
    )
    text = browser.run("document.querySelector('.generated').innerText")
    for part in ("80.0 %", "of 10 mutants noticed", "scenarios/a/b.py:7 > steps/t.py:9", "because"):
        assert part in text, text
    assert f"INSERT {NASTY}" in text
    assert browser.errors == [] and browser.run("document.images.length") == 0


@pytest.mark.parametrize(
    ("spoil", "message"),
    [
        (lambda s: s.update(killed="8"), "sensitivity.generated.killed is '8'"),
        (lambda s: s.update(bar=95), "generated.bar is 95, expected a share between 0 and 1"),
        (lambda s: s.update(requirements=[]), "generated.requirements is not an object"),
        (lambda s: s["scenarios"].update(x=[3, 2]), "generated.scenarios x is [3, 2]"),
        (lambda s: s.pop("survivors"), "generated.survivors is missing or not a list"),
        (lambda s: s["survivors"][0].pop("text"), "survivors[0].text is missing or not a text"),
        (lambda s: s["equivalents"].append(1), "equivalents[1] is not an object"),
    ],
)
def test_a_damaged_section_is_an_error_that_names_the_place(
    scored: Document, spoil: Callable[[Document], object], message: str
) -> None:
    spoil(scored["sensitivity"]["generated"])
    with pytest.raises(UsageError) as caught:
        read_results(scored, "x")
    assert message in str(caught.value)
