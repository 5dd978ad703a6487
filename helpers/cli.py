"""The front door behind ./regression.py: finds the command, runs it, turns errors into one line."""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Callable

from helpers.errors import INTERRUPTED, USAGE, RegressionError


def _run(arguments: list[str]) -> int:
    from helpers.runner import options
    from helpers.runner.run import run

    return run(options.checked(options.parser().parse_args(arguments)))


def _requirements(arguments: list[str]) -> int:
    from helpers.commands import requirements_
    from requirements import commands

    parser = argparse.ArgumentParser(
        prog="./regression.py requirements",
        description="Work with the specifications in requirements/.",
    )
    subparsers = parser.add_subparsers(metavar="COMMAND", required=True)
    commands.register(subparsers)
    requirements_.register(subparsers)
    return _called(parser, arguments)


def _coverage(arguments: list[str]) -> int:
    from helpers.commands import coverage

    return _called(coverage.parser(), arguments)


def _sensitivity(arguments: list[str]) -> int:
    from helpers.commands import sensitivity

    return sensitivity.main(arguments)


def _environment(command: str) -> Callable[[list[str]], int]:
    def run(arguments: list[str]) -> int:
        from helpers.commands import environment

        return _called(environment.parser(command), arguments)

    return run


def _called(parser: argparse.ArgumentParser, arguments: list[str]) -> int:
    given = parser.parse_args(arguments)
    return int(given.func(given))


COMMANDS: dict[str, Callable[[list[str]], int]] = {
    "run": _run,
    "requirements": _requirements,
    "coverage": _coverage,
    "sensitivity": _sensitivity,
    "up": _environment("up"),
    "down": _environment("down"),
    "sql": _environment("sql"),
}


def main(arguments: list[str]) -> int:
    command, rest = "run", arguments
    if arguments and not arguments[0].startswith("-"):
        command, rest = arguments[0], arguments[1:]
    try:
        if command not in COMMANDS:
            from helpers.errors import UsageError, nearest

            raise UsageError(
                f"There is no command {command!r}: there are {', '.join(COMMANDS)}."
                + nearest(command, COMMANDS)
                + " A pattern goes behind --only."
            )
        return COMMANDS[command](rest)
    except RegressionError as error:
        print(f"regression: {error}", file=sys.stderr)
        return error.exit_code
    except KeyboardInterrupt:
        print("regression: interrupted", file=sys.stderr)
        return INTERRUPTED
    except BrokenPipeError:
        # Whoever read us (head, less) has seen enough; nothing more can be said.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return USAGE


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
