"""The outline of three topics: statements that are issued on a partition while it is being replaced."""

from collections.abc import Callable, Mapping

from testflows.asserts import error
from testflows.core import Given, TestOutline, Then, When

from helpers.scenario.marks import Marked, deviates, needs
from helpers.scenario.violations import assert_no_violations
from steps.partitions import replace_partition
from steps.replace_partition.concurrent_statement import (
    EARLY,
    MEANWHILE,
    issue,
    prepared,
    returns,
    rows,
)
from steps.replace_partition.held_statements import HOLDING, PARTITION, held_replace

WAITED = "the statement has waited for REPLACE PARTITION"


def takes_effect_first(
    observed: Mapping[str, Mapping[str, str]], *, returns_early: bool = True
) -> Callable[[Marked], Marked]:
    """These statements take effect before the running REPLACE PARTITION; what is observed, by statement."""
    early = {"the statement": EARLY} if returns_early else {}
    deviating = deviates(
        id="concurrent.statements-take-effect-first",
        step=WAITED,
        observed={
            f"{statement}: {cell}": observation
            for statement, violations in observed.items()
            for cell, observation in {**early, **violations}.items()
        },
        kind="requirement",
        severity="wrong refusal or acceptance",
        reason="the requirement asks for an order that ClickHouse promises nowhere: a statement on the "
        "partition takes effect before the running REPLACE PARTITION puts its clones in place, the tables "
        "end as if it had been issued first, and no row is lost by it",
    )
    required = needs(*HOLDING)
    return lambda scenario: required(deviating(scenario))


@TestOutline
def waits_for_replace(self, *, operations):
    """A statement that is issued while REPLACE PARTITION runs leaves what it leaves when issued after it."""
    violations: dict[str, str] = {}
    for name, operation in operations.items():
        with Given(f"a partition that has been replaced before {name}"):
            tables = prepared(operation)
            replace_partition(tables.destination, source=tables.source, partition=PARTITION)
            assert rows(tables.destination) == tables.new, error()
            assert operation.touched(tables) == {}, error()

        with When(f"I issue {name}"):
            refusal = issue(operation, tables)

        with Then("it leaves what it has to"):
            assert_no_violations(operation.violations(tables, refusal))

        with Given("other tables like these"):
            tables = prepared(operation)

        with held_replace(tables.destination, source=tables.source) as replace:
            with Given("a running REPLACE PARTITION that has touched nothing yet"):
                assert operation.touched(tables) == {}, error()

            with When(f"I issue {name} while REPLACE PARTITION is running"):
                sql = operation.statement(tables)
                statement = tables.node.background(sql, settings=operation.settings)
                found = {"the statement": EARLY} if returns(statement, tables.destination) else {}
                found |= tables.differ(MEANWHILE, rows(tables.destination), tables.old)
                found |= operation.touched(tables)

        with When("both have ended"):
            replace.wait()
            refusal = statement.outcome()
            tables.answer = statement.rows or []
            found |= operation.violations(tables, refusal)
            violations |= {f"{name}: {cell}": observed for cell, observed in found.items()}

    with Then(WAITED):
        assert_no_violations(violations)
