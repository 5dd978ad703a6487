"""What a release engineer wants of the page: sources, commit and version, copies, files of a failure."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from helpers.report.load import read_results
from helpers.report.page import render_html
from helpers.report.report import build_report
from helpers.report.write import write_reports
from tests.report.page.browser import Browser, needs_browser

pytestmark = needs_browser
COMMIT = "0123456789abcdef0123456789abcdef01234567"
RERUN = './regression.py --only "/a/b/c" --seed 7'


@pytest.fixture
def failed(document: dict[str, Any]) -> dict[str, Any]:
    document["run"] |= {
        "commit": f"{COMMIT}-changed",
        "version": "1.2.3",
        "repository": "https://example.com/project",
    }
    document["scenarios"][0] |= {
        "result": "Fail",
        "rerun": RERUN,
        "folder": "scenarios/a-b-c",
        "attempts": ["OK", "Fail"],
        "statements": [
            "node1: CREATE TABLE t (s String) ENGINE = Memory",
            "node1: INSERT INTO t VALUES ('it\\'s <b>\x1b[31m\x9b')",
            "action: node1.restart()",
        ],
    }
    return document


@pytest.fixture
def page(browser: Browser, failed: dict[str, Any], tmp_path: Path) -> Iterator[Browser]:
    """The page in the folder of its run, with the scenario opened."""
    write_reports(read_results(failed, "x"), tmp_path)
    browser.resize(1280, 900)
    browser.open((tmp_path / "coverage.html").as_uri() + "#view=scenarios&rq=%2Fa%2Fb%2Fc")
    yield browser
    assert browser.errors == []


def hrefs(page: Browser, selector: str) -> list[str]:
    return list(
        page.run(f"[...document.querySelectorAll('{selector}')].map(a => a.getAttribute('href'))")
    )


def test_links_to_the_sources(page: Browser) -> None:
    assert hrefs(page, ".detail dd a") == [
        f"https://example.com/project/blob/{COMMIT}/scenarios/a/b.py#L3",
        "scenarios/a-b-c/",
    ]
    assert f"https://example.com/project/commit/{COMMIT}" in hrefs(page, "#top td a")
    text = page.run("document.querySelector('#top table').innerText")
    assert "0123456789-changed" in text and "version 1.2.3" in text
    assert "OK, Fail" in page.run("document.querySelector('.detail').innerText")


@pytest.mark.parametrize("repository", [None, "", "javascript:alert(1)"])
def test_without_an_address_there_is_no_link(
    browser: Browser, failed: dict[str, Any], tmp_path: Path, repository: str | None
) -> None:
    failed["run"]["repository"] = repository
    file = tmp_path / "elsewhere.html"
    file.write_text(render_html(build_report([read_results(failed, "x")])), encoding="utf-8")
    browser.open(file.as_uri() + "#view=scenarios&rq=%2Fa%2Fb%2Fc")
    assert hrefs(browser, ".detail dd a") == [], "nor to files that are not beside this page"
    assert "scenarios/a/b.py:3" in browser.run("document.querySelector('.detail').innerText")
    assert "scenarios/a-b-c" in browser.run("document.querySelector('.detail').innerText")


def test_copies(page: Browser) -> None:
    copies = page.run(
        "[...document.querySelectorAll('.copy')].map(element => element.dataset.copy)"
    )
    assert copies == [
        RERUN,
        "CREATE TABLE t (s String) ENGINE = Memory;\n"
        "INSERT INTO t VALUES ('it\\'s <b>\\x1b[31m\\xc2\\x9b');\n"
        "-- node1.restart()",
    ]
    page.run("document.querySelector('.copy').focus()")
    page.press("Enter")
    page.wait("document.querySelector('.copy').textContent === 'copied'")
    page.wait("document.querySelector('.copy').textContent === 'copy'")
