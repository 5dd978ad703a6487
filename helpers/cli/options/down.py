"""The command line of `./regression.py down`."""

from __future__ import annotations

import argparse

from helpers.base.arguments import Parser, add_results_option, deferred
from helpers.cluster import target


def parser() -> argparse.ArgumentParser:
    made = Parser(
        prog="./regression.py down",
        description="End what ./regression.py up started, and remove its data.",
    )
    made.add_argument(
        "--all",
        action="store_true",
        help="also what killed runs have left in Docker; with --clickhouse-url instead on those servers, and "
        "with --s3-url in that store",
    )
    target.add_remote_options(made)
    add_results_option(made)
    made.set_defaults(implementation=deferred("helpers.cli.environment:down"))
    return made
