"""What was tested, ClickHouse or the exporter: results, states, columns, and every form of the matrix."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest

from bench.samples import sample_scenario
from helpers.base.errors import UsageError
from helpers.report import junit
from helpers.report.console_table import render_table
from helpers.report.data_files import render_csv, render_json
from helpers.report.load import read_results
from helpers.report.markdown import render_markdown
from helpers.report.report import Report, build_report
from helpers.report.run_results import Results
from helpers.report.since_base import compare_results
from helpers.report.states import requirement_states
from helpers.scenario.marks import Marks
from helpers.scenario.result import Link, Result, ScenarioResult, State, Subject
from tests.report.test_states import NAME, specification

NO_STATEMENT = "this server has no EXPORT PART"
LINK = (Link(NAME, "1.0"),)


def exporters(name: str, result: Result = Result.OK) -> ScenarioResult:
    """A result of a scenario that tested the exporter."""
    return ScenarioResult(
        name, result, requirements=LINK, subject=Subject.EXPORTER, instead=NO_STATEMENT
    )


def states(*results: ScenarioResult) -> dict[str, tuple[str, str | None]]:
    """The states of the one requirement by subject."""
    links = [
        replace(
            sample_scenario(result.name, (NAME, "1.0")),
            marks=Marks(tests_instead=result.instead or ""),
        )
        for result in results
    ]
    found = requirement_states([specification()], links, results, {})
    return {state.subject: (state.state, state.reason) for state in found}


def test_what_the_exporter_proves_is_blocked_for_clickhouse() -> None:
    assert states(exporters("/a/b/one"), exporters("/a/b/two")) == {
        "ClickHouse": (State.BLOCKED, NO_STATEMENT),
        "exporter": (State.VERIFIED, None),
    }


def test_a_failure_of_the_exporter_is_none_of_clickhouse() -> None:
    found = states(exporters("/a/b/one", Result.FAIL))
    assert found["ClickHouse"] == (State.BLOCKED, NO_STATEMENT)
    assert found["exporter"][0] == State.FAILING


def test_a_server_with_the_statement_fills_its_own_column() -> None:
    own = ScenarioResult("/a/b/one", Result.OK, requirements=LINK)
    assert states(own) == {"ClickHouse": (State.VERIFIED, None)}
    found = states(own, exporters("/a/b/two"))
    assert found["ClickHouse"] == (State.BLOCKED, f"1 of 2 scenarios passed; {NO_STATEMENT}")
    assert found["exporter"] == (State.VERIFIED, None)


def test_what_did_not_run_makes_no_column_of_the_exporter() -> None:
    assert states(exporters("/a/b/one", Result.NOT_RUN)).keys() == {"ClickHouse"}


@pytest.fixture
def run(document: dict[str, Any]) -> dict[str, Any]:
    """A run with one requirement that only the exporter was tested for."""
    template = document["requirements"][0]
    document["scenarios"].append(
        {
            **document["scenarios"][0],
            "name": "/a/b/exported",
            "requirements": [{"name": "RQ.SRS-900.Export", "version": "1.0"}],
            "subject": "exporter",
            "instead": NO_STATEMENT,
        }
    )
    by_server = {**template, "name": "RQ.SRS-900.Export", "state": "blocked", "scenarios": []}
    of_exporter = {**by_server, "state": "verified", "subject": "exporter"}
    document["requirements"] += [{**by_server, "reason": NO_STATEMENT}, of_exporter]
    return document


def results(document: dict[str, Any]) -> Results:
    """The results as they are read, also after they were written again."""
    read = read_results(document, "x")
    assert read_results(json.loads(read.text()), "x").requirements == read.requirements
    return read


def the_report(document: dict[str, Any]) -> Report:
    return build_report([results(document)])


def test_the_exporter_is_a_column_of_its_own_and_no_proof_of_clickhouse(
    run: dict[str, Any],
) -> None:
    report = the_report(run)
    assert [column.label for column in report.columns] == ["embedded", "exporter on embedded"]
    assert report.total == 2 and report.counts == {"verified": 1, "blocked": 1}
    assert [dict(column.counts) for column in report.columns] == [
        {"verified": 1, "blocked": 1},
        {"verified": 1},
    ]
    assert [column.results for column in report.columns] == [{"OK": 1}, {"OK": 1}]
    run["requirements"][2]["state"] = "failing"
    assert the_report(run).counts == {"failing": 1, "verified": 1}, "a failure is one of the whole"


def test_every_form_shows_the_column(run: dict[str, Any], tmp_path: Path) -> None:
    report = the_report(run)
    assert "| exporter on embedded |" in render_markdown(report)
    assert "\nexporter on embedded " in render_table(report)
    head, *rows = render_csv(report).splitlines()
    assert ",embedded,embedded reason,exporter on embedded," in head
    assert any(f",blocked,{NO_STATEMENT},verified," in row for row in rows)
    columns = json.loads(render_json(report))["columns"]
    assert [column["subject"] for column in columns] == ["ClickHouse", "exporter"]
    junit.write(results(run), tmp_path / "junit.xml")
    cases = ElementTree.parse(tmp_path / "junit.xml").findall(".//testcase")
    values = [
        case.find("properties/property[@name='subject']").get("value")  # type: ignore[union-attr]
        for case in cases
    ]
    assert values == ["ClickHouse", "exporter"]


def test_a_regression_of_the_exporter_is_noticed(run: dict[str, Any]) -> None:
    before = results(run)
    worse = {**run, "requirements": [dict(entry) for entry in run["requirements"]]}
    worse["requirements"][2]["state"] = "failing"
    (change,) = compare_results([results(worse)], [before]).regressed
    assert (change.name, change.before, change.after) == (
        "RQ.SRS-900.Export (exporter)",
        "verified",
        "failing",
    )


def test_an_unknown_subject_is_an_error(run: dict[str, Any]) -> None:
    run["scenarios"][0]["subject"] = "Spark"
    with pytest.raises(
        UsageError, match="subject is 'Spark', expected one of ClickHouse, exporter"
    ):
        results(run)
