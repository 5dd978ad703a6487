"""The queue of asynchronous inserts: rows wait in it until it is flushed."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from helpers.cluster.client.background import Background
from helpers.cluster.client.session import Row
from helpers.cluster.node import Node
from helpers.scenario.context import this
from helpers.scenario.step import step
from steps.tables import Table

# Nothing but a flush writes the rows: neither time nor size.
QUEUED: Mapping[str, Any] = {
    "async_insert": 1,
    "async_insert_use_adaptive_busy_timeout": 0,
    "async_insert_busy_timeout_max_ms": 600_000,
}


@step("I insert rows into the queue of {table}")
def insert_into_queue(table: Table, rows: Sequence[Row]) -> None:
    """The client is answered as soon as its rows are in the queue."""
    table.node.query(_inserting(table, rows), settings={**QUEUED, "wait_for_async_insert": 0})


@step("I insert rows into the queue of {table} and wait for them")
def insert_and_wait(table: Table, rows: Sequence[Row]) -> Background:
    """The client waits until the queue has been flushed, and is answered how that ended."""
    settings = {**QUEUED, "wait_for_async_insert": 1}
    return table.node.background(_inserting(table, rows), settings=settings)


@step("{inserts} inserts of {table} are in the queue")
def assert_queued(table: Table, *, inserts: int) -> None:
    """So many inserts of this table wait in the queue."""
    sql = (
        "SELECT sum(length(entries.query_id)) FROM system.asynchronous_inserts "
        f"WHERE database = '{table.database}' AND table = '{table.name}'"
    )
    this().eventually(lambda: table.node.value(sql), equals=inserts)


@step("I flush the queue of {node}")
def flush_queue(node: Node) -> None:
    """Write everything that waits in the queue."""
    node.query("SYSTEM FLUSH ASYNC INSERT QUEUE")


def _inserting(table: Table, rows: Sequence[Row]) -> str:
    return f"INSERT INTO {table} VALUES {', '.join(map(str, rows))}"
