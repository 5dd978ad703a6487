"""The history of many runs: first bad run, flaky and slow scenarios, the page and the command."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from helpers.cli.main import main
from helpers.report.history.page import render_history
from helpers.report.history.runs import build_history
from helpers.report.load import read_results
from helpers.report.run_results import Results
from tests.report.conftest import NASTY
from tests.report.page.browser import Browser, needs_browser

Document = dict[str, Any]


def night(document: Document, day: int, result: str, **fields: object) -> Document:
    run = {**document["run"], "id": f"n{day}", "started": f"2026-11-{day:02}T00:00:00Z"}
    run |= {"commit": f"{day:040}", "clickhouse": "26.9"}
    entry = {**document["scenarios"][0], "result": result, **fields}
    return {**document, "run": run, "scenarios": [entry]}


def nights(document: Document, results: str) -> list[Results]:
    """A run for each letter: . passed, F failed, ~ was flaky, s could not run."""
    names = {".": "OK", "F": "Fail", "~": "Flaky", "s": "Skip"}
    return [
        read_results(night(document, day, names[letter]), "x")
        for day, letter in enumerate(results, start=1)
    ]


@pytest.mark.parametrize(
    ("results", "first_bad", "last_good"),
    [("..FF", 3, 2), ("FFF", 1, None), (".F.sF", 5, 3), ("....", None, None), ("FF..", None, None)],
)
def test_first_bad_run(
    document: Document, results: str, first_bad: int | None, last_good: int | None
) -> None:
    # In whatever order they are given.
    history = build_history(list(reversed(nights(document, results))))
    days = [
        (regression.first_bad.id, regression.last_good.id if regression.last_good else None)
        for regression in history.regressions
    ]
    expected = [] if first_bad is None else [(f"n{first_bad}", last_good and f"n{last_good}")]
    assert days == expected


@pytest.mark.parametrize(
    ("results", "flaky"),
    [
        ("..FF", False),
        (".F.", True),
        (".~.", True),
        ("FF..", False),
        ("F.F", False),
        (".F.F", True),
    ],
)
def test_flaky_is_bad_between_good_runs(document: Document, results: str, flaky: bool) -> None:
    history = build_history(nights(document, results))
    assert [scenario.sequence for scenario in history.flaky] == ([results] if flaky else [])


def test_environments_are_told_apart(document: Document) -> None:
    other = night(document, 9, "Fail")
    other["run"]["environment"] = "docker"
    history = build_history([*nights(document, "..."), read_results(other, "x")])
    assert [regression.environment for regression in history.regressions] == ["docker 26.9"]
    assert history.regressions[0].last_good is None


def test_what_became_slow(document: Document) -> None:
    runs = [
        read_results(night(document, day, "OK", seconds=seconds), "x")
        for day, seconds in enumerate([1, 1, 1, 9, 9, 9, 9, 9], start=1)
    ]
    (slow,) = build_history(runs).slowest
    assert (slow.seconds, slow.before) == (9, 1)


@needs_browser
def test_the_page(browser: Browser, document: Document, tmp_path: Path) -> None:
    runs = [*nights(document, ".F."), read_results(night(document, 4, "Fail", reason=NASTY), "x")]
    file = tmp_path / "history.html"
    file.write_text(render_history(build_history(runs)), encoding="utf-8")
    browser.open(file.as_uri(), drawn=".trend g")
    text = browser.run("document.body.innerText")
    assert NASTY in text and "/a/b/c" in text and "2026-11-04 00:00 UTC" in text
    assert ".F.F" in text
    assert browser.run("document.querySelectorAll('.trend g').length") == 4
    assert browser.run("document.images.length") == 0 and browser.errors == []


def test_the_command(
    document: Document, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    for day, result in ((1, "OK"), (2, "Fail")):
        folder = tmp_path / "results" / f"run{day}"
        folder.mkdir(parents=True)
        (folder / "results.json").write_text(json.dumps(night(document, day, result)))
    (tmp_path / "results" / "latest").symlink_to("run2")
    page = tmp_path / "history.html"
    assert main(["history", str(tmp_path / "results"), "--html", str(page)]) == 0
    output = capsys.readouterr().out
    assert "broken since 2026-11-02T00:00:00Z: /a/b/c on embedded 26.9" in output
    assert "History of 2 runs" in output and page.exists()


def test_what_the_command_refuses(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["history", str(tmp_path)]) == 2
    assert "there is no results.json below it" in capsys.readouterr().err
    assert main(["history", str(tmp_path / "none.json")]) == 2
    assert "there are no results here" in capsys.readouterr().err
