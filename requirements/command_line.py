"""What the commands `check`, `compile` and `accept` take; what they need is imported when one is executed."""

from __future__ import annotations

import argparse
from collections.abc import Callable
from pathlib import Path
from typing import Any

Command = Callable[[argparse.Namespace], int]


def register(subparsers: argparse._SubParsersAction[Any]) -> None:
    """Adds the commands to a parser; `implementation` imports and returns what takes the arguments."""
    checking = subparsers.add_parser(
        "check",
        help="find mistakes in specifications and in their links to scenarios",
        description="Without files: the project's specifications, the links of its scenarios and the "
        "generated modules. With files: these documents alone. No server is needed. "
        "Exit code 0: no errors, 1: errors, 2: a file is no specification.",
    )
    checking.add_argument(
        "files", nargs="*", type=Path, metavar="FILE.md", help="documents to check"
    )
    checking.add_argument("--json", action="store_true", help="print the findings as JSON")
    checking.add_argument("--strict", action="store_true", help="warnings fail, too")
    checking.set_defaults(implementation=_check)
    compiling = subparsers.add_parser(
        "compile",
        help="write the Python module of every specification",
        description="requirements/srs….md becomes requirements/srs….py beside it: one TestFlows "
        'requirement each, to be named in @Requirements(RQ_…("1.0")).',
    )
    compiling.add_argument(
        "--check", action="store_true", help="write nothing, fail on a difference"
    )
    compiling.add_argument(
        "--toc", action="store_true", help="write the tables of contents anew first"
    )
    compiling.set_defaults(implementation=_compile)
    accepting = subparsers.add_parser(
        "accept",
        help="record that scenarios were reviewed against their requirements",
        description="A later change of a requirement's text makes its links suspect until they are "
        "accepted again. The record is requirements/accepted.json; commit it.",
    )
    add_names(accepting, "*")
    accepting.add_argument("--all", action="store_true", help="every linked requirement")
    accepting.add_argument(
        "--reason",
        metavar="TEXT",
        required=True,
        help="what was compared with what, for the record",
    )
    accepting.set_defaults(implementation=_accept)


def add_names(parser: argparse.ArgumentParser, count: str) -> None:
    """The argument of a command on requirements: their names or patterns of them."""
    parser.add_argument("names", nargs=count, metavar="RQ.…", help="names, `*` matches anything")


def _check() -> Command:
    from requirements.commands import check

    return lambda given: check(given.files, as_json_report=given.json, strict=given.strict)


def _compile() -> Command:
    from requirements.commands import compile_

    return lambda given: compile_(check_only=given.check, toc=given.toc)


def _accept() -> Command:
    from requirements.commands import accept

    return lambda given: accept(given.names, reason=given.reason, everything=given.all)
