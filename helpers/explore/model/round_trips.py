"""Statements that undo each other: there and back again a table is what it was, whatever the model knows."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from helpers.explore.model import tables
from helpers.explore.model.histories import History
from helpers.explore.model.statements import ROUND_TRIP, HistoryStatement
from helpers.explore.model.tables import ModelState, StatementOutcome

TRIPS = (  # 7 variants
    ("detach", "attach"),
    ("replace",),
    ("exchange", "exchange"),
    ("rename", "rename-back"),
    ("move", "move"),
    ("freeze", "drop", "restore", "unfreeze"),
    ("move-to-disk", "move-to-disk"),
)
OF_ITSELF = ("replace",)
"""A partition that replaces itself."""
BACK = ("move", "move-to-disk")
"""The second time from the other table, or to the other disk."""

Apply = Callable[[ModelState, HistoryStatement], StatementOutcome]


def trip_of(statement: HistoryStatement) -> tuple[HistoryStatement, ...]:
    """The statements of a round trip; its number says which."""
    kinds = TRIPS[statement.number % len(TRIPS)]
    there = replace(statement, kind=kinds[0], number=1)
    if kinds[0] in OF_ITSELF:
        return (replace(there, other=statement.table),)
    trip = [there]
    for kind in kinds[1:]:
        step = replace(there, kind=kind)
        if kind == "move":
            step = replace(step, table=statement.other, other=statement.table)
        trip.append(replace(step, number=2) if kind == "move-to-disk" else step)
    return tuple(trip)


def kinds_in(history: History) -> set[str]:
    """The kinds of a history's statements, and of those that its round trips consist of."""
    statements = history.every_statement
    trips = [step for one in statements if one.kind == ROUND_TRIP for step in trip_of(one)]
    return {statement.kind for statement in (*statements, *trips)}


def round_trip(state: ModelState, statement: HistoryStatement, apply: Apply) -> StatementOutcome:
    """The state after it; unspecified where a statement of it is refused, or where it leads elsewhere."""
    now = state
    for step in trip_of(statement):
        outcome = apply(now, step)
        if outcome.unspecified or outcome.refusal is not None or outcome.may_fail:
            return StatementOutcome(state, unspecified="there is no way there and back")
        now = outcome.state
    if state.tables.keys() != now.tables.keys() or any(
        _seen(table) != _seen(now.tables[name]) for name, table in state.tables.items()
    ):
        return StatementOutcome(state, unspecified="the way back leads elsewhere")
    return StatementOutcome(now)


def _seen(table: tables.ModelTable) -> tuple[object, ...]:
    """What the server shows of a table."""
    shown = (tables.contents(table), tables.detached(table), tables.disks(table))
    return (*shown, table.kind, table.further, table.extras, table.ttl, bool(table.frozen))
