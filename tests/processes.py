"""Processes as the kernel tells of them, and the signals that end a run."""

from __future__ import annotations

import signal
from collections.abc import Callable
from pathlib import Path

import pytest

# For tests whose runs are slow: the one that lets nobody tidy up always, the others at night.
ENDS = [
    signal.SIGKILL,
    pytest.param(signal.SIGINT, marks=pytest.mark.nightly),
    pytest.param(signal.SIGTERM, marks=pytest.mark.nightly),
]


def descendants(pid: int) -> dict[int, str]:
    """All processes below this one, by pid: what they are."""
    parents: dict[int, int] = {}
    names: dict[int, str] = {}
    for entry in Path("/proc").iterdir():
        if not entry.name.isdigit():
            continue
        try:
            name, _, rest = (entry / "stat").read_text().rpartition(")")
        except OSError:  # it ended meanwhile
            continue
        parents[int(entry.name)] = int(rest.split()[1])
        names[int(entry.name)] = name.partition("(")[2]
    descendants: dict[int, str] = {}
    frontier = {pid}
    while frontier:
        frontier = {child for child, parent in parents.items() if parent in frontier}
        descendants |= {child: names[child] for child in frontier}
    return descendants


def with_variable(is_wanted: Callable[[bytes], bool]) -> dict[int, str]:
    """Processes with such a NAME=value in their environment, by pid: their command lines."""
    found = {}
    for entry in Path("/proc").iterdir():
        try:
            if entry.name.isdigit() and any(
                map(is_wanted, (entry / "environ").read_bytes().split(b"\0"))
            ):
                line = (entry / "cmdline").read_bytes().replace(b"\0", b" ").decode()
                found[int(entry.name)] = line
        except OSError:  # it ended meanwhile
            continue
    return found


def is_alive(pid: int) -> bool:
    """Whether it still runs; a zombie does not."""
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return False
