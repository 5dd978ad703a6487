"""The command line of `./regression.py up`."""

from __future__ import annotations

import argparse

from helpers.base.arguments import Parser, add_results_option, deferred
from helpers.cluster import target


def parser() -> argparse.ArgumentParser:
    made = Parser(
        prog="./regression.py up",
        description="Start servers and leave them running until ./regression.py down.",
    )
    made.add_argument("--nodes", metavar="N", default="1", help="how many (default: 1)")
    made.add_argument("--s3", action="store_true", help="an object store beside them")
    made.add_argument("--port", metavar="N", help="the first node's native port; HTTP is N + 1")
    target.add_options(made)
    add_results_option(made)
    made.set_defaults(implementation=deferred("helpers.cli.environment:up"))
    return made
