"""Writing reports beside results.json at the end of a run, however that run went."""

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, TypeVar

from helpers.errors import UsageError
from helpers.report.html import render_html
from helpers.report.load import Results, read_requirement, read_scenario
from helpers.report.markdown import render_markdown
from helpers.report.model import build_report
from helpers.report.sensitivity import read_sensitivity

Entry = TypeVar("Entry")


def write_reports(results: Mapping[str, Any], folder: Path) -> None:
    """coverage.html and coverage.md from whatever a run left.

    An entry that cannot be used is left out, and the report itself says so. A disk that cannot be
    written is not hidden: a run whose report is missing did not end well.
    """
    run, notes = _salvaged(results, str(folder / "results.json"))
    report = build_report([run], notes)
    (folder / "coverage.html").write_text(render_html(report), encoding="utf-8")
    (folder / "coverage.md").write_text(render_markdown(report), encoding="utf-8")


def _salvaged(results: Mapping[str, Any], source: str) -> tuple[Results, list[str]]:
    notes: list[str] = []
    run = results.get("run")
    scenarios = _readable(results, "scenarios", read_scenario, notes)
    requirements = _readable(results, "requirements", read_requirement, notes)
    unique = {requirement.name: requirement for requirement in requirements}
    if not unique:
        notes.append("This run names no requirements, so there is nothing to cover.")
    try:
        sensitivity = read_sensitivity(results.get("sensitivity"), "sensitivity")
    except UsageError as error:
        sensitivity = None
        notes.append(f"Left out of this report: {error}.")
    return (
        Results(
            source,
            run if isinstance(run, dict) else {},
            tuple(scenarios),
            (*unique.values(),),
            sensitivity,
        ),
        notes,
    )


def _readable(
    results: Mapping[str, Any],
    key: str,
    read: Callable[[object, str], Entry],
    notes: list[str],
) -> list[Entry]:
    entries = results.get(key)
    found: list[Entry] = []
    for index, entry in enumerate(entries if isinstance(entries, list) else []):
        try:
            found.append(read(entry, f"{key}[{index}]"))
        except UsageError as error:
            notes.append(f"Left out of this report: {error}.")
    return found
