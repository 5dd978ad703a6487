"""The command `history`: a page about many runs."""

from __future__ import annotations

import argparse
from collections import Counter
from pathlib import Path

from helpers.base.errors import ALL_AS_EXPECTED, UsageError
from helpers.base.files import write_report
from helpers.base.paths import from_here
from helpers.report.history.page import render_history
from helpers.report.history.runs import RunHistory, build_history
from helpers.report.load import load_results
from helpers.report.run_results import EVERY_RESULTS_FILE, Results


def show_history(arguments: argparse.Namespace) -> int:
    """Read all results, write the page, say what is broken."""
    runs: dict[str, Results] = {}
    for file in _files(arguments.results):
        run = load_results(file)
        runs.setdefault(run.id, run)
    history = build_history(list(runs.values()))
    write_report(arguments.html, render_history(history))
    print(_summary(history))
    print(f"History of {len(history.runs)} runs: {from_here(arguments.html.resolve())}")
    return ALL_AS_EXPECTED


def _files(given: list[Path]) -> list[Path]:
    files: dict[Path, None] = {}
    for path in given:
        # `latest` is a link to a run that is there by its own name, too.
        below = sorted(path.rglob(EVERY_RESULTS_FILE)) if path.is_dir() else [path]
        files.update(dict.fromkeys(file.resolve() for file in below))
    if not files:
        named = ", ".join(map(str, given))
        raise UsageError(f"{named}: there is no results.json below it; name folders of runs.")
    return list(files)


def _summary(history: RunHistory) -> str:
    lines = [
        f"broken since {regression.first_bad.started}: {regression.scenario} on {regression.environment}"
        for regression in history.regressions
    ]
    lines += [f"flaky, {flaky.bad} of {flaky.runs}: {flaky.scenario}" for flaky in history.flaky]
    counts = Counter(point.target for point in history.runs)
    lines += [f"{count} runs on {environment}" for environment, count in counts.items()]
    return "\n".join(lines)
