"""Two things at the same time, for certain: a statement held where it is, a merge or a mutation in
progress, and the proof that they met."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any, NamedTuple

from helpers.cluster.capabilities import Capability
from helpers.cluster.client.background import Background
from helpers.cluster.client.session import Row
from helpers.cluster.node import Node
from helpers.scenario.context import this
from helpers.scenario.step import step
from steps.background_changes import in_background
from steps.outages import frozen
from steps.partitions import replacing
from steps.parts import parts, rewrite
from steps.statement_log import finished_statements
from steps.tables import NO_MERGES, Table, every_column

PARTITION = 1
# In this policy's second volume parts lie in the object store (configs/fragments/s3_hold.xml).
HOLDABLE: dict[str, Any] = {**NO_MERGES, "storage_policy": "hold"}
# What it takes to hold a statement.
HOLDING = (Capability.OBJECT_STORE, Capability.PROCESS_CONTROL)
MUTATION_PAUSE = "mt_mutate_task_pause_in_prepare"
ABORTED = 236
BEGAN_AND_RETURNED = "query_start_time_microseconds, event_time_microseconds, query_duration_ms"
# A statement's duration is measured by another clock than its begin and its end.
CLOCK_TOLERANCE = timedelta(seconds=1)
# What a server logs, under the statement's id, when it has told merges to stop and waits for their end.
WAITING = "Waiting for currently running merges"


@dataclass(frozen=True)
class Task:
    """A merge or a mutation that is in progress, by the part that it is making."""

    part: str
    is_mutation: bool


def holding_node() -> Node:
    """A node with tables whose statements can be held."""
    return this().node("held", fragments=("s3_hold",))


@step("I move partition {partition} of {table} to the object store")
def to_store(table: Table, partition: int = PARTITION) -> None:
    """Put a partition into the object store: a reader waits while the store is frozen."""
    table.node.query(f"ALTER TABLE {table} MOVE PARTITION {partition} TO VOLUME 'remote'")


@contextmanager
def frozen_store() -> Iterator[None]:
    """Nothing in the object store can be read or written until the block ends."""
    with frozen(this().cluster.object_store()):
        yield


def asks_store(statement: Background) -> bool:
    """Whether a running statement has sent a request to the store, which is all it does if that is
    frozen."""
    requests = "ProfileEvents['S3ReadRequestsCount'] + ProfileEvents['S3WriteRequestsCount']"
    # A word, so that no other number of requests is taken for an answer.
    answer = statement.node.value(
        f"SELECT if(sum({requests}) > 0, 'asked', 'not yet') FROM system.processes "
        f"WHERE query_id = '{statement.query_id}'"
    )
    return bool(answer == "asked")


def has_begun(statement: Background) -> bool:
    """Whether the server has been given a statement: it is running, or over already."""
    return statement.done or statement.running


@contextmanager
def held_replace(destination: Table, *, source: Table) -> Iterator[Background]:
    """REPLACE PARTITION, running and in the middle of its clones until the block ends.

    The source's partition lies in the object store, and the store is frozen. Merges of the replaced
    partition have been stopped by then. The caller collects the statement's outcome.
    """
    to_store(source, PARTITION)
    with frozen_store():
        statement = destination.node.background(replacing(destination, source, PARTITION))
        this().eventually(lambda: asks_store(statement))
        assert asks_store(statement), "the fixture proves nothing: REPLACE PARTITION is not held"
        yield statement
        assert statement.running, "the fixture proves nothing: REPLACE PARTITION was not held"


def in_progress(table: Table, partition: int = PARTITION) -> list[Task]:
    """The merges and mutations that the server is doing in a partition now."""
    tasks = table.node.query(
        "SELECT result_part_name, is_mutation FROM system.merges "
        f"WHERE database = '{table.database}' AND table = '{table.name}' "
        f"AND partition_id = '{partition}'"
    )
    return [Task(part, {0: False, 1: True}[is_mutation]) for part, is_mutation in tasks]


def seen_in_progress(table: Table, partition: int = PARTITION, *, mutation: bool) -> Task:
    """The one merge or mutation of a partition, as soon as the server does it."""
    tasks = this().eventually(lambda: in_progress(table, partition))
    assert [task.is_mutation for task in tasks] == [mutation], f"not what was started: {tasks}"
    return tasks[0]


@contextmanager
def failpoint(node: Node, name: str) -> Iterator[None]:
    """A place in the server's code where it stops, until the block ends."""
    node.query(f"SYSTEM ENABLE FAILPOINT {name}")
    try:
        yield
    finally:
        node.query(f"SYSTEM DISABLE FAILPOINT {name}")


@contextmanager
def running_mutation(table: Table, change: str, partition: int = PARTITION) -> Iterator[Task]:
    """A statement's mutation of the partition, in progress and kept there until the block ends.

    The first part that is mutated is the one that stops, and every statement visits all partitions
    (in those that it does not mean only to give the parts new names): let there be no other one yet.
    """
    with failpoint(table.node, MUTATION_PAUSE):
        table.node.query(change, settings=in_background(change))
        yield seen_in_progress(table, partition, mutation=True)


def waiting_replace(destination: Table, *, source: Table) -> Background:
    """REPLACE PARTITION, waiting for what is in progress in the partition."""
    return waiting(destination.node, replacing(destination, source, PARTITION))


def waiting(node: Node, sql: str) -> Background:
    """A statement, running and waiting for what is in progress in its partition; done already if it
    does not wait. The caller collects its outcome."""
    position = node.log_position()
    statement = node.background(sql)

    def waits() -> bool:
        lines = node.log_since(position).splitlines()
        return any(statement.query_id in line and WAITING in line for line in lines)

    this().eventually(lambda: statement.done or waits())
    return statement


def not_stopped(
    task: Task, replace: Background, *, destination: Table, source: Table
) -> dict[str, str]:
    """What shows that a merge or mutation was not stopped by a REPLACE PARTITION that has returned.

    One that somebody else had stopped before would not have ended while the statement was running, or
    no merge could begin any more.
    """
    violations = {}
    active = [part.name for part in parts(destination, partition=PARTITION)]
    if task.part in active or not active:
        violations["its result"] = f"the active parts are {active}"
    (end,) = ends(task, destination)
    if end.code != ABORTED:
        violations["its end"] = f"the codes {[end.code]}"
    if not ended_during(end, replace):
        violations["its time"] = "it was not there when the statement began, and gone at its end"
    # Not at once: the server lists it for some milliseconds after its end, which the log has in time.
    if task in in_progress(destination):
        violations["system.merges"] = "lists it"
    expected = every_column(source, partition=PARTITION)
    if every_column(destination, partition=PARTITION) != expected:
        violations["the partition"] = "not the source's rows"
    rewrite(destination)
    if every_column(destination, partition=PARTITION) != expected:
        violations["a merge afterwards"] = "not the source's rows"
    return violations


class End(NamedTuple):
    """The end of a merge or mutation: its error code, 0 for success, and the time that it took."""

    code: int
    began: datetime
    ended: datetime


def ended_during(end: End, statement: Background) -> bool:
    """Whether a merge or mutation was there before a statement began, and ended while it was running."""
    began, returned = _began_and_returned(statement)
    return bool(end.began < began <= end.ended <= returned)


def began_during(other: Background, statement: Background) -> bool:
    """Whether a statement began while another one was running; both have succeeded."""
    meanwhile, _ = _began_and_returned(other)
    began, returned = _began_and_returned(statement)
    return bool(began < meanwhile < returned)


def _began_and_returned(statement: Background) -> tuple[datetime, datetime]:
    """The times at which a statement that has succeeded began and returned."""
    ((began, returned, milliseconds),) = finished_statements(
        statement.node, BEGAN_AND_RETURNED, f"query_id = '{statement.query_id}'"
    )
    took = timedelta(milliseconds=milliseconds)
    assert abs(returned - began - took) < CLOCK_TOLERANCE, (
        f"from {began} to {returned} is not {took}"
    )
    return began, returned


def ends(task: Task, table: Table) -> list[End]:
    """How a merge or mutation ended, as soon as system.part_log says so."""
    event = "MutatePart" if task.is_mutation else "MergeParts"
    # Not by name: the log has the parts of a dropped table, too, if the scenario runs again on this server.
    uuid = (
        "(SELECT uuid FROM system.tables "
        f"WHERE database = '{table.database}' AND name = '{table.name}')"
    )

    def logged() -> list[Row]:
        table.node.query("SYSTEM FLUSH LOGS")
        return table.node.query(
            "SELECT error, event_time_microseconds - toIntervalMillisecond(duration_ms), "
            f"event_time_microseconds FROM system.part_log WHERE table_uuid = {uuid} "
            f"AND part_name = '{task.part}' AND event_type = '{event}'"
        )

    return [End(*row) for row in this().eventually(logged)]
