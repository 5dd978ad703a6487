"""Removal of what the tasks of a failed write left, also of tasks that still run."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence

from pyspark.sql.datasource import WriterCommitMessage

# Spark lets the Python process of a task that it cancels run for two more seconds; on a busy machine it
# takes longer to end.
SECONDS, PAUSE = 4.0, 0.25


def clean_up_after(
    messages: Sequence[WriterCommitMessage | None], clean_up: Callable[[], None]
) -> None:
    """Clean up now, and repeatedly as long as tasks of the failed write may still run."""
    # One task without a message has failed; if there are more of them, they may still run.
    may_run = not messages or sum(message is None for message in messages) > 1
    deadline = time.monotonic() + (SECONDS if may_run else 0)
    clean_up()
    while time.monotonic() < deadline:
        time.sleep(PAUSE)
        clean_up()
