"""coverage.json and coverage.csv: the report for programs and for spreadsheets."""

import csv
import io
import json

from helpers.report.model import Report
from helpers.report.plain import as_plain_data
from helpers.report.sensitivity import SURVIVED, Verdict


def render_json(report: Report) -> str:
    """Everything the report holds."""
    return json.dumps(as_plain_data(report), ensure_ascii=False, indent=1) + "\n"


def render_csv(report: Report) -> str:
    """A line for each requirement: its state over all runs, then its state in each.

    Where nothing was sabotaged there are no columns for it.
    """
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    head = ["requirement", "version", "specification", "section", "file", "line", "state", "reason"]
    if report.proof:
        head += ["sensitivity", "sensitivity reason", "mutants killed", "mutants", "survived"]
    for column in report.columns:
        head += [column.label, f"{column.label} reason"]
        head += [f"{column.label} sensitivity"] if column.sensitivity else []
    writer.writerow(head)
    for row in report.rows:
        place = [row.specification, " / ".join(row.section), row.file, row.line]
        line = [row.name, row.version, *place, row.state, row.reason or ""]
        line += _mutants(row.verdict) if report.proof else []
        for column, cell, verdict in zip(report.columns, row.columns, row.verdicts, strict=True):
            line += [cell.state, cell.reason or ""] if cell else ["", ""]
            line += [verdict.verdict if verdict else ""] if column.sensitivity else []
        writer.writerow(line)
    return text.getvalue()


def _mutants(verdict: Verdict | None) -> list[object]:
    if verdict is None:
        return [""] * 5
    survivors = ", ".join(name for name, end in verdict.mutants.items() if end == SURVIVED)
    return [verdict.verdict, verdict.reason, verdict.killed, verdict.lied, survivors]
