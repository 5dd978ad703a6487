"""The page in a real browser: links, search, filters, keys, phone width, no network, no injection."""

from __future__ import annotations

import os
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from helpers.report.console_table import render_table
from helpers.report.data_files import report_data
from helpers.report.load import read_results
from helpers.report.page import render_html
from helpers.report.report import Report, build_report
from helpers.report.since_base import compare_results
from tests.report.page.browser import Browser, needs_browser

pytestmark = needs_browser
NAMES = "[...document.querySelectorAll('#rows .row')].map(row => row.dataset.name)"
FOCUSED = "document.activeElement.dataset.name"
COUNT = "document.querySelector('#count').textContent"


def shown(page: Browser) -> list[str]:
    return list(page.run(NAMES))


def in_state(report: Report, state: str) -> list[str]:
    return [row.name for row in report.rows if row.state == state]


def test_numbers_are_those_of_the_model(page: Browser, report: Report) -> None:
    cards = page.run(
        "Object.fromEntries([...document.querySelectorAll('.cards a')]"
        ".map(a => [a.dataset.state, +a.querySelector('b').textContent]))"
    )
    assert cards == dict(report.counts)
    assert page.run(COUNT) == f"{report.total} requirements"
    assert sorted(shown(page)) == sorted(row.name for row in report.rows)


def test_what_a_newer_server_may_have_fixed_is_listed_first(
    browser: Browser, document: dict[str, Any], tmp_path: Path
) -> None:
    (fixed,) = document["scenarios"]
    fixed.update(result="Fixed?", reason="recorded up to 26.9")
    failed = {**fixed, "name": "/a/b/d", "result": "Fail", "reason": "wrong"}
    document["scenarios"].append(failed)
    report = build_report([read_results(document, "run")])
    file = tmp_path / "fixed.html"
    file.write_text(render_html(report), encoding="utf-8")
    browser.open(file.as_uri())
    lists = browser.run(
        "[...document.querySelectorAll('#holes .hole')].map(e => [e.id, e.innerText])"
    )
    assert [name for name, _ in lists][:2] == ["fixed", "failures"]
    assert "/a/b/c" in lists[0][1] and "recorded up to 26.9" in lists[0][1]
    table = render_table(report)
    assert table.index("fixed? (1)") < table.index("scenarios not as expected (1)")
    data = report_data(report)
    assert [one["name"] for one in data["fixed"]] == ["/a/b/c"]
    assert [one["name"] for one in data["failures"]] == ["/a/b/d"]


NUMBERS = """[...document.querySelectorAll('%s a[href^="#"]')].map(a => [a.getAttribute('href'),
  +(a.textContent.match(/^\\d+/) ?? a.title.match(/: (\\d+) /)?.slice(1) ?? [NaN])[0]])"""


@pytest.mark.parametrize(
    ("selected", "part", "least"),
    [
        ("", "body", 100),
        ("#q=merge&env=docker", "#rows", 20),
        ("#state=verified,blocked&section=Basics", "#rows", 10),
    ],
)
def test_every_number_leads_to_as_many(
    page: Browser, address: str, selected: str, part: str, least: int
) -> None:
    """Follows each link that is a number and counts what the list then shows."""
    page.open(address + selected)
    numbers = {href: count for href, count in page.run(NUMBERS % part) if count is not None}
    assert len(numbers) >= least
    for href, count in numbers.items():
        page.follow(href)
        assert int(str(page.run(COUNT)).split()[0]) == count, href
        assert len(shown(page)) == count, href


def test_search_narrows_and_is_kept_in_the_address(page: Browser, address: str) -> None:
    page.press("/")
    page.type("requirement0017")
    assert shown(page) == [name for name in shown(page) if name.endswith("Requirement0017")]
    assert page.run(COUNT) == "1 requirement"
    kept = page.run("location.href")
    assert kept == f"{address}#q=requirement0017"
    page.open(kept)
    assert page.run(COUNT) == "1 requirement"
    assert page.run("document.querySelector('#search').value") == "requirement0017"


def test_search_finds_texts_reasons_and_scenarios(page: Browser, report: Report) -> None:
    page.open(page.run("location.href") + "#q=onerror%20suspect")
    assert shown(page) == in_state(report, "suspect")
    page.open(page.run("location.href").split("#")[0] + "#q=scenario%200011")
    assert [name[-4:] for name in shown(page)] == ["0011"]
    page.open(page.run("location.href").split("#")[0] + "#q=nowhere")
    assert shown(page) == []
    assert "Nothing fits" in page.run("document.querySelector('#rows').innerText")


def test_filters_combine_and_are_kept_in_the_address(page: Browser, report: Report) -> None:
    page.run("document.querySelector('#chips [data-state=verified]').click()")
    page.wait("location.hash === '#state=verified'")
    page.wait(f"{COUNT} === '{report.counts['verified']} requirements'")
    page.run(
        "(select => { select.value = 'SRS-902';"
        " select.dispatchEvent(new Event('input', {bubbles: true})) })"
        "(document.querySelector('select[data-key=spec]'))"
    )
    page.wait("location.hash === '#state=verified&spec=SRS-902'")
    expected = [
        row.name
        for row in report.rows
        if row.state == "verified" and row.specification == "SRS-902"
    ]
    page.wait(f"{NAMES}.length === {len(expected)}")
    assert shown(page) == expected
    page.run("history.back()")
    page.wait("location.hash === '#state=verified'")
    page.wait(f"{COUNT} === '{report.counts['verified']} requirements'")


def test_an_environment_has_its_own_states(page: Browser, report: Report, address: str) -> None:
    docker = next(column for column in report.columns if column.environment == "docker")
    page.open(f"{address}#env=docker&state=blocked")
    assert len(shown(page)) == docker.counts["blocked"] > report.counts["blocked"]
    assert (
        page.run("document.querySelectorAll('#rows .row')[0].querySelectorAll('.cell').length") == 1
    )


def test_deep_link_opens_the_requirement(page: Browser, report: Report, address: str) -> None:
    name = in_state(report, "failing")[0]
    page.open(f"{address}#rq={name}")
    assert page.run(FOCUSED) == name
    assert page.run("document.querySelectorAll('.detail').length") == 1
    box = page.run("document.activeElement.getBoundingClientRect().top")
    assert 0 <= box < 900, "it is scrolled into view"
    text = page.run("document.querySelector('.detail').innerText")
    assert "version 1.0" in text
    assert report.columns[0].label in text


def test_a_failure_is_told_in_full(page: Browser, report: Report, address: str) -> None:
    column, scenario = next(
        (column, scenario)
        for column in report.columns
        for scenario in column.scenarios
        if scenario.result == "Fail"
    )
    name = scenario.requirements[0][0]
    page.open(f"{address}#rq={name}&run={column.id}")
    text = page.run("document.querySelector('.detail').innerText")
    for part in (scenario.reason, scenario.step, scenario.rerun, scenario.statements[0]):
        assert str(part) in text
    assert f"{scenario.file}:{scenario.line}" in text


def test_texts_are_drawn_as_markdown_and_never_as_html(
    page: Browser, report: Report, address: str
) -> None:
    plain = in_state(report, "verified")[0]
    page.open(f"{address}#rq={plain}")
    assert page.run("document.querySelector('.detail .text pre').innerText").startswith(
        "ALTER TABLE"
    )
    assert page.run("document.querySelector('.detail .text p code').innerText")
    page.open(f"{address}#rq={in_state(report, 'suspect')[0]}")
    assert "<img src=x onerror=alert(1)>" in page.run(
        "document.querySelector('.detail .text').innerText"
    )
    assert page.run("document.querySelectorAll('img').length") == 0


def test_keys(page: Browser) -> None:
    names = shown(page)
    page.press("j")
    assert page.run(FOCUSED) == names[0]
    page.press("j")
    page.press("ArrowDown")
    assert page.run(FOCUSED) == names[2]
    page.press("k")
    assert page.run(FOCUSED) == names[1]
    page.press("Enter")
    page.wait("document.querySelector('.detail')")
    assert page.run("location.hash") == f"#rq={names[1]}"
    assert page.run("document.activeElement.getAttribute('aria-expanded')") == "true"
    page.press("Escape")
    assert page.run("document.querySelector('.detail')") is None
    assert page.run(FOCUSED) == names[1], "the place in the list is kept"
    page.press("/")
    assert page.run("document.activeElement.id") == "search"
    page.type("j")
    assert page.run("document.querySelector('#search').value") == "j", "a letter, not a command"
    page.press("Escape")
    page.press("Escape")
    assert page.run("document.activeElement.id") != "search"
    assert len(shown(page)) == len(names)


def test_a_scenario_list(page: Browser, report: Report, address: str) -> None:
    column = report.columns[0]
    page.open(f"{address}#view=scenarios&run={column.id}&result=Skip")
    assert page.run(COUNT) == f"{column.results['Skip']} scenarios"
    page.press("j")
    page.press("Enter")
    page.wait("document.querySelector('.detail')")
    assert "needs replication" in page.run("document.querySelector('.detail').innerText")


def test_a_phone(page: Browser, report: Report, address: str) -> None:
    page.resize(390, 844)
    for part in ("", f"#rq={in_state(report, 'failing')[0]}", "#view=scenarios"):
        page.open(address + part)
        assert page.run("document.documentElement.scrollWidth") == 390, "no sideways scrolling"
    label = "document.querySelector('#rows .row .narrow').getBoundingClientRect().width"
    assert page.run(label) > 40, "without columns each state says its run"


CONTRAST = """(() => {
  const light = (rgb) => rgb.map(v => (v /= 255) <= .03928 ? v / 12.92 : ((v + .055) / 1.055) ** 2.4)
    .reduce((sum, v, i) => sum + v * [.2126, .7152, .0722][i], 0);
  const parts = (colour) => colour.match(/[\\d.]+/g).map(Number);
  const ground = (node) => {
    for (; node; node = node.parentElement) {
      const [r, g, b, a = 1] = parts(getComputedStyle(node).backgroundColor);
      if (a === 1) return [r, g, b];
    }
  };
  return [...document.querySelectorAll('main *, header *')]
    .filter(node => [...node.childNodes].some(child => child.nodeType === 3 && child.data.trim()))
    .map(node => {
      const [one, two] = [light(parts(getComputedStyle(node).color).slice(0, 3)), light(ground(node))];
      return [node.className + ' ' + node.textContent.slice(0, 30),
              (Math.max(one, two) + .05) / (Math.min(one, two) + .05)];
    }).filter(([, contrast]) => contrast < 4.5);
})()"""


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_contrast_and_names(page: Browser, report: Report, address: str, scheme: str) -> None:
    """Every text has the contrast that WCAG AA asks for, every control a name."""
    page.colours(scheme)
    try:
        page.open(f"{address}#rq={in_state(report, 'failing')[0]}")
        ground: Any = page.run("getComputedStyle(document.body).backgroundColor.match(/\\d+/)[0]")
        assert (int(ground) < 60) == (scheme == "dark")
        assert page.run(CONTRAST) == []
        nameless = page.run(
            "[...document.querySelectorAll('button, a, input, select')].filter(element =>"
            " !(element.ariaLabel || element.textContent.trim())).map(element => element.outerHTML)"
        )
        assert nameless == []
        if folder := os.environ.get("PAGE_SCREENSHOTS"):
            page.screenshot(Path(folder) / f"{scheme}.png")
    finally:
        page.colours("light")


def test_what_changed_since_a_base(
    browser: Browser, report: Report, tmp_path: Path, make_run: Any
) -> None:
    old, new = make_run("old", A="verified", Gone="verified"), make_run("new", A="failing")
    runs = [read_results(new, "new")]
    since = compare_results(runs, [read_results(old, "old")])
    file = tmp_path / "coverage.html"
    file.write_text(render_html(replace(build_report(runs), comparison=since)), encoding="utf-8")
    browser.open(file.as_uri())
    text = browser.run("document.querySelector('#since').innerText")
    assert "1 regressed" in text
    assert "verified → failing" in text
    assert "1 requirements removed" in text
    browser.run("document.querySelector('#since a').click()")
    browser.wait("document.querySelector('.detail')")
    assert browser.run(FOCUSED) == "RQ.SRS-900.A"
