"""What sabotage showed stands in every form of the matrix, and nowhere if there was none."""

from __future__ import annotations

import copy
import csv
import io
import json
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest

from helpers.report import junit
from helpers.report.console_table import render_table
from helpers.report.data_files import render_csv, render_json
from helpers.report.load import read_results
from helpers.report.markdown import render_markdown
from helpers.report.page import render_html
from helpers.report.report import Report, build_report
from helpers.sensitivity.mutant_ends import ENDS
from helpers.sensitivity.mutant_ends import VERDICTS as ALL_VERDICTS
from tests.report.sabotage import BAD, MUTANTS, SIGHT, VERDICTS, name_of, sabotaged_run, verdict_in
from tests.report.test_renderings import in_page

Document = dict[str, Any]


@pytest.fixture
def report(sabotaged: Document) -> Report:
    return build_report([read_results(sabotaged, "x")])


def test_the_sample_has_every_end_and_verdict() -> None:
    assert list(MUTANTS) == list(ENDS)
    assert {verdict for _, verdict, _, _ in VERDICTS.values()} == set(ALL_VERDICTS)


def test_all_renderings_count_alike(report: Report) -> None:
    data = json.loads(render_json(report))
    assert data["sensitivity"]["mutants"] == MUTANTS
    assert (data["sensitivity"]["proven"], data["sensitivity"]["verified"]) == (2, 3)
    assert in_page(render_html(report)) == data
    markdown, console = render_markdown(report), render_table(report)
    for text in (markdown, console):
        assert "2 of 7 mutants killed, 1 broken, 1 survived, 1 tolerated, 1 unsettled" in text
        assert "2 of 3 verified requirements are proven sensitive" in text
    assert console.splitlines()[0].split()[-3:] == ["mutants", "killed", "survived"]
    assert console.splitlines()[2].split()[-4:] == ["2", "of", "7", "1"]
    for row in ("SRS-900", "**all**", "sabotaged"):
        (line,) = (line for line in markdown.splitlines() if line.startswith(f"| {row} "))
        assert line.endswith("| 2 of 7 | 1 |"), line


# In this order: what fails the check, worst first, then what only could not be shown.
LISTED = [
    ("broken", name_of("Stumbled"), VERDICTS["Stumbled"][2]),
    ("survived", name_of("Lived"), VERDICTS["Lived"][2]),
    ("no mutant", name_of("Free"), VERDICTS["Free"][2]),
    ("not applicable", name_of("Quiet"), VERDICTS["Quiet"][2]),
    ("blind", "/sample/all/looks away", "never noticed: does-nothing"),
    ("idle", "odd", "this mutant never changed anything, so it proved nothing"),
    ("immune", name_of("Safe"), VERDICTS["Safe"][2]),
    ("not applicable", name_of("Away"), VERDICTS["Away"][2]),
]


def test_what_was_not_proven_is_listed_with_its_reason(report: Report) -> None:
    console = [f"  {word}: {name}: {reason}" for word, name, reason in LISTED]
    assert "\n".join(console) in render_table(report)
    markdown = [f"- {word}: `{name}` {reason}" for word, name, reason in LISTED]
    assert "\n".join(markdown) in render_markdown(report)


def test_a_line_of_csv(report: Report) -> None:
    lines = {line["requirement"]: line for line in csv.DictReader(io.StringIO(render_csv(report)))}
    for name, (_, verdict, reason, _) in VERDICTS.items():
        line = lines[name_of(name)]
        actual = line["sensitivity"], line["sensitivity reason"], line["sabotaged sensitivity"]
        assert actual == (verdict, reason, verdict)
    seen, lived, left = (lines[name_of(name)] for name in ("Seen", "Lived", "Left"))
    assert (seen["mutants killed"], seen["mutants"], seen["survived"]) == ("2", "3", "")
    assert (lived["mutants killed"], lived["mutants"], lived["survived"]) == ("1", "3", "too-many")
    assert (left["sensitivity"], left["mutants"]) == ("", "")


def test_a_run_without_sabotage_says_nothing_of_it(document: Document) -> None:
    report = build_report([read_results(document, "x")])
    assert report.score is None
    for text in (render_markdown(report), render_table(report), render_csv(report)):
        assert "mutant" not in text.lower()
        assert "sensitiv" not in text.lower()
    assert {len(line) for line in csv.reader(io.StringIO(render_csv(report)))} == {10}
    data = json.loads(render_json(report))
    assert data["sensitivity"] is None
    assert data["requirements"][0]["sensitivity"] is None


def test_over_several_runs_the_worst_is_told(sabotaged: Document, document: Document) -> None:
    other = copy.deepcopy(sabotaged_run(document, "other"))
    verdict_in(other, "Seen").update(
        verdict="survived", reason="open was not noticed", mutants={"open": "survived"}
    )
    verdict_in(other, "Lived").update(verdict="killed", mutants={"too-many": "killed"})
    verdict_in(other, "Quiet").update(verdict="killed", mutants={"odd": "killed"})
    plain = {**document, "run": {**document["run"], "id": "plain", "environment": "plain"}}
    report = build_report([read_results(run, "x") for run in (plain, other, sabotaged)])
    verdicts = {row.name: row.verdict.verdict for row in report.rows if row.verdict}
    assert verdicts[name_of("Seen")] == verdicts[name_of("Lived")] == "survived"
    assert verdicts[name_of("Quiet")] == "not applicable", "it fails the check in one of them"
    assert report.score
    assert report.score.mutants["survived"] == 2
    head = next(csv.reader(io.StringIO(render_csv(report))))
    assert [name for name in head if name.endswith(" sensitivity")] == [
        "other sensitivity",
        "sabotaged sensitivity",
    ]
    (line,) = (line for line in render_markdown(report).splitlines() if line.startswith("| plain"))
    assert line.endswith("|  |  |"), "no figures where nothing was sabotaged"


def test_a_fast_run_says_so(sabotaged: Document) -> None:
    sabotaged["sensitivity"]["thorough"] = False
    report = build_report([read_results(sabotaged, "x")])
    for text in (render_markdown(report), render_table(report)):
        assert "one killed mutant a requirement was enough (--fast)" in text


def test_junit_agrees_with_the_verdicts(sabotaged: Document, tmp_path: Path) -> None:
    file = tmp_path / "junit.xml"
    junit.write(read_results(sabotaged, "x"), file)
    (suite,) = ElementTree.parse(file).getroot().findall("testsuite[@name='sensitivity']")
    failed = [case.attrib["name"] for case in suite if case.find("failure") is not None]
    assert sorted(failed) == sorted([*map(name_of, BAD), "/sample/all/looks away", "odd"])
    skipped = [case.attrib["name"] for case in suite if case.find("skipped") is not None]
    assert skipped == [name_of("Safe"), name_of("Away")]
    assert suite.attrib["tests"] == str(len(VERDICTS) + len(SIGHT) + 1)
    assert (suite.attrib["failures"], suite.attrib["skipped"]) == ("6", "2")
    lived = suite.findall(f"testcase[@name='{name_of('Lived')}']/properties/property")
    assert {element.attrib["value"]: element.attrib["name"] for element in lived} == {
        "does-nothing": "mutant killed",
        "waits": "mutant timed out",
        "too-many": "mutant survived",
    }
    del sabotaged["sensitivity"]
    junit.write(read_results(sabotaged, "x"), file)
    assert "sensitivity" not in file.read_text()
