"""Whether a concurrent history can be explained by its statements one after the other. Pure.

After Wing and Gong: of the operations that no other one precedes, any may have been the first. Each is tried,
and those that were tried in the same state with the same operations left are not tried again (Lowe). One
partition at a time: operations on different partitions do not see each other.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass, replace
from enum import Enum
from typing import Generic, TypeVar

from helpers.explore.model.schema import Schema
from helpers.explore.model.statements import KILL, READ, HistoryStatement, Row
from helpers.explore.model.tables import NOT_IMPLEMENTED, ModelState, Part, new_table
from helpers.explore.model.transitions import apply

StateType = TypeVar("StateType", bound=Hashable)
OperationType = TypeVar("OperationType")


class Verdict(Enum):
    """What is known of a history."""

    LINEARIZABLE = "linearizable"
    NOT_LINEARIZABLE = "not linearizable"
    UNDECIDED = "undecided"


@dataclass(frozen=True)
class Call(Generic[OperationType]):
    """An operation from its invocation to its response; `ended` is infinite where there was none."""

    operation: OperationType
    began: float
    ended: float


Step = Callable[[StateType, OperationType], Sequence[StateType]]
"""The states that an operation, with the response it had, can lead to; none if it cannot have happened."""


def check(
    state: StateType,
    calls: Sequence[Call[OperationType]],
    step: Step[StateType, OperationType],
    seconds: float = 5.0,
    clock: Callable[[], float] = time.monotonic,
) -> Verdict:
    """Whether there is an order of the calls that respects their times and that `step` agrees to."""
    deadline = clock() + seconds
    everything = (1 << len(calls)) - 1
    seen: set[tuple[StateType, int]] = set()
    stack: list[tuple[StateType, int]] = [(state, everything)]
    while stack:
        if clock() > deadline:
            return Verdict.UNDECIDED
        current, left = stack.pop()
        if not left:
            return Verdict.LINEARIZABLE
        if (current, left) in seen:
            continue
        seen.add((current, left))
        remaining = [index for index in range(len(calls)) if left >> index & 1]
        first_response = min(calls[index].ended for index in remaining)
        for index in remaining:
            # A call that was invoked after the response of another one comes after it.
            if calls[index].began <= first_response:
                for following in step(current, calls[index].operation):
                    stack.append((following, left & ~(1 << index)))
    return Verdict.NOT_LINEARIZABLE


QUERY_WAS_CANCELLED = 394
# Refusals that say "not now", or "not for this table": the statement was not executed.
BUSY = frozenset({QUERY_WAS_CANCELLED, 236, 384, 388, 517, NOT_IMPLEMENTED})
OTHER_COLUMN = frozenset(
    {"add-column", "drop-column", "rename-column", "update-column", "patch-column"}
)
"""Statements that leave key and value alone."""
EMPTY = new_table("plain", Schema(patches=True))
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
    if operation.statement.kind in OTHER_COLUMN:
        return [state]  # rows are read without this column
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
        {
            name: replace(EMPTY, parts=(Part(partition, rows),) if rows else ())
            for name, rows in state
        }
    )


def is_about(operation: Operation, partition: int) -> bool:
    statement = operation.statement
    return statement is not None and statement.kind != KILL and statement.partition == partition
