"""coverage.json and coverage.csv: the report for programs and for spreadsheets."""

import csv
import io
import json

from helpers.report.model import Report


def render_json(report: Report) -> str:
    """Everything the report holds."""
    return json.dumps(report.as_dict(), ensure_ascii=False, indent=1) + "\n"


def render_csv(report: Report) -> str:
    """A line for each requirement: its state over all runs, then its state in each."""
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    head = ["requirement", "version", "specification", "section", "file", "line", "state", "reason"]
    for column in report.columns:
        head += [column.label, f"{column.label} reason"]
    writer.writerow(head)
    for row in report.rows:
        cells = [
            value
            for cell in row.columns
            for value in ((cell.state, cell.reason or "") if cell else ("", ""))
        ]
        place = [row.specification, " / ".join(row.section), row.file, row.line]
        writer.writerow([row.name, row.version, *place, row.state, row.reason or "", *cells])
    return text.getvalue()
