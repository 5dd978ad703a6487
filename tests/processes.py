"""Processes as the kernel tells of them."""

from __future__ import annotations

from pathlib import Path


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


def is_alive(pid: int) -> bool:
    """Whether it still runs; a zombie does not."""
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return False
