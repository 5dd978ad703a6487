"""The entry point behind ./regression.py: finds the command, runs it, turns errors into one line."""

from __future__ import annotations

import argparse
import errno
import io
import os
import signal
import sys
from collections.abc import Callable

from helpers.base.arguments import Command
from helpers.base.errors import (
    ALL_AS_EXPECTED,
    ENVIRONMENT,
    INTERRUPTED,
    RegressionError,
    UsageError,
    nearest,
)
from helpers.base.escaping import printable
from helpers.base.signals import SIGNALS, ending_at_once, raising
from helpers.base.time_limits import factor as check_factor
from helpers.cli.options import COMMANDS, parser_of

# A disk that is full or broken, a checkout that may not be written: no defect of this program.
OUT_OF_OUR_HANDS = frozenset(
    {errno.ENOSPC, errno.EDQUOT, errno.EROFS, errno.EACCES, errno.EPERM, errno.EIO}
)
NOT_ANSWERED = -1


def main(arguments: list[str]) -> int:
    """Execute a command line; the exit code."""
    return _ended(lambda: _executed(arguments))


def help_shown(arguments: list[str]) -> int | None:
    """Answer a command line that asks for help, or is wrong, with nothing installed; the exit code, or None
    for one that is to be executed."""

    def answered() -> int:
        with ending_at_once():
            return NOT_ANSWERED if _parsed(arguments) else ALL_AS_EXPECTED

    code = _ended(answered)
    return None if code == NOT_ANSWERED else code


def _executed(arguments: list[str]) -> int:
    with ending_at_once():
        given = _parsed(arguments)
        # Modules are imported, which an exception must not interrupt.
        execute: Command | None = given.implementation() if given else None
    return execute(given) if given and execute else ALL_AS_EXPECTED


def _parsed(arguments: list[str]) -> argparse.Namespace | None:
    """The parsed command line; None if it asked for help, which was shown."""
    command, rest = "run", arguments
    if arguments and not arguments[0].startswith("-"):
        command, rest = arguments[0], arguments[1:]
    if command not in COMMANDS:
        raise UsageError(
            f"There is no command {command!r}: there are {', '.join(COMMANDS)}."
            + nearest(command, COMMANDS)
            + " A pattern goes behind --only; ./regression.py --help shows what there is."
        )
    try:
        given = parser_of(command).parse_args(rest)
    except SystemExit:  # how argparse ends once it has shown its help
        return None
    check_factor()  # before workers are started, which would fail at it
    return given


def _ended(execute: Callable[[], int]) -> int:
    """Execute and return the exit code; errors are printed as one line."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            # A terminal or pipe that cannot show a character gets its escape, not a traceback.
            stream.reconfigure(errors="backslashreplace")
    try:
        with raising():
            code = execute()
            if sys.stdout is not None:
                sys.stdout.flush()  # here and not at exit, where nobody could handle a failure
            return code
    except RegressionError as error:
        print(f"regression: {printable(str(error))}", file=sys.stderr)
        return error.exit_code
    except KeyboardInterrupt:
        print("regression: interrupted", file=sys.stderr)
        return INTERRUPTED
    except BrokenPipeError:
        # The reader of the pipe (head, less) has closed it: nothing more can be written.
        _write_nowhere()
        return INTERRUPTED
    except OSError as error:
        if error.errno not in OUT_OF_OUR_HANDS:
            raise
        if error.filename is None:  # the console itself
            _write_nowhere()
        what = printable(str(error.filename or "what it says"))
        print(f"regression: {what} cannot be written: {error.strerror}.", file=sys.stderr)
        return ENVIRONMENT


def _write_nowhere() -> None:
    """Discard buffered output, which would fail again when the program ends."""
    if sys.stdout is not None:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def program() -> int:
    """The command line as a program: once it is done, no signal can change how it ends."""
    try:
        with raising():
            code = main(sys.argv[1:])
            signal.pthread_sigmask(signal.SIG_BLOCK, SIGNALS)
            return code
    except KeyboardInterrupt:
        return INTERRUPTED


if __name__ == "__main__":
    sys.exit(program())
