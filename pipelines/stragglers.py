"""Tasks that go on for a while when the write they belong to has failed already."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence

from pyspark.sql.datasource import WriterCommitMessage

# Spark lets the Python process of a task that it cancels go on for two seconds.
SECONDS, PAUSE = 2.5, 0.25


def sweep_after(messages: Sequence[WriterCommitMessage | None], sweep: Callable[[], None]) -> None:
    """Sweep up what the tasks of a failed write have left, and what stragglers still leave."""
    # Of those that have said nothing one has failed; if there are others, they may be at work.
    stragglers = not messages or sum(one is None for one in messages) > 1
    deadline = time.monotonic() + (SECONDS if stragglers else 0)
    sweep()
    while time.monotonic() < deadline:
        time.sleep(PAUSE)
        sweep()
