"""Writing reports beside results.json at the end of a run, however that run ended."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from helpers.report.markdown import render_markdown
from helpers.report.page import render_html
from helpers.report.report import build_report
from helpers.report.run_results import Results


def write_reports(results: Results, folder: Path) -> None:
    """coverage.html and coverage.md. A disk that cannot be written is not hidden: a run whose report is
    missing did not end well."""
    notes = []
    if not results.requirements:
        notes.append("This run names no requirements, so there is nothing to cover.")
    report = replace(build_report([results], notes), in_run_folder=True)
    (folder / "coverage.html").write_text(render_html(report), encoding="utf-8")
    (folder / "coverage.md").write_text(render_markdown(report), encoding="utf-8")
