"""Small specifications, links and results to test reports with."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).resolve().parents[2]
# The sample results are shared with the benchmarks, which are no installed package.
sys.path.insert(0, str(ROOT))

from bench.samples import sample_results  # noqa: E402
from helpers.report.load import read_results  # noqa: E402
from helpers.report.page import render_html  # noqa: E402
from helpers.report.report import Report, build_report  # noqa: E402
from tests.report.page.browser import Browser  # noqa: E402
from tests.report.sabotage import sabotaged_run  # noqa: E402

NASTY = '</script><img src=x onerror=alert(1)> & | `x` "quoted" ünï'


@pytest.fixture
def document() -> dict[str, Any]:
    """One run with one requirement in one scenario, ready to be spoilt."""
    return {
        "schema": 1,
        "run": {"id": "r1", "started": "2026-11-16T00:00:00Z", "environment": "embedded"},
        "scenarios": [
            {
                "name": "/a/b/c",
                "result": "OK",
                "seconds": 0.5,
                "file": "scenarios/a/b.py",
                "line": 3,
                "requirements": [{"name": "RQ.SRS-900.A", "version": "1.0"}],
            }
        ],
        "requirements": [
            {
                "name": "RQ.SRS-900.A",
                "version": "1.0",
                "specification": "SRS-900",
                "file": "requirements/srs900.md",
                "line": 9,
                "state": "verified",
                "reason": None,
                "scenarios": ["/a/b/c"],
                "text": "It SHALL hold; größer is better.",
            }
        ],
    }


@pytest.fixture
def sabotaged(document: dict[str, Any]) -> dict[str, Any]:
    """One run with sabotage, ready to be spoilt."""
    return sabotaged_run(document)


@pytest.fixture
def make_run(document: dict[str, Any]) -> Callable[..., dict[str, Any]]:
    """A run in which requirements have the given states."""

    def make(id: str, started: str = "2026-11-16T00:00:00Z", **states: str) -> dict[str, Any]:
        template = document["requirements"][0]
        return {
            **document,
            "run": {**document["run"], "id": id, "started": started, "environment": id},
            "requirements": [
                {**template, "name": f"RQ.SRS-900.{name}", "state": state.replace("_", " ")}
                for name, state in states.items()
            ],
        }

    return make


@pytest.fixture(scope="session")
def report() -> Report:
    """Three runs over 60 requirements, every state among them, with texts that try to break out."""
    runs = [sample_results(60, column) for column in range(3)]
    for run in runs:
        for index, requirement in enumerate(run["requirements"]):
            state = {3: "outdated", 4: "suspect", 5: "not run", 6: "planned", 7: "failing"}.get(
                index
            )
            if state:
                requirement.update(state=state, reason=f"{state} {NASTY}", text=f"A {NASTY} SHALL.")
        run["requirements"][8].update(state="untested", reason="no scenario names it", scenarios=[])
        run["scenarios"][0].update(message=NASTY, statements=[f"node1: SELECT '{NASTY}'"])
    runs[2]["requirements"].pop()
    return build_report([read_results(run, f"run {index}") for index, run in enumerate(runs)])


@pytest.fixture(scope="session")
def browser(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Browser]:
    """One browser for all pages: it takes longer to start than a page to be looked at."""
    started = Browser(tmp_path_factory.mktemp("profile"))
    yield started
    started.close()


@pytest.fixture(scope="module")
def address(report: Report, tmp_path_factory: pytest.TempPathFactory) -> str:
    """The page of the sample report, as a file."""
    file = tmp_path_factory.mktemp("page") / "coverage.html"
    file.write_text(render_html(report), encoding="utf-8")
    return file.as_uri()


@pytest.fixture
def page(browser: Browser, address: str) -> Iterator[Browser]:
    """The page as it opens; whatever a test does, it must not have thrown or asked the network."""
    browser.resize(1280, 900)
    browser.requests.clear()
    browser.open(address)
    yield browser
    assert browser.errors == []
    assert {url.split("#")[0] for url in browser.requests} <= {address, "about:blank", "data:,"}
