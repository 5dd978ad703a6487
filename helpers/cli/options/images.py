"""The command line of `./regression.py images`."""

from __future__ import annotations

import argparse

from helpers.base.arguments import Parser, deferred


def parser() -> argparse.ArgumentParser:
    made = Parser(
        prog="./regression.py images",
        description="Images for --env docker, made of Debian packages and of the Python packages "
        "that are installed here: no registry is needed.",
    )
    commands = made.add_subparsers(dest="action", metavar="build|list|remove", required=True)
    building = commands.add_parser(
        "build", help="build what is missing or whose inputs changed (default: all)"
    )
    building.add_argument("names", nargs="*", metavar="NAME", help="e.g. clickhouse zookeeper")
    building.add_argument("--again", action="store_true", help="also what is up to date")
    building.set_defaults(implementation=deferred("helpers.cli.images:build"))
    listing = commands.add_parser("list", help="what can be built, and what is there")
    listing.set_defaults(implementation=deferred("helpers.cli.images:show"))
    removing = commands.add_parser("remove", help="remove them (default: all)")
    removing.add_argument("names", nargs="*", metavar="NAME")
    removing.set_defaults(implementation=deferred("helpers.cli.images:remove"))
    return made
