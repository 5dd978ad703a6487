"""REPLACE PARTITION brought to a moment in which a scenario kills it, and KILL QUERY."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from testflows.asserts import error

from helpers.cluster.client.background import Background
from helpers.cluster.client.failures import QueryFailed
from helpers.scenario.context import this
from helpers.scenario.step import step
from steps.partitions import replacing
from steps.replace_partition.held_statements import (
    PARTITION,
    asks_store,
    frozen_store,
    running_mutation,
    to_store,
    waiting_replace,
)
from steps.tables import Table

QUERY_WAS_CANCELLED = 394


@contextmanager
def cloning_replace(destination: Table, *, source: Table) -> Iterator[Background]:
    """REPLACE PARTITION in its clone phase, to be killed in the block.

    Unlike a held one (`held_statements.held_replace`) it may end inside the block: the server decides when.
    """
    to_store(source)
    with frozen_store():
        statement = destination.node.background(replacing(destination, source, PARTITION))
        this().eventually(lambda: asks_store(statement))
        assert asks_store(statement), "the fixture proves nothing: no part is being cloned"
        yield statement


@contextmanager
def waiting_for_mutation(destination: Table, *, source: Table) -> Iterator[Background]:
    """REPLACE PARTITION before its first clone: it waits for a mutation, until the block ends."""
    with running_mutation(destination, f"ALTER TABLE {destination} UPDATE owner = owner WHERE 1"):
        yield waiting_replace(destination, source=source)


CLONING = "while it clones parts"
# The moments in which a statement can be killed for certain.
MOMENTS = {  # 2 variants
    "while it waits for a mutation": waiting_for_mutation,
    CLONING: cloning_replace,
}


def is_at(moment: str, statement: Background) -> bool:
    """Whether a running statement has come to this moment, and not beyond it: only one that clones asks
    the store."""
    return statement.running and asks_store(statement) == (moment == CLONING)


def is_cloning(statement: Background) -> bool:
    """Whether a statement whose reads are throttled has begun to read parts, which takes its time."""
    answer = statement.node.value(
        "SELECT if(sum(ProfileEvents['QueryLocalReadThrottlerBytes']) > 0, 'cloning', 'not yet') "
        f"FROM system.processes WHERE query_id = '{statement.query_id}'"
    )
    return bool(answer == "cloning")


@step("I kill the query")
def kill(statement: Background) -> bool:
    """Whether KILL QUERY reached the statement: it answers with those that it tells to stop."""
    sql = f"KILL QUERY WHERE query_id = '{statement.query_id}' ASYNC"
    return bool(statement.node.query(sql))


def is_told_to_stop(statement: Background) -> bool:
    """Whether the server has taken note that a statement is killed; that is over if it has obeyed."""
    noted = statement.node.column(
        f"SELECT is_cancelled FROM system.processes WHERE query_id = '{statement.query_id}'"
    )
    return statement.done or noted == [1]


def answer_of(statement: Background) -> str:
    """The answer to the client of a killed statement: 'cancelled' or 'done'."""
    outcome = statement.outcome()
    # The server answers a moment before it takes the statement off its list.
    this().eventually(lambda: not statement.running)
    if outcome is None:
        return "done"
    assert isinstance(outcome, QueryFailed) and outcome.code == QUERY_WAS_CANCELLED, error()
    return "cancelled"
