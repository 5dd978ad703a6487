"""Marks of deviations of statements that are issued while REPLACE PARTITION is held."""

from collections.abc import Callable, Mapping

from helpers.scenario.marks import Marked, deviates, needs
from scenarios.replace_partition.concurrent._waits_for_replace import WAITED
from steps.replace_partition.concurrent_statement import EARLY
from steps.replace_partition.held_statements import HOLDING


def deviates_while_held(
    *, step: str, observed: Mapping[str, str], reason: str
) -> Callable[[Marked], Marked]:
    """`@deviates` of a scenario that holds REPLACE PARTITION, and `@needs` of what it takes to hold it."""
    required = needs(*HOLDING)
    deviating = deviates(step=step, observed=observed, reason=reason)

    def mark(scenario: Marked) -> Marked:
        return required(deviating(scenario))

    return mark


def deviates_by_statement(
    observed: Mapping[str, Mapping[str, str]], *, reason: str
) -> Callable[[Marked], Marked]:
    """These statements do not leave what they leave behind REPLACE PARTITION; the violations by statement."""
    cells = {
        f"{statement}: {cell}": observation
        for statement, violations in observed.items()
        for cell, observation in violations.items()
    }
    return deviates_while_held(step=WAITED, observed=cells, reason=reason)


def does_not_wait(
    observed: Mapping[str, Mapping[str, str]], *, reason: str
) -> Callable[[Marked], Marked]:
    """These statements return while REPLACE PARTITION is running; their other violations by statement."""
    early = {
        statement: {"the statement": EARLY, **violations}
        for statement, violations in observed.items()
    }
    return deviates_by_statement(early, reason=reason)
