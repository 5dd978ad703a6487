"""The command line of `./regression.py new`."""

from __future__ import annotations

import argparse

from helpers.base.arguments import Parser, deferred

DESCRIPTION = """\
Write the first files of a feature: a specification with one requirement, and a scenario that
verifies it and runs. Then edit both. CONTRIBUTING.md has the whole way.

Example:
  ./regression.py new feature "drop partition" --specification SRS-200
"""


def parser() -> argparse.ArgumentParser:
    made = Parser("./regression.py new", description=DESCRIPTION)
    what = made.add_subparsers(metavar="WHAT", required=True, parser_class=Parser)
    add = what.add_parser("feature", prog="./regression.py new feature", description=DESCRIPTION)
    add.add_argument("name", metavar="NAME", help='its name in words, such as "drop partition"')
    add.add_argument(
        "--specification", metavar="SRS-N", required=True, help="the number of its specification"
    )
    add.set_defaults(implementation=deferred("helpers.cli.new:feature"))
    return made
