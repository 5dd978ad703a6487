"""The command line of `./regression.py coverage`."""

from __future__ import annotations

import argparse
from pathlib import Path

from helpers.base.arguments import Parser, deferred

DESCRIPTION = """\
Say which requirements hold, deviate, fail, could not be tested or have no scenario.

Without options the table is printed for the newest run. Several runs (other environments, other
ClickHouse versions) become columns. --md, --json and --csv print that form instead; with --output
they are written there, and without any of them all forms are.

  ./regression.py coverage merge SHARD… --output DIR

joins the shards of a run (--shard): what ran on the same environment and version becomes one
column, and DIR gets its results.json too (results-2.json … where there are several columns).
"""
EXIT_CODES = """\
exit codes: 0 done, 1 something regressed against --base, 2 the results cannot be read
"""


def parser() -> argparse.ArgumentParser:
    made = Parser("./regression.py coverage", description=DESCRIPTION, epilog=EXIT_CODES)
    made.add_argument(
        "results",
        nargs="*",
        type=Path,
        metavar="results.json",
        help="results of runs, or folders of runs (default: results/latest)",
    )
    made.add_argument("--html", type=Path, metavar="FILE", help="write the page to this file")
    form = made.add_mutually_exclusive_group()
    form.add_argument("--md", action="store_true", help="Markdown, for a pull request")
    form.add_argument("--json", action="store_true", help="everything, for programs")
    form.add_argument("--csv", action="store_true", help="a line a requirement, for spreadsheets")
    made.add_argument("--output", type=Path, metavar="DIR", help="write coverage.* to this folder")
    made.add_argument(
        "--base",
        metavar="RESULTS|COMMIT",
        help="say what changed since these results, since the newest earlier night in a folder of nights, or "
        "since the specifications of this commit; columns are compared with the same columns",
    )
    made.set_defaults(implementation=deferred("helpers.cli.coverage:coverage"))
    return made
