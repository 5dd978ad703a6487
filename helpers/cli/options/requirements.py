"""The command line of `./regression.py requirements`: of specifications, and of what runs say of them."""

from __future__ import annotations

import argparse
from pathlib import Path

from helpers.base.arguments import Parser, deferred
from requirements import command_line


def parser() -> argparse.ArgumentParser:
    made = Parser(
        prog="./regression.py requirements",
        description="Work with the specifications in requirements/.",
    )
    commands = made.add_subparsers(metavar="COMMAND", required=True)
    command_line.register(commands)
    # Marks are read by loading the scenarios, which the package `requirements` may not do.
    commands.choices["check"].set_defaults(
        implementation=deferred("helpers.cli.requirements:check_requirements")
    )
    listing = commands.add_parser(
        "list",
        help="the requirements and their states",
        description="List requirements with their states in the newest run.",
    )
    command_line.add_names(listing, "*")
    listing.add_argument("--state", metavar="S", action="append", help="only these states")
    listing.add_argument("--spec", metavar="SRS-…", action="append", help="only these")
    _add_results(listing)
    listing.set_defaults(implementation=deferred("helpers.cli.requirements:list_requirements"))
    showing = commands.add_parser(
        "show",
        help="a requirement: its text, scenarios and states",
        description="Show requirements with their states in every environment and version that "
        "has results.",
    )
    command_line.add_names(showing, "+")
    _add_results(showing)
    showing.set_defaults(implementation=deferred("helpers.cli.requirements:show_requirements"))
    return made


def _add_results(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--results", type=Path, metavar="results.json", help="of this run (default: results/latest)"
    )
