"""Statements on a partition: the tables that they are issued on, and the check of what they leave."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Any

from helpers.cluster.client.background import Background
from helpers.cluster.client.failures import QueryFailed
from helpers.cluster.client.session import Row
from helpers.scenario.context import this
from steps.parts import parts
from steps.replace_partition.held_statements import (
    HOLDABLE,
    PARTITION,
    has_begun,
    holding_node,
)
from steps.row_origins import describe_rows
from steps.tables import COLUMNS, Table, contents, create_table, fill, fill_and_check

INDEXED = f"{COLUMNS}, INDEX numbers i TYPE minmax GRANULARITY 1"
ROWS = 10
PARTS = 2
# A partition of the destination that no statement names.
OTHER_PARTITION = PARTITION + 1
# What returns at all before REPLACE PARTITION does so well within this time.
PATIENCE = 15.0
# A statement that does not wait returns so soon after its mutation has been registered.
GRACE = 0.3
KEYWORD = re.compile(r"\b[A-Z]{2,}\b")
EARLY = "returns while REPLACE PARTITION is running"
MEANWHILE = "the partition meanwhile"
UNFINISHED = "SELECT count() FROM system.mutations WHERE NOT is_done"


class Tables:
    """The source with the new rows, the destination with the old ones, and a third table."""

    def __init__(self) -> None:
        node = holding_node()
        self.node = node
        self.source, self.destination, self.third = (
            create_table(name, node=node, columns=INDEXED, settings=HOLDABLE)
            for name in ("source", "destination", "third")
        )
        self.backup = f"{self.destination.database}_{self.destination.name}"
        # What the statement answered, and what had been prepared for it.
        self.answer: list[Row] = []
        self.detached: list[Row] = []
        self.detached_part = ""
        self.frozen: list[Row] = []
        self.backed_up: list[Row] = []

    def fill(self) -> None:
        """Rows for the partition of every table, and for another one of the destination's."""
        self.new, self.old, self.other = map(_filled, (self.source, self.destination, self.third))
        self.untouched = fill_and_check(self.destination, [OTHER_PARTITION], rows=ROWS)
        old_parts = parts(self.destination, partition=PARTITION)
        assert len(old_parts) >= PARTS, f"the old parts: {old_parts}"
        assert {part.rows for part in old_parts} == {ROWS}, f"the old parts: {old_parts}"
        self.part = old_parts[0].name
        named = f"SELECT * FROM {self.destination} WHERE _part = '{self.part}'"
        self.rows_of_part = self.node.query(named)
        distinct = set(self.rows_of_part)
        assert len(self.rows_of_part) == len(distinct) == ROWS, f"the part has {distinct}"
        assert distinct < set(self.old), "the fixture has one old part only"

    def describe(self, actual: Sequence[Row]) -> str:
        """Whose rows these are; of the old rows, exactly those of the named part or of the other one."""
        known = {"new": self.new, "old": self.old, "other": self.other, "attached": self.detached}
        known["cleared old"] = [(*row[:2], "") for row in self.old]
        of_other_part = [row for row in self.old if row not in self.rows_of_part]
        for name, part in (("named part's", self.rows_of_part), ("other part's", of_other_part)):
            if sorted(actual) == sorted(part):
                known = {name: part}
        return describe_rows(actual, known)

    def differ(self, what: str, actual: Sequence[Row], expected: Sequence[Row]) -> dict[str, str]:
        """A violation that says which rows there are, if they are not those that are expected."""
        return {} if sorted(actual) == sorted(expected) else {what: self.describe(actual)}


def _filled(table: Table) -> list[Row]:
    """What the partition holds after it got rows; what has been prepared may have left some there."""
    before = rows(table)
    inserted = fill(table, [PARTITION], rows=ROWS, parts=PARTS, check=False)
    held = rows(table)
    assert held == sorted(before + inserted), f"the fixture is wrong: {table} holds {held}"
    return held


Check = Callable[[Tables], dict[str, str]]


@dataclass(frozen=True)
class Operation:
    """A statement, what has to be there before it, and what the tables have to hold after both.

    `refused` is the code of the error that it has to end with after REPLACE PARTITION, if any.
    """

    sql: str
    check: Check
    prepare: Callable[[Tables], None] | None = None
    meanwhile: Check | None = None
    refused: int | None = None
    settings: Mapping[str, Any] = field(default_factory=dict)

    def statement(self, tables: Tables) -> str:
        return self.sql.format(**vars(tables))

    def touched(self, tables: Tables) -> dict[str, str]:
        """What is no longer there of what was prepared for the statement."""
        return self.meanwhile(tables) if self.meanwhile else {}

    def violations(self, tables: Tables, error: BaseException | None) -> dict[str, str]:
        """What is wrong with the statement's outcome and with the tables after it."""
        if error is not None and not isinstance(error, QueryFailed):
            raise error
        code = error.code if error else None
        outcome = "accepted" if code is None else f"refused with code {code}"
        wrong = {} if code == self.refused else {"its answer": outcome}
        actual = contents(tables.destination, partition=OTHER_PARTITION)
        if actual != tables.untouched:
            wrong["another partition"] = describe_rows(actual, {"own": tables.untouched})
        return wrong | self.check(tables)


def keywords(sql: str) -> list[str]:
    """The words that name a statement on a partition, without the table and the clauses."""
    statement = re.sub(r"ALTER TABLE \S+ ", "", sql)
    statement = re.sub(r"^(REPLACE PARTITION \S+) FROM .*", r"\1", statement)
    return KEYWORD.findall(re.sub(r" (WITH NAME|WHERE|SETTINGS) .*", "", statement))


def issue(operation: Operation, tables: Tables) -> BaseException | None:
    """Execute the statement; how it was refused, if it was."""
    try:
        tables.answer = tables.node.query(operation.statement(tables), settings=operation.settings)
    except QueryFailed as refusal:
        return refusal
    return None


def prepared(operation: Operation) -> Tables:
    tables = Tables()
    if operation.prepare:
        operation.prepare(tables)
    tables.fill()
    return tables


def returns(statement: Background, table: Table) -> bool:
    """Whether a statement returns, as opposed to waiting, for its mutation or for something else."""
    waiting = f"{UNFINISHED} AND database = '{table.database}' AND table = '{table.name}'"
    with suppress(AssertionError):
        this().eventually(lambda: statement.done or table.node.value(waiting), timeout=PATIENCE)
        this().eventually(lambda: statement.done, timeout=GRACE)
    this().eventually(lambda: has_begun(statement))
    return statement.done


def rows(table: Table) -> list[Row]:
    return contents(table, partition=PARTITION)
