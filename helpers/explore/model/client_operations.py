"""What clients of a concurrent history did, and what each of it makes of a partition. Pure."""

from __future__ import annotations

from dataclasses import dataclass

from helpers.explore.model.statements import KILL, READ, HistoryStatement, Row
from helpers.explore.model.tables import ModelState, Part, Table
from helpers.explore.model.transitions import apply

QUERY_WAS_CANCELLED = 394
# Refusals that say "not now": the statement was not executed.
BUSY = frozenset({QUERY_WAS_CANCELLED, 236, 384, 388, 517})
Rows = tuple[Row, ...]
Partitions = tuple[tuple[str, Rows], ...]
"""The rows of one partition in each table: what an operation changes."""


@dataclass(frozen=True)
class Operation:
    """A statement of a client and its response; `None` for what the tables were read to hold at the end.
    `seen`: what was read, of the one table or of all."""

    statement: HistoryStatement | None
    refusal: int | None = None
    seen: Partitions = ()

    @property
    def kind(self) -> str:
        return self.statement.kind if self.statement else ""


def step(state: Partitions, operation: Operation) -> list[Partitions]:
    """What an operation with this response can have made of the partition."""
    if operation.statement is None:
        return [state] if dict(state) == dict(operation.seen) else []
    if operation.statement.kind == READ and operation.refusal is None:
        return [state] if set(operation.seen) <= set(state) else []
    if operation.statement.kind == READ:
        return [state] if operation.refusal in BUSY else []
    partition = operation.statement.partition
    outcome = apply(_model(state, partition), operation.statement)
    if operation.refusal is not None:
        refused_rightly = operation.refusal == outcome.refusal or operation.refusal in BUSY
        return [state] if refused_rightly else []
    return [partitions(outcome.state, partition)] if outcome.refusal is None else []


def partitions(state: ModelState, partition: int = 1) -> Partitions:
    """The rows of one partition, whatever parts they are in."""
    return tuple(
        (name, tuple(sorted(row for part in state.tables[name].of(partition) for row in part.rows)))
        for name in sorted(state.tables)
    )


def _model(state: Partitions, partition: int) -> ModelState:
    return ModelState(
        {name: Table("plain", (Part(partition, rows),) if rows else ()) for name, rows in state}
    )


def is_about(operation: Operation, partition: int) -> bool:
    statement = operation.statement
    return statement is not None and statement.kind != KILL and statement.partition == partition
