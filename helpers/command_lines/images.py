"""The command line of `./regression.py images`."""

from __future__ import annotations

import argparse

from helpers.arguments import Command, Parser


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
    building.set_defaults(implementation=_build)
    listing = commands.add_parser("list", help="what can be built, and what is there")
    listing.set_defaults(implementation=_list)
    removing = commands.add_parser("remove", help="remove them (default: all)")
    removing.add_argument("names", nargs="*", metavar="NAME")
    removing.set_defaults(implementation=_remove)
    return made


def _build() -> Command:
    from helpers.commands.images import build

    return build


def _list() -> Command:
    from helpers.commands.images import show

    return show


def _remove() -> Command:
    from helpers.commands.images import remove

    return remove
