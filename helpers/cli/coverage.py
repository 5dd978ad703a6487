"""The command `coverage`: the matrix of requirements from one run or several, in any form."""

import argparse
import sys
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

from helpers.base.errors import ALL_AS_EXPECTED, FAILURES, UsageError
from helpers.base.files import write_report
from helpers.base.paths import RESULTS
from helpers.base.signals import ending_at_once
from helpers.report import junit
from helpers.report.console_table import render_table
from helpers.report.data_files import render_csv, render_json
from helpers.report.earlier_runs import load_base
from helpers.report.load import load_results
from helpers.report.markdown import render_markdown
from helpers.report.page import render_html
from helpers.report.report import Comparison, Report, build_report
from helpers.report.run_results import RESULTS_FILE, Results
from helpers.report.since_base import compare_results, compare_texts, wordings
from helpers.report.triage import triaged

FORMS: dict[str, Callable[[Report], str]] = {
    "html": render_html,
    "md": render_markdown,
    "json": render_json,
    "csv": render_csv,
}
MERGE = "merge"


def coverage(arguments: argparse.Namespace) -> int:
    """Render what was asked for; the exit code says whether something regressed."""
    runs = _runs(arguments)
    earlier = _earlier(arguments.base, runs)
    report = build_report([triaged(run, earlier) for run in runs] if earlier else runs)
    if arguments.base:
        report = replace(report, comparison=_since(arguments.base, runs, earlier))
        if report.comparison is None:
            print(f"{arguments.base} has no earlier run: nothing is compared", file=sys.stderr)
    chosen = [form for form in ("md", "json", "csv") if getattr(arguments, form)]
    if arguments.html:
        _write(arguments.html, render_html(report))
    if arguments.output:
        for form in chosen or FORMS:
            _write(arguments.output / f"coverage.{form}", FORMS[form](report))
    else:
        sys.stdout.write(FORMS[chosen[0]](report) if chosen else render_table(report))
    regressed = report.comparison.regressed if report.comparison else ()
    if regressed:
        print(f"{len(regressed)} regressed since {arguments.base}", file=sys.stderr)
    return FAILURES if regressed else ALL_AS_EXPECTED


def _runs(arguments: argparse.Namespace) -> list[Results]:
    """The runs to show: those that were named, or what they give when they are merged."""
    paths = arguments.results or [RESULTS / "latest"]
    if str(paths[0]) != MERGE:
        return [load_results(path) for path in paths]
    if not arguments.output or not paths[1:]:
        raise UsageError("coverage merge needs results of shards, and --output DIR.")
    with ending_at_once():  # loading scenarios starts TestFlows, which results do not need
        from helpers.report import project
        from helpers.report.merge import merge_results
        from helpers.runner.discovery import load

    shards = [load_results(path) for path in paths[1:]]
    tree = project.read_tree(load())
    differing = compare_texts("", wordings(shards), project.wordings(tree.specifications))
    if differing.added or differing.changed or differing.removed:
        commit = shards[0].run.get("commit") or "they were made from"
        raise UsageError(
            "These results are of other specifications than the ones here; check out the commit "
            f"{commit} to merge them."
        )
    runs = merge_results(shards, tree.states)
    for number, run in enumerate(runs, start=1):
        name = RESULTS_FILE if number == 1 else f"results-{number}.json"
        _write(arguments.output / name, run.text())
        junit.write(run, arguments.output / name.replace("results", "junit").replace("json", "xml"))
    return runs


def _earlier(base: str | None, runs: list[Results]) -> list[Results] | None:
    """The results that the base is; None if it is a commit or there is no base."""
    path = Path(base or "")
    return load_base(path, runs) if base and (path.exists() or path.suffix == ".json") else None


def _since(base: str, runs: list[Results], earlier: list[Results] | None) -> Comparison | None:
    if earlier is not None:
        return compare_results(runs, earlier) if earlier else None
    with ending_at_once():  # reading specifications needs the Markdown parser, which results do not
        from helpers.report import project

    before = project.wordings(project.specifications_at(base))
    return compare_texts(base, wordings(runs), before)


def _write(file: Path, text: str) -> None:
    write_report(file, text)
    print(f"wrote {file}", file=sys.stderr)
