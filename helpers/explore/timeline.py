"""A concurrent history drawn: one line a statement, a bar from its beginning to its end."""

from __future__ import annotations

from collections.abc import Sequence

from helpers.explore.histories import Sent

WIDTH = 40


def timeline(sent: Sequence[Sent]) -> list[str]:
    """Statements in the order in which they began, by client, with bars on a common scale."""
    if not sent:
        return []
    first, last = min(call.began for call in sent), max(call.ended for call in sent)
    scale = WIDTH / max(last - first, 1e-6)
    lines = []
    for call in sorted(sent, key=lambda call: call.began):
        start = min(WIDTH - 1, int((call.began - first) * scale))
        length = max(1, int((call.ended - call.began) * scale))
        bar = (" " * start + "=" * length)[:WIDTH].ljust(WIDTH)
        lines.append(f"client {call.client} |{bar}| {call.sql} -> {call.outcome}")
    return lines
