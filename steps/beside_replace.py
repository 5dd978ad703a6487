"""Statements on a partition beside a running REPLACE PARTITION: each has to wait for it.

A statement is issued twice. Once behind REPLACE PARTITION, which proves that its check can be met; and
once while REPLACE PARTITION is held, which shows whether the server makes it wait.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass

from testflows.core import Given, Then, When

from helpers.cluster.background import Background
from helpers.cluster.failures import QueryFailed
from helpers.cluster.session import Row
from helpers.context import this
from steps.overlap import HOLDABLE, PARTITION, held_replace, holding_node
from steps.partitions import replace_partition
from steps.refusals import listed
from steps.tables import COLUMNS, Table, contents, create_table, fill

INDEXED = f"{COLUMNS}, INDEX numbers i TYPE minmax GRANULARITY 1"
ROWS = 10
PARTS = 2
# What returns at all before REPLACE PARTITION does so well within this time.
PATIENCE = 15.0
# A statement that does not wait returns so soon after its mutation has been registered.
GRACE = 0.3
EARLY = "it returned while REPLACE PARTITION was running"
LATE = "it did wait"
WAITED = "the statement has waited for REPLACE PARTITION"
# Mutations are waited for, FREEZE says what it has frozen.
SETTINGS = {"mutations_sync": 1, "alter_sync": 1, "alter_partition_verbose_result": 1}


class Tables:
    """The source with the new rows, the destination with the old ones, and a third table."""

    def __init__(self) -> None:
        node = holding_node()
        self.source, self.destination, self.third = (
            create_table(name, node=node, columns=INDEXED, settings=HOLDABLE)
            for name in ("source", "destination", "third")
        )
        self.backup = f"{self.destination.database}_{self.destination.name}"
        # What the statement answered, and what had been made for it.
        self.answer: list[Row] = []
        self.made: list[Row] = []

    def fill(self) -> None:
        for table in (self.source, self.destination, self.third):
            fill(table, [PARTITION], rows=ROWS, parts=PARTS)
        self.new, self.old, self.other = map(rows, (self.source, self.destination, self.third))

    def told(self, found: Sequence[Row]) -> str:
        """How many rows there are, by whose they are."""
        names = {self.source.name: "new", self.destination.name: "old", self.third.name: "other"}
        counts = Counter(names.get(row[2], row[2] or "cleared") for row in found)
        return " and ".join(f"{counts[kind]} {kind}" for kind in sorted(counts)) or "no"


Check = Callable[[Tables], list[str]]


@dataclass(frozen=True)
class Operation:
    """A statement, what has to be there before it, and what the tables have to hold behind both."""

    sql: str
    wrong: Check
    prepare: Callable[[Tables], None] | None = None
    meanwhile: Check | None = None

    def statement(self, tables: Tables) -> str:
        return self.sql.format(**vars(tables))


def waits_for_replace(operation: Operation) -> None:
    """The statement, issued while REPLACE PARTITION runs, returns behind it and works on the new rows."""
    with Given("what it does when it is issued behind REPLACE PARTITION"):
        found = issued_behind(operation)
        assert not found, listed("the check cannot be met", found)

    with When("I issue it while REPLACE PARTITION is running"):
        found = issued_meanwhile(operation)

    with Then(WAITED):
        assert not found, "; ".join(found)


def issued_behind(operation: Operation) -> list[str]:
    """What is wrong with the tables when one statement comes after the other."""
    tables = prepared(operation)
    replace_partition(tables.destination, source=tables.source, partition=PARTITION)
    sql = operation.statement(tables)
    tables.answer = tables.destination.node.query(sql, settings=SETTINGS)
    return operation.wrong(tables)


def issued_meanwhile(operation: Operation) -> list[str]:
    """What is wrong when the statement is issued while REPLACE PARTITION is held."""
    tables = prepared(operation)
    node = tables.destination.node
    with held_replace(tables.destination, source=tables.source) as replace:
        other = node.background(operation.statement(tables), settings=SETTINGS)
        early = returns(other, tables.destination)
        wrong = operation.meanwhile(tables) if operation.meanwhile else []
    replace.wait()
    refused = other.outcome()
    if isinstance(refused, QueryFailed):
        wrong.append(f"it is refused with code {refused.code}")
    elif refused is not None:
        raise refused
    tables.answer = other.rows or []
    wrong += operation.wrong(tables)
    return [EARLY if early else LATE, *wrong] if early or wrong else []


def prepared(operation: Operation) -> Tables:
    tables = Tables()
    if operation.prepare:
        operation.prepare(tables)
    tables.fill()
    return tables


def returns(statement: Background, table: Table) -> bool:
    """Whether a statement returns, as opposed to waiting, for its mutation or for something else."""
    this().eventually(lambda: statement.done or statement.running)
    waiting = (
        "SELECT count() FROM system.mutations WHERE NOT is_done "
        f"AND database = '{table.database}' AND table = '{table.name}'"
    )
    with suppress(AssertionError):
        this().eventually(lambda: statement.done or table.node.value(waiting), timeout=PATIENCE)
        this().eventually(lambda: statement.done, timeout=GRACE)
    return statement.done


def rows(table: Table) -> list[Row]:
    return contents(table, partition=PARTITION)
