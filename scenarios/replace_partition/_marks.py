"""Deviations of servers of 2018, which several rooms have."""

from helpers.scenario.marks import deviates
from helpers.scenario.violations import Observed


def deviates_in_2018(
    scenario: object, *, step: str, observed: Observed, reason: str, no_sql: str = ""
) -> None:
    """Mark a deviation of servers of 2018 (18.16), at the end of a file, where it interrupts no story."""
    deviates(when="clickhouse < 19", step=step, observed=observed, reason=reason, no_sql=no_sql)(
        scenario
    )
