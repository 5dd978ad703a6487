"""Deviations that show in scenarios of several files."""

from functools import partial

from helpers.scenario.marks import deviates
from helpers.scenario.violations import Observed

cancelled_after_the_effect = partial(
    deviates,
    id="kill-query.cancelled-means-unchanged",
    reason="the server looks whether a statement on a partition was killed only after it has changed the "
    "tables: its client is answered 'cancelled' though the statement took effect",
    kind="bug",
    severity="wrong answer",
)


def deviates_in_2018(
    scenario: object,
    *,
    step: str,
    observed: Observed,
    reason: str,
    kind: str,
    severity: str,
    no_sql: str = "",
    upstream: str | None = None,
    id: str | None = None,
) -> None:
    """Mark a deviation of servers of 2018 (18.16), at the end of a file, where it interrupts no story."""
    mark = deviates(
        when="clickhouse < 19",
        step=step,
        observed=observed,
        reason=reason,
        kind=kind,
        severity=severity,
        no_sql=no_sql,
        upstream=upstream,
        id=id,
    )
    mark(scenario)
