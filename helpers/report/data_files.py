"""coverage.json and coverage.csv: the report for programs and for spreadsheets."""

import csv
import io
import json
from collections.abc import Sequence
from dataclasses import asdict
from typing import Any

from helpers.report import deviations
from helpers.report.columns import NEEDS_ATTENTION, Column
from helpers.report.obligations import obligations
from helpers.report.report import Report, Row
from helpers.report.states import ACROSS_RUNS, HOLES, MEANINGS
from helpers.scenario.result import ScenarioResult
from helpers.sensitivity.mutant_ends import ENDS, SURVIVED, VERDICTS, Sensitivity, Verdict

REPORT_SCHEMA = 1
ROW = ("name", "version", "specification", "section", "file", "line", "text", "state", "reason")
NOT_SHOWN = (
    *("needs", "data", "mutant", "changes", "broken", "generated"),
    *("checks", "obligations", "code", "details", "expected"),
)
"""Fields of a scenario's result that only concern its own run."""


def render_json(report: Report) -> str:
    """Everything the report holds."""
    return json.dumps(report_data(report), ensure_ascii=False, indent=1) + "\n"


def render_csv(report: Report) -> str:
    """A line for each requirement: its state over all runs, then its state in each.

    Where no run had mutants there are no columns for them.
    """
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    head = ["requirement", "version", "specification", "section", "file", "line", "state", "reason"]
    if report.score:
        head += ["sensitivity", "sensitivity reason", "mutants killed", "mutants", "survived"]
    for column in report.columns:
        head += [column.label, f"{column.label} reason"]
        head += [f"{column.label} sensitivity"] if column.sensitivity else []
    writer.writerow(head)
    for row in report.rows:
        place = [row.specification, " / ".join(row.section), row.file, row.line]
        line = [row.name, row.version, *place, row.state, row.reason or ""]
        line += _mutants(row.verdict) if report.score else []
        for column, cell, verdict in zip(report.columns, row.columns, row.verdicts, strict=True):
            line += [cell.state, cell.reason or ""] if cell else ["", ""]
            line += [verdict.verdict if verdict else ""] if column.sensitivity else []
        writer.writerow(line)
    return text.getvalue()


def _mutants(verdict: Verdict | None) -> list[object]:
    if verdict is None:
        return [""] * 5
    survivors = ", ".join(name for name, end in verdict.mutants.items() if end == SURVIVED)
    return [verdict.verdict, verdict.reason, verdict.killed, verdict.effective, survivors]


def report_data(report: Report) -> dict[str, Any]:
    """Everything the report holds."""
    return {
        "schema": REPORT_SCHEMA,
        "states": [{"state": state, "meaning": MEANINGS[state]} for state in ACROSS_RUNS],
        "holes": list(HOLES),
        "attention": list(NEEDS_ATTENTION),
        "notes": list(report.notes),
        "in_run_folder": report.in_run_folder,
        "fixed": _listed(report.fixed),
        "deviations": deviations.data(report.deviations),
        "failures": _listed(report.failures),
        "differences": [asdict(difference) for difference in report.differences],
        "comparison": asdict(report.comparison) if report.comparison else None,
        "total": report.total,
        "counts": report.counts,
        "sensitivity": _score(report),
        "columns": [_column(column) for column in report.columns],
        "specifications": [asdict(specification) for specification in report.specifications],
        "requirements": [_row(row, _scenarios(report, row)) for row in report.rows],
    }


def _listed(scenarios: Sequence[tuple[Column, ScenarioResult]]) -> list[dict[str, Any]]:
    return [
        {
            "run": column.id,
            "name": scenario.name,
            "result": scenario.result,
            "reason": scenario.reason,
            "triage": scenario.triage,
        }
        for column, scenario in scenarios
    ]


def _score(report: Report) -> dict[str, Any] | None:
    if report.score is None:
        return None
    return {**asdict(report.score), "ends": dict(ENDS), "verdicts": dict(VERDICTS)}


def _column(column: Column) -> dict[str, Any]:
    left_out = {"states", "verdicts"}  # they are with the requirements
    data = {
        name: getattr(column, name) for name in Column.__dataclass_fields__ if name not in left_out
    }
    data["facts"] = dict(column.facts)
    data["scenarios"] = [_scenario(scenario) for scenario in column.scenarios]
    data["sensitivity"] = _sensitivity(column.sensitivity) if column.sensitivity else None
    data["systematic"] = column.systematic.as_json() if column.systematic else None
    return data


def _scenario(scenario: ScenarioResult) -> dict[str, Any]:
    return {key: value for key, value in vars(scenario).items() if key not in NOT_SHOWN}


def _sensitivity(sensitivity: Sensitivity) -> dict[str, Any]:
    """All but the verdicts, which are with the requirements. asdict() would copy every mutant's end."""
    data = {key: value for key, value in vars(sensitivity).items() if key != "requirements"}
    data["mutants"] = [vars(mutant) for mutant in sensitivity.mutants]
    return data


def _scenarios(report: Report, row: Row) -> list[ScenarioResult]:
    """The scenarios that are linked to a requirement, each once, from the first column that has it."""
    found: dict[str, ScenarioResult] = {}
    for column, cell in zip(report.columns, row.columns, strict=True):
        for name in cell.scenarios if cell else ():
            if name in column.by_name:
                found.setdefault(name, column.by_name[name])
    return list(found.values())


def _row(row: Row, scenarios: Sequence[ScenarioResult]) -> dict[str, Any]:
    data = {key: getattr(row, key) for key in ROW}
    data["obligations"] = obligations(row.text, scenarios)
    data["sensitivity"] = _verdict(row.verdict)
    data["columns"] = [
        None
        if cell is None
        else {
            **{key: getattr(cell, key) for key in ("version", "state", "reason", "scenarios")},
            "sensitivity": _verdict(verdict),
        }
        for cell, verdict in zip(row.columns, row.verdicts, strict=True)
    ]
    return data


def _verdict(verdict: Verdict | None) -> dict[str, Any] | None:
    return {**vars(verdict), "bad": verdict.bad} if verdict else None
