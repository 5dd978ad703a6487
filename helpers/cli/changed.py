"""The command `changed`: runs the scenarios that use what changed since a commit."""

from __future__ import annotations

import argparse
import contextlib
import shlex
import sys
from collections import Counter
from pathlib import Path

from helpers.base.errors import ALL_AS_EXPECTED, UsageError
from helpers.base.escaping import counted, printable
from helpers.base.paths import from_here
from helpers.cli.options.changed import REPEAT
from helpers.cli.run import run_scenarios
from helpers.report.load import load_results
from helpers.runner.changes import Changes, since
from helpers.runner.discovery import load

MOST_FILES = 5


def changed(given: argparse.Namespace) -> int:
    for name in ("only", "last_failed", "plan"):
        if getattr(given, name):
            option = f"--{name.replace('_', '-')}"
            raise UsageError(
                f"{option} does not go with changed, which chooses the scenarios itself; --list shows "
                "them, --skip and --requirement leave some out."
            )
    found = since(given.base, load(Path(given.scenarios)))
    if not found.scenarios:
        print(f"No scenario uses what changed since {given.base}.{_others(found)}")
        return ALL_AS_EXPECTED
    print(f"Changed since {given.base}:", file=sys.stderr)
    for name, reasons in found.scenarios.items():
        print(printable(f"  {name}  ({', '.join(reasons)})"), file=sys.stderr)
    if given.list:
        print("\n".join(found.scenarios))
        return ALL_AS_EXPECTED
    given.only = [*found.scenarios]
    given.repeat = given.repeat or ("" if given.retry or given.until_fail else REPEAT)
    try:
        with contextlib.redirect_stdout(sys.stderr):
            code = run_scenarios(given)
    finally:
        sys.stderr.flush()
    _answer(given, found)
    return code


def _answer(given: argparse.Namespace, found: Changes) -> None:
    """Three lines: how they ended, what needs attention, where the report is."""
    folder = Path(given.results) / "latest"
    run = load_results(folder)
    counts = Counter(str(result.result) for result in run.scenarios)
    bad = [result.name for result in run.scenarios if result.unexpected]
    ends = ", ".join(f"{count} {end}" for end, count in counts.most_common())
    times = f" {given.repeat} times each" if given.repeat else ""
    print(
        f"{counted(len(run.scenarios), 'scenario')} of {counted(len(found.files), 'file')} changed since "
        f"{given.base}, run{times}: {ends}.{_others(found)}"
    )
    again = " ".join(map(shlex.quote, bad))
    print(f"Not as expected: ./regression.py --only {again}" if bad else "All as expected.")
    print(f"Report: {from_here(folder.resolve() / 'coverage.html')}")


def _others(found: Changes) -> str:
    """What changed besides, which this command does not follow."""
    if not found.others:
        return ""
    shown = ", ".join(found.others[:MOST_FILES])
    more = len(found.others) - MOST_FILES
    return f" Not followed: {shown}{f' and {more} more' if more > 0 else ''}."
