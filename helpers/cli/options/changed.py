"""The command line of `./regression.py changed`."""

from __future__ import annotations

import argparse

from helpers.base.arguments import deferred
from helpers.cli.options import run

DESCRIPTION = """\
Run the scenarios whose functions, steps, constants or requirements changed since a commit, each
several times, and answer in three lines: how they ended, which of them did not end as expected, and
where the report is. What the run itself prints goes to stderr.

Example, before a pull request:
  ./regression.py changed --base origin/main
  ./regression.py changed --base v1.2 --clickhouse ./clickhouse --repeat 10
"""
REPEAT = "3"


def parser() -> argparse.ArgumentParser:
    made = run.parser()
    made.prog = "./regression.py changed"
    made.description, made.epilog = DESCRIPTION, "The other options are those of a run."
    made.add_argument(
        "--base", metavar="REF", required=True, help="a commit, branch or tag to compare with"
    )
    made.set_defaults(implementation=deferred("helpers.cli.changed:changed"))
    return made
