"""A concurrent history drawn: one line a statement, a bar from its beginning to its end."""

from __future__ import annotations

from collections.abc import Sequence

from helpers.explore.histories import Sent

WIDTH = 40


def timeline(sent: Sequence[Sent]) -> list[str]:
    """Statements in the order in which they began, by client, with bars on a common scale."""
    if not sent:
        return []
    first, last = min(one.began for one in sent), max(one.ended for one in sent)
    scale = WIDTH / max(last - first, 1e-6)
    lines = []
    for one in sorted(sent, key=lambda each: each.began):
        start = min(WIDTH - 1, int((one.began - first) * scale))
        length = max(1, int((one.ended - one.began) * scale))
        bar = (" " * start + "=" * length)[:WIDTH].ljust(WIDTH)
        lines.append(f"client {one.client} |{bar}| {one.sql} -> {one.outcome}")
    return lines
