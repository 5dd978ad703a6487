"""The processes that a process has started."""

from __future__ import annotations

import contextlib
from pathlib import Path


def children(pid: int) -> list[int]:
    """The processes whose parent this one is; none if it has ended."""
    pids: list[int] = []
    for file in Path(f"/proc/{pid}/task").glob("*/children"):
        with contextlib.suppress(OSError):  # the thread has ended
            pids += map(int, file.read_text().split())
    return pids


def descendants(pid: int) -> list[int]:
    """The processes that a process started, and those that these started."""
    return [process for child in children(pid) for process in (child, *descendants(child))]
