"""The command line of `./regression.py history`."""

from __future__ import annotations

import argparse
from pathlib import Path

from helpers.base.arguments import Parser, deferred

DESCRIPTION = """\
Render a page about many runs: the trend of the requirements' states, the first bad run of everything
that is broken now, flaky scenarios, and the slowest ones.

A folder stands for all results.json files below it; a run that is found twice counts once.
"""
EXAMPLES = """\
example:
  ./regression.py history results/ nightly-artifacts/ --html history.html

exit codes: 0 done, 2 nothing found or something cannot be read
"""


def parser() -> argparse.ArgumentParser:
    made = Parser("./regression.py history", description=DESCRIPTION, epilog=EXAMPLES)
    made.add_argument(
        "results", nargs="+", type=Path, metavar="RESULTS", help="results.json files, or folders"
    )
    made.add_argument(
        "--html", type=Path, default=Path("history.html"), metavar="FILE", help="the page to write"
    )
    made.set_defaults(implementation=deferred("helpers.cli.history:show_history"))
    return made
