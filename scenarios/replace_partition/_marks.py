"""Deviations of servers of 2018, which several rooms have."""

from helpers.scenario.marks import deviates
from helpers.scenario.violations import Observed


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
    )
    mark(scenario)
