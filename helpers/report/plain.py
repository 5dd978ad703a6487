"""The report as plain data: coverage.json, and what the page is drawn from."""

from dataclasses import asdict
from typing import Any

from helpers.report.model import Column, Report, Row
from helpers.report.sensitivity import ENDS, VERDICTS, Sensitivity, Verdict
from helpers.report.states import ACROSS_RUNS, HOLES, MEANINGS


def as_plain_data(report: Report) -> dict[str, Any]:
    """Everything the report holds."""
    return {
        "schema": 1,
        "states": [{"state": state, "meaning": MEANINGS[state]} for state in ACROSS_RUNS],
        "holes": list(HOLES),
        "notes": list(report.notes),
        "comparison": asdict(report.comparison) if report.comparison else None,
        "total": report.total,
        "counts": report.counts,
        "sensitivity": _proof(report),
        "columns": [_column(column) for column in report.columns],
        "specifications": [asdict(specification) for specification in report.specifications],
        "requirements": [_row(row) for row in report.rows],
    }


def _proof(report: Report) -> dict[str, Any] | None:
    if report.proof is None:
        return None
    return {**asdict(report.proof), "ends": dict(ENDS), "verdicts": dict(VERDICTS)}


def _column(column: Column) -> dict[str, Any]:
    data = {name: getattr(column, name) for name in Column.__dataclass_fields__}
    data["facts"] = dict(column.facts)
    data["scenarios"] = [vars(scenario) for scenario in column.scenarios]
    data["sensitivity"] = _sabotage(column.sensitivity) if column.sensitivity else None
    return data


def _sabotage(found: Sensitivity) -> dict[str, Any]:
    """The verdicts stand with the requirements. Not by asdict(), which copies every end of a mutant."""
    data = {key: value for key, value in vars(found).items() if key != "requirements"}
    data["mutants"] = [vars(mutant) for mutant in found.mutants]
    return data


def _row(row: Row) -> dict[str, Any]:
    data = dict(vars(row))
    verdicts = data.pop("verdicts")
    data["sensitivity"] = _verdict(row.verdict)
    data["columns"] = [
        None
        if cell is None
        else {
            **{key: getattr(cell, key) for key in ("version", "state", "reason", "scenarios")},
            "sensitivity": _verdict(verdict),
        }
        for cell, verdict in zip(row.columns, verdicts, strict=True)
    ]
    return data


def _verdict(verdict: Verdict | None) -> dict[str, Any] | None:
    return {**vars(verdict), "bad": verdict.bad} if verdict else None
