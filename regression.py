#!/usr/bin/env python3
"""The front door: sets itself up on first use, then hands the command line to helpers.cli.main."""

import os
import signal
import sys

INTERRUPTED = 4


def end(*_):  # type: ignore[no-untyped-def]  # read by any Python 3
    """Nothing is under way yet: an interrupt ends the program here, wherever it is."""
    os.write(2, b"regression.py: interrupted\n")
    os._exit(INTERRUPTED)


def open_what_is_closed():  # type: ignore[no-untyped-def]
    """Give a program that was started with >&- something to write to: a file must not become its output."""
    for number in range(3):
        try:
            os.fstat(number)
        except OSError:
            os.set_inheritable(os.open(os.devnull, os.O_RDWR), True)  # it gets this number


if __name__ == "__main__":
    if signal.getsignal(signal.SIGINT) is not signal.SIG_IGN:
        signal.signal(signal.SIGINT, end)
    open_what_is_closed()

ROOT = os.path.dirname(os.path.realpath(__file__))  # noqa: PTH120 - pathlib costs 12 ms a start
sys.path.insert(0, ROOT)

from helpers.setup.bootstrap import environment, hand_over, prepare, stage_of  # noqa: E402

if __name__ == "__main__":
    if {"-h", "--help"} & set(sys.argv) and sys.version_info >= (3, 11):
        from helpers.cli.main import help_shown

        code = help_shown(sys.argv[1:])
        if code is not None:
            sys.exit(code)
    python = prepare(ROOT, stage_of(sys.argv[1:]))
    # -P: the user's working directory must not shadow the project's modules.
    hand_over([python, "-P", "-m", "helpers.cli.main", *sys.argv[1:]], environment(ROOT))
