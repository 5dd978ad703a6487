"""Several REPLACE PARTITION of the same partition at once."""

from collections import Counter
from functools import partial

from testflows.asserts import error
from testflows.core import And, Given, Requirements, TestOutline, TestScenario, Then, When

from helpers.cluster.capabilities import Capability
from helpers.cluster.client.session import Row
from helpers.scenario.marks import deviates, needs
from helpers.scenario.violations import assert_no_violations
from requirements.srs032_replace_partition import (
    RQ_SRS_032_ClickHouse_Alter_Table_ReplacePartition_Concurrent_Manipulating_Partitions,
    RQ_SRS_032_ClickHouse_Alter_Table_ReplacePartition_Concurrent_Manipulating_Partitions_Replace,
    RQ_SRS_032_ClickHouse_Alter_Table_ReplacePartition_Concurrent_SameDestination,
)
from scenarios.replace_partition.concurrent._waits_for_replace import (
    takes_effect_first,
    waits_for_replace,
)
from steps.replace_partition import partition_operations as operations
from steps.replace_partition.held_statements import running_mutation, waiting_replace
from steps.row_origins import describe_rows
from steps.tables import Table, contents, create_table, fill

DEVIATIONS = "concurrent-replaces"  # the beginning of their ids

CLIENTS = 6
# Where the server makes mistakes it makes them in nine rounds of ten.
ROUNDS = 12
PARTS = 3
ONE_SOURCE = "the partition has exactly the rows of one source"
SEVERAL_SOURCES = "whole parts of several sources"
SEVERAL_TIMES = "whole parts of the source, some of them several times"
mixes = partial(
    deviates,
    id="concurrent-replaces.each-client-with-its-own-source",
    step=ONE_SOURCE,
    reason="each statement fixes the range of parts to remove before it has the table to itself: what "
    "another one puts in place in between is outside the range and stays. The documentation calls the "
    "statement atomic",
    kind="bug",
    severity="wrong answer",
)


@TestScenario
@Requirements(
    RQ_SRS_032_ClickHouse_Alter_Table_ReplacePartition_Concurrent_Manipulating_Partitions("1.0"),
    RQ_SRS_032_ClickHouse_Alter_Table_ReplacePartition_Concurrent_Manipulating_Partitions_Replace(
        "1.0"
    ),
)
@takes_effect_first(
    {
        "REPLACE PARTITION": {
            "the partition meanwhile": "all 20 other rows",
            "the partition": "all 20 new rows",
        }
    }
)
def replace_of_the_same_destination(self):
    """A second REPLACE PARTITION waits for the first: the partition ends with the second's rows."""
    waits_for_replace(operations=operations.REPLACE)


@TestScenario
@Requirements(
    RQ_SRS_032_ClickHouse_Alter_Table_ReplacePartition_Concurrent_Manipulating_Partitions("1.0"),
    RQ_SRS_032_ClickHouse_Alter_Table_ReplacePartition_Concurrent_Manipulating_Partitions_Replace(
        "1.0"
    ),
)
@takes_effect_first({"REPLACE PARTITION of a third table": {"the third table": "all 20 old rows"}})
def replace_from_the_destination(self):
    """Where the destination of the first is the source of the second, that one gets the new rows."""
    waits_for_replace(operations=operations.REPLACE_THIRD)


def held_rows(rows: list[Row], parts: dict[str, list[list[Row]]], succeeded: int) -> str:
    """Which rows the partition holds, if they are not those of one source; '' if they are.

    Parts of the sources are there as a whole, each at most once for every statement that succeeded, and
    of one source at least all of them. Of the others some may be missing: a statement can remove
    parts that another one has just put in place.
    """
    counts = Counter(rows)
    states = {name: [row for part in own for row in part] for name, own in parts.items()}
    if counts in map(Counter, states.values()):
        return ""
    times = {
        name: [counts[part[0]] for part in own]
        for name, own in parts.items()
        if any(counts[part[0]] for part in own)
    }
    expected: Counter[Row] = Counter()
    for name, numbers in times.items():
        for part, number in zip(parts[name], numbers, strict=True):
            expected.update({row: number for row in part if number})
    most = sum(max(numbers) for numbers in times.values())
    complete = any(all(numbers) for numbers in times.values())
    if counts != expected or most > succeeded or not complete:
        return describe_rows(rows, states)
    return SEVERAL_SOURCES if len(times) > 1 else SEVERAL_TIMES


def rows_by_part(table: Table) -> list[list[Row]]:
    """The rows of each part of a table."""
    names = table.node.column(f"SELECT DISTINCT _part FROM {table} ORDER BY _part")
    return [table.node.query(f"SELECT * FROM {table} WHERE _part = '{name}'") for name in names]


@TestOutline
def ends_with_one_source(self, *, sources):
    """Many clients at once; the partition ends with exactly the rows of one of their sources.

    All of them wait for the same mutation of the partition, so they set out at the same moment.
    """
    with Given("sources with different rows"):
        tables = [create_table("source") for _ in range(sources)]
        for table in tables:
            fill(table, [1], parts=PARTS)
        states = [contents(table) for table in tables]
        assert len({tuple(state) for state in states}) == sources, error()
        parts = {table.name: rows_by_part(table) for table in tables}
        assert all(len(own) == PARTS and all(own) for own in parts.values()), error()

    violations: dict[str, str] = {}
    for number in range(1, ROUNDS + 1):
        with Given(f"a destination with a mutation in progress, round {number}"):
            destination = create_table("destination")
            fill(destination, [1])

        change = f"ALTER TABLE {destination} UPDATE owner = 'changed' WHERE 1"
        with running_mutation(destination, change):
            # A part that was there before would be visited by the mutation, too, and be the one that stops.
            fill(destination, [2])
            other_partition = contents(destination, partition=2)

            with When("all clients replace the partition"):
                statements = [
                    waiting_replace(destination, source=tables[client % sources])
                    for client in range(CLIENTS)
                ]

            with Then("all of them are running at the same time"):
                assert all(statement.running for statement in statements), error()

        with Then("all of them have succeeded"):
            outcomes = [statement.outcome() for statement in statements]
            assert outcomes == [None] * CLIENTS, error()

        with And("the sources and the other partition are what they were"):
            assert [contents(table) for table in tables] == states, error()
            assert contents(destination, partition=2) == other_partition, error()

        held = held_rows(contents(destination, partition=1), parts, CLIENTS)
        if held:
            violations[f"{sources} source" + "s" * (sources > 1)] = held
            break

    with Then(ONE_SOURCE):
        assert_no_violations(violations)


@TestScenario
@Requirements(RQ_SRS_032_ClickHouse_Alter_Table_ReplacePartition_Concurrent_SameDestination("1.0"))
@needs(Capability.FAILPOINTS)
@mixes(observed={f"{CLIENTS} sources": SEVERAL_SOURCES})
def each_client_with_its_own_source(self):
    """Every client replaces the partition from a source of its own."""
    ends_with_one_source(sources=CLIENTS)


@TestScenario
@Requirements(RQ_SRS_032_ClickHouse_Alter_Table_ReplacePartition_Concurrent_SameDestination("1.0"))
@needs(Capability.FAILPOINTS)
@mixes(observed={"1 source": SEVERAL_TIMES})
def all_clients_with_the_same_source(self):
    """All clients replace the partition from the same source: its rows are not doubled."""
    ends_with_one_source(sources=1)
