"""The command line of `./regression.py reproduce`."""

from __future__ import annotations

import argparse

from helpers.base.arguments import Parser, deferred
from helpers.base.paths import DEVIATIONS, from_here
from helpers.cluster import target

DESCRIPTION = """\
Show known deviations of ClickHouse (docs/deviations.md) on a server that is started for it: the SQL,
what is expected and what the server does.
"""
EXIT_CODES = """\
examples:
  ./regression.py reproduce --list --kind bug --severity "data lost"
  ./regression.py reproduce non-existent-partition.partition-that-was-moved-away --report
  ./regression.py reproduce non-existent-partition.partition-that-was-moved-away
  ./regression.py reproduce --all --clickhouse-version 26.7
  ./regression.py reproduce results/explore/latest/findings/<name>/repro.sql --versions all

exit codes: 0 the server deviates as it is recorded, 1 it does not, 2 usage (also a deviation that SQL
alone cannot show), 3 the server did not come up.
"""


def parser() -> argparse.ArgumentParser:
    made = Parser("./regression.py reproduce", description=DESCRIPTION, epilog=EXIT_CODES)
    made.add_argument(
        "deviations",
        nargs="*",
        metavar="ID",
        help="which ones (see --list); with --versions also a script.sql",
    )
    what = made.add_mutually_exclusive_group()
    what.add_argument("--all", action="store_true", help="every one that has a script")
    what.add_argument(
        "--list",
        action="store_true",
        help="print kind, severity and id of each, worst first, and end",
    )
    made.add_argument(
        "--report", action="store_true", help="print a report to file upstream, without a server"
    )
    made.add_argument(
        "--record",
        action="store_true",
        help="with --all: write what this version does to docs/deviations.json, also an old one of "
        "--clickhouse-version that only executes scripts (engines fetch)",
    )
    made.add_argument(
        "--versions",
        metavar="V,…",
        help="which versions show it: 24.8,26.9, or all of 'engines list' that are installed",
    )
    made.add_argument("--kind", metavar="K", help="with --list or --all: only these, like bug")
    made.add_argument(
        "--severity", metavar="S", help="with --list or --all: only these, like 'data lost'"
    )
    what.add_argument(
        "--document", action="store_true", help=f"write {from_here(DEVIATIONS)} anew and end"
    )
    target.add_options(made)
    made.set_defaults(implementation=deferred("helpers.cli.reproduce:reproduce"))
    return made
