"""The command line of `./regression.py engines`."""

from __future__ import annotations

import argparse

from helpers.base.arguments import Parser, deferred


def parser() -> argparse.ArgumentParser:
    made = Parser(
        prog="./regression.py engines",
        description="Every ClickHouse that the package index has as a wheel. The scenarios in "
        "'/replace partition/versions/matrix*' need all of them (1.2 GB to fetch, 4 GB in .engines).",
    )
    commands = made.add_subparsers(dest="action", metavar="fetch|list", required=True)
    fetch = commands.add_parser("fetch", help="install what is missing (default: all)")
    fetch.add_argument("versions", nargs="*", metavar="V", help="e.g. 24.8 26.5")
    fetch.set_defaults(implementation=deferred("helpers.cli.engines:fetch"))
    listing = commands.add_parser("list", help="which there are, and which are here")
    listing.set_defaults(implementation=deferred("helpers.cli.engines:show"))
    return made
