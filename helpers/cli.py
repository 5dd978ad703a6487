"""The entry point behind ./regression.py: finds the command, runs it, turns errors into one line."""

from __future__ import annotations

import errno
import importlib
import io
import os
import signal
import sys

from helpers.errors import ENVIRONMENT, INTERRUPTED, RegressionError, UsageError, nearest
from helpers.interrupts import SIGNALS, ending_at_once, raising
from helpers.printable import printable

# A disk that is full or broken, a checkout that may not be written: no defect of this program.
OUT_OF_OUR_HANDS = frozenset(
    {errno.ENOSPC, errno.EDQUOT, errno.EROFS, errno.EACCES, errno.EPERM, errno.EIO}
)
HELP = frozenset({"-h", "--help"})
# Modules of helpers.commands and what makes their parsers: only what a command needs is imported. The
# parser's default `func` takes the parsed arguments and returns the exit code.
COMMANDS = {
    "run": ("run", "parser"),
    "requirements": ("requirements_", "parser"),
    "coverage": ("coverage", "parser"),
    "history": ("history", "parser"),
    "sensitivity": ("sensitivity", "parser"),
    "reproduce": ("reproduce", "parser"),
    "explore": ("explore", "parser"),
    "up": ("environment", "up_parser"),
    "down": ("environment", "down_parser"),
    "sql": ("sql", "parser"),
    "export": ("export", "parser"),
    "images": ("images", "parser"),
    "engines": ("engines", "parser"),
}


def main(arguments: list[str]) -> int:
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            # A terminal or pipe that cannot show a character gets its escape, not a traceback.
            stream.reconfigure(errors="backslashreplace")
    command, rest = "run", arguments
    if arguments and not arguments[0].startswith("-"):
        command, rest = arguments[0], arguments[1:]
    try:
        if command not in COMMANDS:
            raise UsageError(
                f"There is no command {command!r}: there are {', '.join(COMMANDS)}."
                + nearest(command, COMMANDS)
                + " A pattern goes behind --only; ./regression.py --help shows what there is."
            )
        with ending_at_once():
            if command == "run" and not HELP.isdisjoint(rest):
                # Answered before the modules of a run are imported, which takes a second.
                from helpers.runner import options

                options.parser().parse_args(rest)
            module, function = COMMANDS[command]
            parser = getattr(importlib.import_module(f"helpers.commands.{module}"), function)()
            given = parser.parse_args(rest)
        with raising():
            code = int(given.func(given))
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
        # Whoever read us (head, less) has seen enough; nothing more can be said.
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
    """What is still buffered would fail again when the program ends."""
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
