"""Locks on files, which the kernel releases however their holder ends."""

from __future__ import annotations

import fcntl
from typing import IO, Any


def lock(file: IO[Any] | int) -> None:
    """Lock an open file, waiting for whoever holds it."""
    fcntl.flock(file, fcntl.LOCK_EX)


def try_lock(file: IO[Any] | int) -> bool:
    """Lock an open file unless somebody else holds it; whether it is locked now."""
    try:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    return True
