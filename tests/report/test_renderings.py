"""All renderings tell the same numbers, survive any text, and the page needs no network."""

from __future__ import annotations

import base64
import csv
import gzip
import io
import json
import re
from collections import Counter
from typing import Any

import pytest

from bench.samples import sample_results
from helpers.base.errors import UsageError
from helpers.report.console_table import render_table
from helpers.report.data_files import render_csv, render_json
from helpers.report.load import read_results
from helpers.report.markdown import render_markdown
from helpers.report.page import render_html
from helpers.report.report import Report, build_report
from helpers.scenario.result import State

Counts = dict[str, int]


def in_page(page: str) -> dict[str, Any]:
    block = re.search(r'<script type="application/gzip" id="data">([^<]*)</script>', page)
    assert block
    return dict(json.loads(gzip.decompress(base64.b64decode(block[1]))))


def of_table(lines: list[list[str]], first: str) -> Counts:
    """The counts in the line that begins with `first`, by the names in the header."""
    head = lines[0]
    line = next(line for line in lines if line[0] == first)
    return {
        name: int(value) for name, value in zip(head[1:], line[1:], strict=True) if value != "0"
    }


def counts_of_markdown(text: str, title: str) -> Counts:
    lines = [
        [cell.strip() for cell in line.strip("|").split("|")]
        for line in text.splitlines()
        if line.startswith("| ")
    ]
    if title == "**all**":
        return of_table(lines, title)
    runs = lines[next(i for i, line in enumerate(lines) if line[0] == "run") :]
    return of_table([[line[0], *line[4:]] for line in runs], title)


def counts_of_console(text: str, title: str) -> Counts:
    lines = [re.split(r"\s{2,}", line.strip()) for line in text.split("\n\n")[0].splitlines()]
    lines = [line for line in lines if len(line) > 2]
    return of_table([["", *lines[0]], *lines[1:]], title)


def test_the_sample_has_every_state(report: Report) -> None:
    assert set(report.counts) == set(State)


def test_all_renderings_count_alike(report: Report) -> None:
    expected = {"total": 60, **report.counts}
    assert sum(report.counts.values()) == 60
    by_csv = Counter(row["state"] for row in csv.DictReader(io.StringIO(render_csv(report))))
    assert {"total": by_csv.total(), **by_csv} == expected
    by_json = json.loads(render_json(report))
    assert {"total": by_json["total"], **by_json["counts"]} == expected
    assert Counter(row["state"] for row in by_json["requirements"]) == report.counts
    by_page = in_page(render_html(report))
    assert {"total": by_page["total"], **by_page["counts"]} == expected
    assert counts_of_markdown(render_markdown(report), "**all**") == expected
    assert counts_of_console(render_table(report), "all") == expected


def test_all_renderings_count_alike_in_each_run(report: Report) -> None:
    lines = list(csv.DictReader(io.StringIO(render_csv(report))))
    markdown, console = render_markdown(report), render_table(report)
    for index, column in enumerate(report.columns):
        in_csv = Counter(line[column.label] for line in lines if line[column.label])
        assert in_csv == column.counts
        assert json.loads(render_json(report))["columns"][index]["counts"] == column.counts
        assert counts_of_markdown(markdown, column.label) == column.counts
        of_console = counts_of_console(console, column.label)
        assert of_console.pop("total") == sum(column.counts.values())
        assert of_console == column.counts
    assert [sum(column.counts.values()) for column in report.columns] == [60, 60, 59]


def test_specifications_add_up(report: Report) -> None:
    total: Counter[str] = Counter()
    for specification in report.specifications:
        assert sum(specification.counts.values()) == specification.total
        total.update(specification.counts)
    assert total == report.counts


def test_holes_come_with_reasons_in_markdown_and_console(report: Report) -> None:
    for text in (render_markdown(report), render_table(report)):
        for state, rows in report.holes:
            assert state == State.DEVIATES or rows[0].name in text, state
            assert rows[0].reason
    assert "\\</script\\>" in render_markdown(report)


def test_a_failed_scenario_without_a_requirement_is_listed_first_in_every_form(
    document: dict[str, Any],
) -> None:
    alone = {"name": "/a/b/alone", "result": "Error", "reason": "it broke"}
    document["scenarios"].append(alone)
    report = build_report([read_results(document, "x")])
    assert report.counts == {"verified": 1}, "no requirement tells of it"
    lines = render_markdown(report).splitlines()
    assert lines[0] == "# Coverage: 1 of 1 verified, 1 scenario failed"
    assert lines[2:5] == [
        "## Scenarios not as expected: 1",
        "",
        "- Error: `/a/b/alone` it broke",
    ]
    assert "\n\nscenarios not as expected (1)\n  Error  /a/b/alone: it broke\n" in render_table(
        report
    )
    assert json.loads(render_json(report))["failures"] == [{"run": "r1", "triage": None, **alone}]
    page = render_html(report)
    assert "1 scenario failed</title>" in page
    assert "<ul><li>Error: /a/b/alone</li>" in page, "without scripts"
    document["scenarios"].pop()
    good = build_report([read_results(document, "x")])
    for text in (render_markdown(good), render_table(good), render_html(good)):
        assert "not as expected (" not in text and "failed</title>" not in text


def test_markdown_lists_few_and_counts_the_rest() -> None:
    big = build_report([read_results(sample_results(1000), "big")])
    text = render_markdown(big)
    untested = big.counts["untested"]
    assert f"## Untested: {untested}" in text
    assert f"- and {untested - 20} more" in text
    assert len(text) < 20_000


def test_the_page_asks_nothing_of_the_network(report: Report) -> None:
    page = render_html(report)
    assert not re.search(r"\b(?:src|action|poster)\s*=", page.replace("default-src", ""))
    assert not re.search(r"url\(|@import|\bfetch\(|XMLHttpRequest|WebSocket|import\(", page)
    assert re.findall(r'<link[^>]*href="([^"]*)"', page) == ["data:,"]
    assert "default-src 'none'" in page


def test_no_text_breaks_out_of_the_page(report: Report) -> None:
    page = render_html(report)
    assert "onerror" not in page
    assert page.count("</script>") == 2


def test_the_page_is_the_same_for_the_same_results(report: Report) -> None:
    assert render_html(report) == render_html(report)


def test_the_page_holds_exactly_the_report(report: Report) -> None:
    assert in_page(render_html(report)) == json.loads(render_json(report))


def test_a_page_that_would_be_too_large_leaves_out_sql_and_says_so(report: Report) -> None:
    whole = len(render_html(report))
    smaller = render_html(report, limit=whole - 1)
    assert len(smaller) < whole
    data = in_page(smaller)
    assert data["notes"] == [
        "The recorded SQL of passing scenarios was left out to keep this page small; see coverage.json."
    ]
    kept = {
        scenario["result"]
        for column in data["columns"]
        for scenario in column["scenarios"]
        if scenario["statements"]
    }
    assert "OK" not in kept
    assert "Fail" in kept
    least = in_page(render_html(report, limit=1))
    assert not any(s["statements"] for c in least["columns"] for s in c["scenarios"])
    assert "of all scenarios" in least["notes"][0]


def test_across_runs(make_run: Any) -> None:
    runs = [
        make_run(
            "old", "2026-11-15T00:00:00Z", A="blocked", B="verified", C="not_run", Gone="failing"
        ),
        make_run(
            "new", "2026-11-16T00:00:00Z", A="verified", B="failing", C="untested", Fresh="planned"
        ),
    ]
    report = build_report([read_results(run, run["run"]["id"]) for run in runs])
    states = {row.name.rsplit(".")[-1]: row.state for row in report.rows}
    assert states == {
        "A": "verified",
        "B": "failing",
        "C": "not run",
        "Fresh": "planned",
        "Gone": "failing",
    }
    by_name = {row.name: row for row in report.rows}
    assert by_name["RQ.SRS-900.Gone"].columns[1] is None
    assert list(states)[-1] == "Gone", "what only an older run knows comes last"


def test_the_same_run_twice_is_refused(document: dict[str, Any]) -> None:
    run = read_results(document, "x")
    with pytest.raises(UsageError, match="r1 was given twice"):
        build_report([run, run])


def test_an_interrupted_run_is_called_one_everywhere(document: dict[str, Any]) -> None:
    document["run"]["interrupted"] = True
    report = build_report([read_results(document, "x")])
    for text in (render_markdown(report), render_table(report)):
        assert "was interrupted" in text
    assert "was interrupted" in in_page(render_html(report))["notes"][0]
