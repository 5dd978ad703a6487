"""What all tests have in common: the processes that they start can be interrupted."""

from __future__ import annotations

import signal
from collections.abc import Iterator

import pytest


@pytest.fixture(autouse=True)
def interruptible() -> Iterator[None]:
    """Processes that a test starts heed SIGINT, also where this one was started with it ignored.

    `nohup ./test &` and many CI runners do so, and a child inherits it.
    """
    previous = signal.getsignal(signal.SIGINT)
    if previous is signal.SIG_IGN:
        signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    signal.signal(signal.SIGINT, previous)
