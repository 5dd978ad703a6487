"""The processes that a process has started."""

from __future__ import annotations

from pathlib import Path


def descendants(pid: int) -> list[int]:
    """The processes that a process started, and those that these started."""
    children: list[int] = []
    try:
        for task in Path(f"/proc/{pid}/task").iterdir():
            children += map(int, (task / "children").read_text().split())
    except OSError:
        return []  # it has ended
    return [process for child in children for process in (child, *descendants(child))]
