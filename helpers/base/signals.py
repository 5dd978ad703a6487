"""Signals that end a command: at once while it starts, in order while it runs and while it tidies up.

Python raises KeyboardInterrupt wherever it happens to be. In a callback of the import system (a weak
reference to a module's lock) or in a bare `except:` of a library it is discarded, and the program goes on.
While it starts, as long as there is nothing to clean up, the handler itself ends the process.
"""

from __future__ import annotations

import errno
import os
import signal
import sys
import termios
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

from helpers.base.errors import INTERRUPTED

# Ctrl-C, a polite kill, and a terminal that was closed.
SIGNALS = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)
# Signals that came while something was done that should not be left half-way.
_waiting: list[str] = []
# Whether the command has done what it was asked for.
_done = False


class Interrupt(KeyboardInterrupt):
    """What a signal raises.

    KeyboardInterrupt itself, where it leaves an exec or eval of a text (a dataclass or a named tuple that
    is being made), has Python end with 130, though somebody caught it and returned another code.
    """


@contextmanager
def ending_at_once() -> Iterator[None]:
    """In this block a signal ends the process.

    The launcher hands over with signals blocked (helpers/setup/bootstrap.py): they are taken from here on.
    """
    global _done
    _done = False
    with _handled(_end):
        signal.pthread_sigmask(signal.SIG_UNBLOCK, SIGNALS)
        yield


@contextmanager
def raising() -> Iterator[None]:
    """In this block every signal is what Ctrl-C is: a KeyboardInterrupt, after which it is tidied up."""
    with _handled(_raise):
        yield


@contextmanager
def waiting() -> Iterator[None]:
    """In this block a signal waits for the end of the block, or for `on_signals`; a second one does not."""
    with _handled(_wait):
        try:
            yield
        finally:
            came = _waiting.copy()
            _waiting.clear()
    if came:
        raise Interrupt


@contextmanager
def on_signals(interrupt: Callable[[str], None]) -> Iterator[None]:
    """In this block a signal calls the function with its name; so does one that has been waiting."""
    with _handled(lambda number, _: interrupt(signal.Signals(number).name)):
        while _waiting:
            interrupt(_waiting.pop())
        yield


def done() -> None:
    """The command has done what it was asked for: no signal changes how it ends any more."""
    global _done
    _done = True


@contextmanager
def _handled(handler: Callable[[int, Any], None]) -> Iterator[None]:
    """A signal that was ignored before (nohup, the background of a script) stays ignored."""

    def handle(number: int, frame: Any) -> None:
        if number == signal.SIGHUP:
            _leave_terminal()
        handler(number, frame)

    before = {
        number: signal.signal(number, handle)
        for number in SIGNALS
        if signal.getsignal(number) is not signal.SIG_IGN
    }
    try:
        yield
    finally:
        for number, previous in before.items():
            signal.signal(number, previous)


def _leave_terminal() -> None:
    """Write to nowhere if the terminal was closed: what is left to do must not fail because of it."""
    for stream in (0, 1, 2):
        try:
            termios.tcgetattr(stream)
        except termios.error as error:
            if error.args[0] == errno.EIO:
                nowhere = os.open(os.devnull, os.O_RDWR)
                os.dup2(nowhere, stream)
                os.close(nowhere)


def _end(*_: Any) -> None:
    os.write(sys.__stderr__.fileno() if sys.__stderr__ else 2, b"regression: interrupted\n")
    os._exit(INTERRUPTED)


def _raise(*_: Any) -> None:
    if not _done:
        raise Interrupt


def _wait(number: int, _: Any) -> None:
    if _waiting:
        raise Interrupt
    _waiting.append(signal.Signals(number).name)
