"""coverage.html: the whole report in one file that needs no network."""

import base64
import gzip
import json
from functools import cache
from html import escape
from pathlib import Path
from typing import Any

from helpers.base.escaping import counted
from helpers.report.data_files import report_data
from helpers.report.report import Report
from helpers.scenario.result import UNEXPECTED, Result, State

ASSETS = Path(__file__).parent / "assets"
SCRIPTS = (
    "data.js",
    "markdown.js",
    "mutants.js",
    "deviations.js",
    "obligations.js",
    "summary.js",
    "list.js",
    "main.js",
)
SIZE_LIMIT = 1_000_000
"""Bytes a page may have: mail systems and job artifacts show such a file without ado."""


def render_html(report: Report, limit: int = SIZE_LIMIT) -> str:
    """The page; if it would be too large, it leaves out recorded SQL and notes that."""
    data = report_data(report)
    page = _page(report, data)
    for results, whose in (
        ({Result.OK}, "of passing scenarios"),
        (set(Result) - UNEXPECTED, "of scenarios that did not fail"),
        (set(Result), "of all scenarios"),
    ):
        if len(page) <= limit:
            break
        note = f"The recorded SQL {whose} was left out to keep this page small; see coverage.json."
        data["notes"] = [*report.notes, note]
        data["columns"] = [
            {**column, "scenarios": [_bare(scenario, results) for scenario in column["scenarios"]]}
            for column in data["columns"]
        ]
        page = _page(report, data)
    return page


def _bare(scenario: dict[str, Any], results: set[Result]) -> dict[str, Any]:
    return {**scenario, "statements": ()} if scenario["result"] in results else scenario


def _page(report: Report, data: dict[str, Any]) -> str:
    plain = json.dumps(data, ensure_ascii=False, separators=(",", ":")).encode()
    # Base64 cannot end the script block early, whatever a failure message contains; a fixed
    # time stamp makes the same results give the same bytes.
    packed = base64.b64encode(gzip.compress(plain, compresslevel=6, mtime=0)).decode()
    verified = report.counts.get(State.VERIFIED, 0)
    failed = f", {counted(len(report.failures), 'scenario')} failed" if report.failures else ""
    parts = {
        "title": f"Coverage: {verified} of {report.total} requirements verified{failed}",
        "css": asset("page.css"),
        "js": "\n".join(map(asset, SCRIPTS)),
        "noscript": _without_script(report),
        "data": packed,
    }
    page = asset("page.html")
    for name, value in parts.items():
        page = page.replace(f"{{{{{name}}}}}", value)
    return page


def _without_script(report: Report) -> str:
    """The counts alone, for a reader who blocks scripts."""
    lines = [
        f"<li>{escape(scenario.result)}: {escape(scenario.name)}</li>"
        for _, scenario in report.failures
    ]
    lines += [f"<li>{count} {escape(state)}</li>" for state, count in report.counts.items()]
    lines += [f"<li>sensitivity: {escape(str(report.score))}</li>"] if report.score else []
    return (
        f"<h1>Coverage of {report.total} requirements</h1><ul>{''.join(lines)}</ul>"
        "<p>The list needs JavaScript; coverage.md and coverage.json hold the same.</p>"
    )


@cache
def asset(name: str) -> str:
    return (ASSETS / name).read_text(encoding="utf-8").rstrip("\n")
