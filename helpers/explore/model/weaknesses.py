"""Why a concurrent history has no order: which known weaknesses of the server explain it together. Pure.

Statements that clone parts act in two moments: they take the parts of their source when they begin, and put
clones of them into their destination when they end. What other clients do in between is neither before
nor after them. If a history is explained as soon as some statements may act like that, or as soon as
some that were answered as cancelled were executed, these are its causes; a history that nothing
of this explains has another one. Parts have identities here: MOVE removes the ones that it has taken.
"""

from __future__ import annotations

import itertools
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace

from helpers.explore.model.linearize import (
    BUSY,
    QUERY_WAS_CANCELLED,
    Call,
    Operation,
    Verdict,
    check,
    partitions,
    step,
)
from helpers.explore.model.statements import READ, HistoryStatement, Row
from helpers.explore.model.tables import NO_PARTS_IN_SOURCE, ModelState

Piece = tuple[tuple[int, int], tuple[Row, ...]]
"""A part: the call that has made it and its place among that one's parts; its rows."""
Pieces = tuple[Piece, ...]
EARLY = {
    "replace": "replace takes its source early",
    "attach-from": "attach-from takes its source early",
    "move": "move takes its source early",
}
RANGE = "replace fixes early what it removes"
HOLLOW = "replace takes a partition that was moved away for one that is there"
EMPTIED = "replace takes a partition that a cancelled drop has emptied for one that is there"
LOST_UPDATE = "an update is lost that ran while a mutation did"
MUTATIONS = frozenset({"update", "delete", "update-column", "add-column", "drop-column"})
INITIAL = -1
UNDERSTOOD = frozenset({*EARLY, "insert", "drop", READ, ""})
"""Kinds of statements whose weaknesses are known; the last one reads the tables at the end."""
SECONDS = 10.0


def cancelled(kind: str) -> str:
    """The cause: a statement of this kind was answered as cancelled, and took effect."""
    return f"{kind} is answered as cancelled and takes effect"


def half_done(kind: str) -> str:
    """The cause: the server was killed during a statement of this kind, and has done some of it."""
    return f"{kind} is half done when the server is killed"


@dataclass(frozen=True)
class Moment:
    """The parts of each table in the order in which they came, what statements that go on have taken
    (the parts of the source, and which parts the destination had), from where parts were moved, and which
    tables a cancelled DROP has emptied."""

    tables: tuple[tuple[str, Pieces], ...]
    taken: tuple[tuple[int, Pieces, frozenset[tuple[int, int]]], ...] = ()
    moved_from: frozenset[str] = frozenset()
    emptied: frozenset[str] = frozenset()

    def of(self, name: str) -> Pieces:
        return next((pieces for table, pieces in self.tables if table == name), ())

    def with_table(self, name: str, pieces: Pieces) -> Moment:
        tables = {**dict(self.tables), name: pieces}
        return replace(self, tables=tuple(sorted(tables.items())))

    def rows(self, name: str) -> tuple[Row, ...]:
        return tuple(sorted(row for _, rows in self.of(name) for row in rows))


@dataclass(frozen=True)
class Act:
    """What a call does in a moment: all of it, or its first or second half; `cancelled` if it was answered
    so."""

    number: int
    operation: Operation
    half: int = 0
    cancelled: bool = False


def causes_of(
    start: ModelState, calls: Sequence[Call[Operation]], partition: int
) -> tuple[Verdict, tuple[str, ...]]:
    """The fewest causes that explain a history; none and NOT_LINEARIZABLE if they do not."""
    if any(call.operation.kind not in UNDERSTOOD for call in calls):
        return _lost_updates(start, calls, partition)
    deadline = time.monotonic() + SECONDS
    moment = Moment(
        tuple(
            (name, tuple(((INITIAL, n), part.rows) for n, part in enumerate(table.of(partition))))
            for name, table in sorted(start.tables.items())
        )
    )
    verdict = Verdict.NOT_LINEARIZABLE
    for chosen, done in _combinations(calls):
        acts = _acts(calls, chosen, done)
        result = check(moment, acts, _step(chosen), max(deadline - time.monotonic(), 0.0))
        if result is Verdict.LINEARIZABLE:
            kinds = [cancelled(call.operation.kind) for call in done]
            return result, tuple(sorted({*chosen, *kinds}))
        if result is Verdict.UNDECIDED:
            verdict = result
    return verdict, ()


def _lost_updates(
    start: ModelState, calls: Sequence[Call[Operation]], partition: int
) -> tuple[Verdict, tuple[str, ...]]:
    """Whether an order explains the history once UPDATEs are left out that ran while a mutation did."""
    mutations = [call for call in calls if call.operation.kind in MUTATIONS]
    beside = [
        call
        for call in calls
        if call.operation.kind == "patch"
        and any(call.began < other.ended and other.began < call.ended for other in mutations)
    ]
    for size in range(1, len(beside) + 1):
        for lost in itertools.combinations(beside, size):
            left = [call for call in calls if not any(call is other for other in lost)]
            if check(partitions(start, partition), left, step) is Verdict.LINEARIZABLE:
                return Verdict.LINEARIZABLE, (LOST_UPDATE,)
    return Verdict.NOT_LINEARIZABLE, ()


def _combinations(
    calls: Sequence[Call[Operation]],
) -> Iterator[tuple[tuple[str, ...], tuple[Call[Operation], ...]]]:
    """Sets of weaknesses and of cancelled statements that were executed, small ones first."""
    kinds = {call.operation.kind for call in calls}
    weaknesses = [EARLY[kind] for kind in EARLY if kind in kinds]
    weaknesses += [RANGE] if "replace" in kinds else []
    weaknesses += [HOLLOW] if {"move", "replace"} <= kinds else []
    stopped = [call for call in calls if call.operation.refusal == QUERY_WAS_CANCELLED]
    if "replace" in kinds and any(call.operation.kind == "drop" for call in stopped):
        weaknesses.append(EMPTIED)
    for size in range(len(weaknesses) + len(stopped) + 1):
        for count in range(min(size, len(weaknesses)) + 1):
            for chosen in itertools.combinations(weaknesses, count):
                for done in itertools.combinations(stopped, size - count):
                    yield chosen, done


def _acts(
    calls: Sequence[Call[Operation]], chosen: Sequence[str], done: Sequence[Call[Operation]]
) -> list[Call[Act]]:
    acts = []
    for number, call in enumerate(calls):
        operation, stopped = call.operation, any(call is other for other in done)
        if stopped:
            operation = replace(operation, refusal=None)
        kind = operation.kind
        weak = EARLY.get(kind) in chosen or (kind == "replace" and RANGE in chosen)
        if weak and operation.refusal is None:
            acts += [Call(Act(number, operation, half), call.began, call.ended) for half in (1, 2)]
        else:
            act = Act(number, operation, cancelled=stopped)
            acts.append(Call(act, call.began, call.ended))
    return acts


def _step(chosen: Sequence[str]) -> Callable[[Moment, Act], list[Moment]]:
    def next_moments(moment: Moment, act: Act) -> list[Moment]:
        statement, refusal = act.operation.statement, act.operation.refusal
        if statement is None or (statement.kind == READ and refusal is None):
            seen = dict(act.operation.seen)
            return [moment] if all(moment.rows(name) == seen[name] for name in seen) else []
        if refusal is not None:
            empty = statement.kind == "replace" and not moment.of(statement.other)
            return [moment] if refusal in BUSY or (refusal == NO_PARTS_IN_SOURCE and empty) else []
        if act.half == 1:
            return [_taken(moment, act.number, statement)]
        if act.half == 0:
            moment = _taken(moment, act.number, statement)
        return _put(moment, act, statement, chosen)

    return next_moments


def _places(statement: HistoryStatement) -> tuple[str, str]:
    """Source and destination of a statement that clones."""
    if statement.kind == "move":
        return statement.table, statement.other
    return statement.other, statement.table


def _taken(moment: Moment, number: int, statement: HistoryStatement) -> Moment:
    source, destination = _places(statement)
    there = frozenset(piece for piece, _ in moment.of(destination))
    return replace(moment, taken=(*moment.taken, (number, moment.of(source), there)))


def _put(
    moment: Moment, act: Act, statement: HistoryStatement, chosen: Sequence[str]
) -> list[Moment]:
    """What is there when the statement has ended, which may be one of several."""
    begun = next((entry for entry in moment.taken if entry[0] == act.number), None)
    if begun is None:
        return []  # its second half does not come first
    moment = replace(moment, taken=tuple(entry for entry in moment.taken if entry is not begun))
    kind, table = statement.kind, statement.table
    if kind == "insert":
        return [moment.with_table(table, (*moment.of(table), ((act.number, 0), statement.rows)))]
    if kind == "drop":
        if act.cancelled and moment.of(table):  # it has left a part without rows
            moment = replace(moment, emptied=moment.emptied | {table})
        return [moment.with_table(table, ())]
    _, taken, there = begun
    source, destination = _places(statement)
    if EARLY[kind] not in chosen:
        taken = moment.of(source)
    moment = _left_in_source(moment, statement, taken)
    new = tuple(((act.number, n), rows) for n, (_, rows) in enumerate(taken))
    old = moment.of(destination)
    if kind != "replace":
        return [moment.with_table(destination, (*old, *new))]
    hollow = (HOLLOW in chosen and source in moment.moved_from) or (
        EMPTIED in chosen and source in moment.emptied
    )
    if not taken and not hollow:
        return []
    # Parts have numbers in the order in which they come; it removes those up to one that it has fixed.
    least = sum(piece in there for piece, _ in old) if RANGE in chosen else len(old)
    return [
        moment.with_table(destination, (*old[cut:], *new)) for cut in range(least, len(old) + 1)
    ]


def _left_in_source(moment: Moment, statement: HistoryStatement, taken: Pieces) -> Moment:
    """The source after its parts were cloned, which MOVE removes; it leaves a part without rows there,
    which is cloned as well."""
    source, destination = _places(statement)
    moved_from = moment.moved_from
    if statement.kind == "move":
        gone = {piece for piece, _ in taken}
        left = tuple(piece for piece in moment.of(source) if piece[0] not in gone)
        moment = moment.with_table(source, left)
        moved_from |= {source} if taken else set()
    if not taken and source in moved_from:
        moved_from |= {destination}
    return replace(moment, moved_from=moved_from)
