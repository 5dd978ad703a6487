"""The command line of `./regression.py sql`."""

from __future__ import annotations

import argparse

from helpers.base.arguments import Parser, add_results_option, deferred
from helpers.cluster import FIRST_NODE, target


def parser() -> argparse.ArgumentParser:
    made = Parser(
        prog="./regression.py sql",
        description="Ask the environment that is up, or a server that is started for this alone. "
        "A script may have many statements: they share a session, and it ends at the first one that "
        "is refused without a hint like `-- { serverError 60 }` behind it. The repro.sql of a "
        "scenario runs on the nodes that it names.",
    )
    made.add_argument("query", help="the statements, or - for standard input")
    made.add_argument(
        "--node", metavar="N", default=FIRST_NODE, help=f"which one (default: {FIRST_NODE})"
    )
    made.add_argument("--format", metavar="F", default="PrettyCompact", help="of the answer")
    target.add_options(made)
    add_results_option(made)
    made.set_defaults(implementation=deferred("helpers.cli.sql:sql"))
    return made
