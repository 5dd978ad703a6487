"""Parsers of command lines; errors are one line, with the option that may have been meant."""

from __future__ import annotations

import argparse
import importlib
import re
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, NoReturn

from helpers.base.errors import UsageError, nearest
from helpers.base.paths import RESULTS

if TYPE_CHECKING:
    from _typeshed import SupportsWrite

Command = Callable[[argparse.Namespace], int]
"""What executes a command: it takes the parsed arguments and returns the exit code."""
UNKNOWN = re.compile(r"unrecognized arguments: (-\S*)")


class Parser(argparse.ArgumentParser):
    """A parser whose help keeps the lines as they are written."""

    def __init__(self, prog: str, **keywords: object) -> None:
        keywords.setdefault("formatter_class", argparse.RawDescriptionHelpFormatter)
        super().__init__(prog=prog, **keywords)  # type: ignore[arg-type]

    def parse_known_args(  # type: ignore[override]
        self, args: Sequence[str] | None = None, namespace: argparse.Namespace | None = None
    ) -> tuple[argparse.Namespace, list[str]]:
        """Refuse an empty text as the value of an option: it comes from a variable that is not set, and would
        mean everything, or this folder."""
        given, rest = super().parse_known_args(args, namespace)
        for action in self._actions:
            value = getattr(given, action.dest, None)
            if not action.option_strings or value == action.default:
                continue
            if "" in (value if isinstance(value, list) else [value]):
                self.error(
                    f"argument {'/'.join(action.option_strings)}: it was given an empty text"
                )
        return given, rest

    def print_help(self, file: SupportsWrite[str] | None = None) -> None:
        """Print the help; argparse ignores errors of writing, which are errors here."""
        print(self.format_help(), end="", file=file)

    def error(self, message: str) -> NoReturn:
        """Raise with one line, without the usage that argparse prints before it."""
        unknown = UNKNOWN.search(message)
        near = nearest(unknown[1].partition("=")[0], self._option_string_actions) if unknown else ""
        raise UsageError(f"{message}.{near} {self.prog} --help shows what there is.")


def deferred(function: str) -> Callable[[], Command]:
    """A function that imports `module:name` and returns it, called when the command is executed."""

    def implementation() -> Command:
        module, _, name = function.partition(":")
        command: Command = getattr(importlib.import_module(module), name)
        return command

    return implementation


def whole_number(option: str, text: str, least: int, most: int, what: str = "whole number") -> int:
    """The number that was given to an option; UsageError if it is none, or too small or too large."""
    if not text.isascii() or not text.isdigit() or not least <= int(text) <= most:
        raise UsageError(f"{option} {text!r} is not a {what} from {least} to {most}.")
    return int(text)


def add_results_option(parser: argparse.ArgumentParser) -> None:
    """Add --results to a command that does not run scenarios."""
    parser.add_argument(
        "--results", metavar="DIR", default=str(RESULTS), help="where it is kept (default: results)"
    )
