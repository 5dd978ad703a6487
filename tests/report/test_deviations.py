"""Deviations in reports: the headline, the order, and what a page says of each."""

from __future__ import annotations

from typing import Any
from xml.etree import ElementTree

import pytest

from helpers.report import junit
from helpers.report.console_table import render_table
from helpers.report.deviations import headline, seen_deviations, versions
from helpers.report.load import read_results
from helpers.report.markdown import render_markdown
from helpers.report.report import build_report
from helpers.scenario.deviation import DeviationKind, Severity

UPSTREAM = "https://github.com/ClickHouse/ClickHouse/issues/1"


@pytest.fixture
def run(document: dict[str, Any]) -> dict[str, Any]:
    """A run with a deviation of each kind and severity, and one that nobody has judged."""
    template = document["scenarios"][0]
    pairs = [
        (kind, severity) for kind in reversed(DeviationKind) for severity in reversed(Severity)
    ]
    for number, (kind, severity) in enumerate([*pairs, (None, None)]):
        document["scenarios"].append(
            {
                **template,
                "name": f"/a/b/{number:02}",
                "result": "XFail",
                "reason": "it differs",
                "deviation": {
                    "id": f"b.{number:02}",
                    "reason": "it differs",
                    "kind": kind,
                    "severity": severity,
                    "when": "clickhouse >= 26.6",
                    "upstream": UPSTREAM,
                },
            }
        )
    document["requirements"][0]["state"] = "deviates"
    return document


def test_the_headline_says_whose_fault_it_is(run: dict[str, Any]) -> None:
    report = build_report([read_results(run, "x")])
    expected = (
        "4 bugs (1 loses data) · 4 by design · 4 by a wrong requirement · 4 of the environment · "
        "4 of the exporter · 1 not judged"
    )
    assert headline(report.deviations) == expected
    assert expected in render_markdown(report) and f"known deviations: {expected}" in render_table(
        report
    )
    assert headline(()) == ""


def test_scenarios_with_one_deviation_show_it_once(run: dict[str, Any]) -> None:
    before = build_report([read_results(run, "x")]).deviations
    again = {
        **run["scenarios"][-1],
        "name": "/a/b/again",
        "requirements": [{"name": "RQ.Other", "version": "1.0"}],
    }
    run["scenarios"].append(again)
    after = build_report([read_results(run, "x")]).deviations
    (shared,) = [deviation for deviation in after if "/a/b/again" in deviation.scenarios]
    assert len(after) == len(before) and len(shared.scenarios) == 2
    assert shared.requirements[-1] == "RQ.Other" and len(shared.columns) == 1


def test_the_worst_is_first(run: dict[str, Any]) -> None:
    found = seen_deviations(build_report([read_results(run, "x")]).columns)
    assert [deviation.kind for deviation in found[::4]] == [*DeviationKind, "not judged"]
    assert [deviation.severity for deviation in found[:4]] == list(Severity)
    text = render_markdown(build_report([read_results(run, "x")]))
    lines = [line for line in text.splitlines() if "it differs" in line]
    assert lines[0].startswith("| data lost | `b.") and f"<{UPSTREAM}>" in lines[0]
    assert ">= 26.6, recorded up to" in lines[0].replace("\\", "")


def test_a_deviation_seen_in_two_runs_is_one(run: dict[str, Any]) -> None:
    other = {**run, "run": {**run["run"], "id": "r2", "environment": "docker"}}
    report = build_report([read_results(run, "x"), read_results(other, "y")])
    assert len(report.deviations) == 21
    assert report.deviations[0].columns == ("embedded", "docker")


def test_versions_say_how_far_anybody_looked() -> None:
    assert versions(None).startswith("all that were tried, recorded up to ")
    assert versions("clickhouse >= 26.6 and clickhouse < 26.9").startswith(
        ">= 26.6 and < 26.9, recorded"
    )


def test_junit_skips_a_deviation_and_says_why(run: dict[str, Any], tmp_path: Any) -> None:
    junit.write(read_results(run, "x"), tmp_path / "junit.xml")
    root = ElementTree.parse(tmp_path / "junit.xml").getroot()
    messages = [skipped.get("message") for skipped in root.findall(".//skipped")]
    assert len(messages) == 21
    assert "known deviation (bug, data lost): it differs" in messages
    assert "known deviation: it differs" in messages
    assert [suite.get("skipped") for suite in root.findall("testsuite")] == ["21"]
