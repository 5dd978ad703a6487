"""Statements about the rows, the names and the merges of tables, on the model."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import replace

from helpers.explore.model.schema import DEFAULT_VALUE
from helpers.explore.model.statements import SPARE, HistoryStatement, Row, further_value, value_of
from helpers.explore.model.tables import (
    CANNOT_UPDATE_COLUMN,
    HOLLOW,
    TABLE_ALREADY_EXISTS,
    UNKNOWN_TABLE,
    ModelState,
    ModelTable,
    Part,
    StatementOutcome,
    Unspecified,
    expires,
    with_table,
)

SELECTED = "what a window recognises of INSERT SELECT"
STOPPED = "a mutation or a merge waits"


def insert(state: ModelState, statement: HistoryStatement) -> StatementOutcome:
    table = state.tables[statement.table]
    rows = tuple(sorted(_whole(row, table, statement) for row in statement.rows))
    # A window recognises what was sent: not the defaults of columns that were not named.
    block = (statement.partition, rows if statement.names_columns else statement.rows)
    if table.kind == "window" and statement.partition in table.hollow:
        return StatementOutcome(state, unspecified=HOLLOW)
    if table.knows(block):
        return StatementOutcome(state)
    part = Part(
        statement.partition,
        table.collapsed(rows),
        frozenset({block}),
        table.first_disk,
        projected="projection" in table.extras,
    )
    return with_table(state, statement.table, replace(table, parts=(*table.parts, part)))


def _whole(row: Row, table: ModelTable, statement: HistoryStatement) -> Row:
    """The row with the values of further columns."""
    value = further_value(row[0]) if statement.names_columns else DEFAULT_VALUE
    return (*row, *[value] * len(table.columns))


def insert_parts(state: ModelState, statement: HistoryStatement) -> StatementOutcome:
    if state.tables[statement.table].kind == "window":
        return StatementOutcome(state, unspecified=SELECTED)
    for key in range(1, statement.number + 1):
        rows = ((key, value_of(statement.table)),)
        insertion = replace(statement, kind="insert", rows=rows, number=0)
        state = insert(state, insertion).state
    return StatementOutcome(state)


def mutated(
    table: ModelTable,
    change: Callable[[Row], Row | None],
    chosen: Callable[[Part], bool] | None = None,
) -> ModelTable:
    """The table with rows changed; None takes a row away."""
    if table.stopped:
        raise Unspecified(STOPPED)
    return table.with_parts(
        part
        if chosen is not None and not chosen(part)
        else replace(part, rows=changed_rows(part.rows, change))
        for part in table.parts
    )


def changed_rows(rows: Iterable[Row], change: Callable[[Row], Row | None]) -> tuple[Row, ...]:
    """Rows after a change; None takes a row away."""
    return tuple(sorted(new for row in rows if (new := change(row)) is not None))


def finds(table: ModelTable, statement: HistoryStatement, row: Row) -> bool:
    """Whether WHERE i = … finds a row."""
    kind, number = table.schema.key_type, statement.number
    if number in kind.unmatched:
        return False
    return kind.equal.get(row[0], row[0]) == kind.equal.get(number, number)


def update(state: ModelState, statement: HistoryStatement) -> StatementOutcome:
    table = state.tables[statement.table]
    if table.kind == "replacing":
        return StatementOutcome(state, CANNOT_UPDATE_COLUMN)

    def change(row: Row) -> Row:
        return (row[0], row[1] + 10, *row[2:]) if finds(table, statement, row) else row

    return with_table(state, statement.table, replace(mutated(table, change), patched=frozenset()))


def delete(state: ModelState, statement: HistoryStatement) -> StatementOutcome:
    table = state.tables[statement.table]
    changed = mutated(table, lambda row: None if finds(table, statement, row) else row)
    return with_table(state, statement.table, replace(changed, patched=frozenset()))


def optimize(state: ModelState, statement: HistoryStatement) -> StatementOutcome:
    table = state.tables[statement.table]
    every = {part.partition for part in table.parts}
    wanted = every | table.hollow if statement.kind == "optimize-table" else {statement.partition}
    chosen = every & wanted
    if wanted & table.hollow:
        return StatementOutcome(state, unspecified=HOLLOW)
    if table.stopped:
        return StatementOutcome(state, unspecified=STOPPED)
    for partition in sorted(chosen):
        merged = _merged(table, table.of(partition), once=statement.kind == "deduplicate")
        table = table.with_parts((*table.without(partition), merged))
    table = replace(table, patched=table.patched - chosen)
    return with_table(state, statement.table, table)


def _merged(table: ModelTable, parts: tuple[Part, ...], *, once: bool) -> Part:
    """The one part that parts of a partition become."""
    places = {part.disk for part in parts}
    if len(places) > 1:
        raise Unspecified("on which disk parts of several are merged")
    rows = [row for part in parts for row in part.rows if not expires(row, table.ttl)]
    if once:
        rows = sorted({*table.collapsed(rows)})
        kind = table.schema.key_type
        if len({(kind.equal.get(row[0], row[0]), *row[1:]) for row in rows}) < len(rows):
            raise Unspecified("whether equal keys are duplicates")
    if len({part.projected for part in parts}) > 1:
        raise Unspecified("parts with and without a projection are not merged")
    blocks = frozenset(block for part in parts for block in part.blocks)
    first = parts[0]
    return Part(
        first.partition, table.collapsed(rows), blocks, places.pop(), projected=first.projected
    )


def exchange(state: ModelState, statement: HistoryStatement) -> StatementOutcome:
    first, second = state.tables[statement.table], state.tables[statement.other]
    return StatementOutcome(state.changed(**{statement.table: second, statement.other: first}))


def truncate(state: ModelState, statement: HistoryStatement) -> StatementOutcome:
    table = state.tables[statement.table]
    table = table.with_parts((), frozenset())
    return with_table(state, statement.table, replace(table, patched=frozenset()))


def rename(state: ModelState, statement: HistoryStatement) -> StatementOutcome:
    old, new = statement.table, SPARE
    if statement.kind == "rename-back":
        old, new = new, old
    if new in state.tables:
        return StatementOutcome(state, TABLE_ALREADY_EXISTS)
    if old not in state.tables:
        return StatementOutcome(state, UNKNOWN_TABLE)
    return StatementOutcome(state.changed(**{old: None, new: state.tables[old]}))


def reload(state: ModelState, statement: HistoryStatement) -> StatementOutcome:
    table = state.tables[statement.table]
    table = replace(table, hollow=table.hollow | table.removed, stopped=False, pending="")
    return with_table(state, statement.table, table)


def s3_fault(state: ModelState, _statement: HistoryStatement) -> StatementOutcome:
    if not any(table.kind == "s3" for table in state.tables.values()):
        return StatementOutcome(state, unspecified="there is no store")
    return StatementOutcome(replace(state, faulty=True))


def restart(state: ModelState, _statement: HistoryStatement) -> StatementOutcome:
    """All tables are loaded again; what was acknowledged before a SIGKILL is there as well."""
    for name in state.tables:
        state = reload(state, HistoryStatement("reload", name)).state
    return StatementOutcome(state)
