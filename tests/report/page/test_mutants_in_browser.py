"""Sabotage on the page, in a real browser: figures, the column, what is told when opened."""

from __future__ import annotations

import os
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from helpers.report.load import read_results
from helpers.report.page import render_html
from helpers.report.report import build_report
from helpers.report.since_base import compare_results
from tests.report.page.browser import Browser, needs_browser
from tests.report.page.test_page_in_browser import CONTRAST, COUNT, NUMBERS, shown
from tests.report.sabotage import ABOUT, KEPT_OPEN, VERDICTS, name_of, sabotaged_run, verdict_in

pytestmark = needs_browser
CELLS = """Object.fromEntries([...document.querySelectorAll('#rows .row')]
  .map(row => [row.dataset.name, row.querySelector('.mutants-cell')?.lastChild.textContent ?? null]))"""
LINES = """[...document.querySelectorAll('.detail .mutants li')].map(line => line.innerText)"""

TRACKS = "getComputedStyle(document.querySelector('.row')).gridTemplateColumns.split(' ').length"


@pytest.fixture
def address(sabotaged: dict[str, Any], tmp_path: Path) -> str:
    return page_of(tmp_path, sabotaged)


def page_of(folder: Path, *runs: dict[str, Any]) -> str:
    report = build_report([read_results(run, run["run"]["id"]) for run in runs])
    file = folder / "coverage.html"
    file.write_text(render_html(report), encoding="utf-8")
    return file.as_uri()


@pytest.fixture
def page(page: Browser) -> Iterator[Browser]:
    """The page, on which no text has become an image."""
    yield page
    assert page.run("document.querySelectorAll('img').length") == 0


def detail(page: Browser) -> str:
    return str(page.run("document.querySelector('.detail').innerText"))


def test_the_figures_at_the_top(page: Browser) -> None:
    text = page.run("document.querySelector('#top #sensitivity').innerText")
    figures = page.run(
        "[...document.querySelectorAll('.figures p')].map(element => element.innerText)"
    )
    assert figures[0] == "2 of 7 mutants killed"
    assert figures[1].startswith("1 survived ! 1 broken ≈ 1 tolerated")
    assert figures[2] == "2 of 3 verified requirements proven sensitive"
    for expected in (
        "too-many was not noticed",
        "never noticed: does-nothing",
        "this mutant never changed anything",
    ):
        assert expected in text
    widths = "[...document.querySelectorAll('#sensitivity .bar span')].map(element => element.style.flexGrow)"
    assert page.run(widths) == ["1", "1", "2", "1", "1", "1", "1"]


def test_a_column_of_its_own(page: Browser) -> None:
    cells = page.run(CELLS)
    assert cells == {
        name_of("Seen"): "✓ 2 of 3 killed",
        name_of("Lived"): "✕ 1 survived",
        name_of("Stumbled"): "! broken",
        name_of("Free"): "∅ no mutant",
        name_of("Safe"): "– immune",
        name_of("Away"): "⊘ not applicable",
        name_of("Quiet"): "⊘ not applicable",
        name_of("Partly"): "✓ 1 of 2 killed",
        name_of("Left"): "–",
    }
    assert page.run(TRACKS) == 3, "the name, the state and the mutants on one line"
    alarming = page.run(
        "[...document.querySelectorAll('.mutants-cell .failing')]"
        ".map(cell => cell.closest('.row').dataset.name)"
    )
    assert sorted(alarming) == sorted(map(name_of, ("Lived", "Stumbled", "Free", "Quiet")))
    titles = "[...document.querySelectorAll('.mutants-cell .pill')].map(cell => cell.title)"
    assert sorted(page.run(titles)) == sorted(reason for _, _, reason, _ in VERDICTS.values())


def test_opened_it_names_mutants_and_who_noticed(page: Browser, address: str) -> None:
    page.open(f"{address}#rq={name_of('Lived')}")
    assert "not proven: too-many was not noticed" in detail(page)
    survived, killed, timed_out = page.run(LINES)
    assert survived.startswith("✕ survived")
    assert f"too-many {ABOUT}" in survived
    assert "not noticed by lived, looks away" in survived
    assert "killed by lived" in killed, "the worst comes first"
    assert "that is no kill" in timed_out
    page.open(f"{address}#rq={name_of('Seen')}")
    assert f"tolerated: {KEPT_OPEN}" in detail(page)
    page.open(f"{address}#rq={name_of('Safe')}")
    assert VERDICTS["Safe"][2] in detail(page)
    page.open(f"{address}#rq={name_of('Left')}")
    assert "Not sabotaged in this run." in detail(page)


def test_scenarios_say_what_they_kill(page: Browser, address: str) -> None:
    page.open(f"{address}#view=scenarios")
    assert page.run(CELLS) == {
        "/sample/all/seen": "✓ kills 2",
        "/sample/all/lived": "✓ kills 1",
        "/sample/all/looks away": "✕ blind",
        "/sample/all/other": "–",
    }
    page.open(f"{address}#view=scenarios&mutants=blind")
    assert shown(page) == ["/sample/all/looks away"]
    page.press("j")
    page.press("Enter")
    page.wait("document.querySelector('.detail')")
    assert "never noticed: does-nothing" in detail(page)
    assert "does-nothing, too-many" in detail(page)


def test_every_number_leads_to_as_many(page: Browser) -> None:
    numbers = {href: count for href, count in page.run(NUMBERS % "#sensitivity") if count}
    assert len(numbers) == 6, "one for each verdict"
    for href, count in numbers.items():
        page.follow(href)
        assert int(str(page.run(COUNT)).split()[0]) == count == len(shown(page)), href
    page.run("document.querySelector('[data-drop=mutants]').click()")
    page.wait(f"{COUNT} === '9 requirements'")


def test_search_finds_mutants(page: Browser, address: str) -> None:
    page.open(f"{address}#q=waits")
    assert shown(page) == [name_of("Lived")]


def test_without_sabotage_there_is_no_column(
    browser: Browser, document: dict[str, Any], tmp_path: Path
) -> None:
    browser.open(page_of(tmp_path, document))
    assert browser.run("document.querySelector('#sensitivity, .mutants-cell, .labels')") is None
    assert "mutant" not in browser.run("document.body.innerText.toLowerCase()")
    tracks = (
        "getComputedStyle(document.querySelector('.row')).gridTemplateColumns.split(' ').length"
    )
    assert browser.run(tracks) == 2, "the name and the state, and no room for more"


def test_only_some_runs_were_sabotaged(
    browser: Browser, document: dict[str, Any], tmp_path: Path
) -> None:
    plain = {**document, "run": {**document["run"], "id": "plain", "environment": "plain"}}
    other = sabotaged_run(document, "other")
    verdict_in(other, "Seen").update(verdict="survived", mutants={"open": "survived"})
    verdict_in(other, "Quiet").update(verdict="killed", mutants={"odd": "killed"})
    address = page_of(tmp_path, plain, sabotaged_run(document), other)
    browser.open(address)
    assert "Not sabotaged: plain." in browser.run(
        "document.querySelector('#sensitivity').innerText"
    )
    assert browser.run(CELLS)[name_of("Seen")] == "✕ 1 survived", "the worst of all runs"
    assert browser.run(CELLS)[name_of("Quiet")] == "⊘ not applicable", "it fails the check in one"
    browser.open(f"{address}#env=sabotaged")
    assert browser.run(CELLS)[name_of("Seen")] == "✓ 2 of 3 killed"
    browser.open(f"{address}#env=plain")
    assert set(browser.run(CELLS).values()) == {None}, "the run that is shown has none"


def test_a_mutant_since_a_base(
    browser: Browser, sabotaged: dict[str, Any], document: dict[str, Any], tmp_path: Path
) -> None:
    base = sabotaged_run(document, "base")
    verdict_in(base, "Lived")["mutants"]["too-many"] = "killed"
    runs = [read_results(sabotaged, "new")]
    since = compare_results(runs, [read_results(base, "base")])
    file = tmp_path / "coverage.html"
    file.write_text(render_html(replace(build_report(runs), comparison=since)), encoding="utf-8")
    browser.open(file.as_uri())
    expected = "killed → survived for RQ.SRS-900.Lived"
    assert expected in browser.run("document.querySelector('#since').innerText")
    browser.run("document.querySelector('#since a').click()")
    browser.wait(f"{COUNT} === '1 requirement'")
    assert shown(browser) == [name_of("Lived")]


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_contrast_and_a_phone(page: Browser, address: str, scheme: str) -> None:
    page.colours(scheme)
    try:
        for part in (f"#rq={name_of('Seen')}", "#view=scenarios"):
            page.resize(1280, 900)
            page.open(address + part)
            assert page.run(CONTRAST) == []
            if folder := os.environ.get("PAGE_SCREENSHOTS"):
                page.screenshot(Path(folder) / f"mutants-{scheme}.png")
            page.resize(390, 844)
            page.open(address + part)
            assert page.run("document.documentElement.scrollWidth") == 390, "no sideways scrolling"
        label = "document.querySelector('.mutants-cell .narrow').getBoundingClientRect().width"
        assert page.run(label) > 40, "without columns the cell says what it is"
    finally:
        page.colours("light")
