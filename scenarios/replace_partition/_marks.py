"""Deviations that show in scenarios of several files."""

from functools import partial
from typing import Any

from helpers.scenario.marks import deviates

cancelled_after_the_effect = partial(
    deviates,
    id="kill-query.cancelled-means-unchanged",
    reason="the server looks whether a statement on a partition was killed only after it has changed the "
    "tables: its client is answered 'cancelled' though the statement took effect",
    kind="bug",
    severity="wrong answer",
)


def deviates_in_2018(scenario: object, **mark: Any) -> None:
    """Mark a deviation of servers of 2018 (18.16), at the end of a file, where it interrupts no story."""
    deviates(when="clickhouse < 19", **mark)(scenario)
