"""Statements about the rows, names and columns of tables, on the model."""

from __future__ import annotations

from dataclasses import replace

from helpers.explore.model.statements import SPARE, HistoryStatement, value_of
from helpers.explore.model.tables import (
    CANNOT_UPDATE_COLUMN,
    DUPLICATE_COLUMN,
    HOLLOW,
    NOT_FOUND_COLUMN,
    TABLE_ALREADY_EXISTS,
    UNKNOWN_TABLE,
    ModelState,
    Part,
    StatementOutcome,
    with_table,
)

SELECTED = "what a window recognises of INSERT SELECT"


def insert(state: ModelState, statement: HistoryStatement) -> StatementOutcome:
    table = state.tables[statement.table]
    rows = tuple(sorted(statement.rows))
    block = (statement.partition, rows)
    if table.kind == "window" and statement.partition in table.hollow:
        return StatementOutcome(state, unspecified=HOLLOW)
    if table.knows(block):
        return StatementOutcome(state)
    part = Part(statement.partition, table.collapsed(rows), frozenset({block}), table.first_disk)
    return with_table(state, statement.table, replace(table, parts=(*table.parts, part)))


def insert_parts(state: ModelState, statement: HistoryStatement) -> StatementOutcome:
    if state.tables[statement.table].kind == "window":
        return StatementOutcome(state, unspecified=SELECTED)
    for key in range(1, statement.number + 1):
        insertion = replace(statement, kind="insert", rows=((key, value_of(statement.table)),))
        state = insert(state, insertion).state
    return StatementOutcome(state)


def update(state: ModelState, statement: HistoryStatement) -> StatementOutcome:
    table = state.tables[statement.table]
    if table.kind == "replacing":
        return StatementOutcome(state, CANNOT_UPDATE_COLUMN)
    parts = (
        replace(
            part,
            rows=tuple(sorted((k, v + 10 if k == statement.number else v) for k, v in part.rows)),
        )
        for part in table.parts
    )
    return with_table(state, statement.table, table.with_parts(parts))


def delete(state: ModelState, statement: HistoryStatement) -> StatementOutcome:
    table = state.tables[statement.table]
    parts = (
        replace(part, rows=tuple(row for row in part.rows if row[0] != statement.number))
        for part in table.parts
    )
    return with_table(state, statement.table, table.with_parts(parts))


def optimize(state: ModelState, statement: HistoryStatement) -> StatementOutcome:
    table = state.tables[statement.table]
    every = {part.partition for part in table.parts}
    chosen = every if statement.kind == "optimize-table" else every & {statement.partition}
    if chosen & table.hollow:
        return StatementOutcome(state, unspecified=HOLLOW)
    parts = list(table.parts)
    for partition in sorted(chosen):
        merged = [part for part in parts if part.partition == partition]
        places = {part.disk for part in merged}
        if len(places) > 1:
            return StatementOutcome(state, unspecified="on which disk parts of several are merged")
        rows = sorted(row for part in merged for row in part.rows)
        blocks = frozenset(block for part in merged for block in part.blocks)
        parts = [part for part in parts if part.partition != partition]
        parts.append(Part(partition, table.collapsed(rows), blocks, places.pop()))
    return with_table(state, statement.table, replace(table, parts=tuple(parts)))


def exchange(state: ModelState, statement: HistoryStatement) -> StatementOutcome:
    first, second = state.tables[statement.table], state.tables[statement.other]
    return StatementOutcome(state.changed(**{statement.table: second, statement.other: first}))


def truncate(state: ModelState, statement: HistoryStatement) -> StatementOutcome:
    table = state.tables[statement.table]
    return with_table(state, statement.table, table.with_parts((), frozenset()))


def add_column(state: ModelState, statement: HistoryStatement) -> StatementOutcome:
    return _columns(state, statement, True, DUPLICATE_COLUMN)


def drop_column(state: ModelState, statement: HistoryStatement) -> StatementOutcome:
    return _columns(state, statement, False, NOT_FOUND_COLUMN)


def _columns(
    state: ModelState, statement: HistoryStatement, extra: bool, refusal: int
) -> StatementOutcome:
    table = state.tables[statement.table]
    if table.extra_column is extra:
        return StatementOutcome(state, refusal)
    return with_table(state, statement.table, replace(table, extra_column=extra))


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
    return with_table(state, statement.table, replace(table, hollow=table.hollow | table.removed))


def s3_fault(state: ModelState, _statement: HistoryStatement) -> StatementOutcome:
    if not any(table.kind == "s3" for table in state.tables.values()):
        return StatementOutcome(state, unspecified="there is no store")
    return StatementOutcome(replace(state, faulty=True))


def restart(state: ModelState, _statement: HistoryStatement) -> StatementOutcome:
    """All tables are loaded again; what was acknowledged before a SIGKILL is there as well."""
    for name in state.tables:
        state = reload(state, HistoryStatement("reload", name)).state
    return StatementOutcome(state)
