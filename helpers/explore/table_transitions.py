"""Statements about whole tables, their names and columns, on the model."""

from __future__ import annotations

from dataclasses import replace

from helpers.explore.model import Outcome, State
from helpers.explore.statements import SPARE, Statement
from helpers.explore.transition import (
    DUPLICATE_COLUMN,
    NOT_FOUND_COLUMN,
    TABLE_ALREADY_EXISTS,
    UNKNOWN_TABLE,
    with_table,
)


def exchange(state: State, statement: Statement) -> Outcome:
    first, second = state.tables[statement.table], state.tables[statement.other]
    return Outcome(state.changed(**{statement.table: second, statement.other: first}))


def truncate(state: State, statement: Statement) -> Outcome:
    table = state.tables[statement.table]
    return with_table(state, statement.table, table.with_parts((), frozenset()))


def add_column(state: State, statement: Statement) -> Outcome:
    return _columns(state, statement, True, DUPLICATE_COLUMN)


def drop_column(state: State, statement: Statement) -> Outcome:
    return _columns(state, statement, False, NOT_FOUND_COLUMN)


def _columns(state: State, statement: Statement, extra: bool, refusal: int) -> Outcome:
    table = state.tables[statement.table]
    if table.extra_column is extra:
        return Outcome(state, refusal)
    return with_table(state, statement.table, replace(table, extra_column=extra))


def rename(state: State, statement: Statement) -> Outcome:
    old, new = statement.table, SPARE
    if statement.kind == "rename-back":
        old, new = new, old
    if new in state.tables:
        return Outcome(state, TABLE_ALREADY_EXISTS)
    if old not in state.tables:
        return Outcome(state, UNKNOWN_TABLE)
    return Outcome(state.changed(**{old: None, new: state.tables[old]}))


def reload(state: State, statement: Statement) -> Outcome:
    table = state.tables[statement.table]
    return with_table(state, statement.table, replace(table, hollow=table.hollow | table.removed))


def s3_fault(state: State, _statement: Statement) -> Outcome:
    if not any(table.kind == "s3" for table in state.tables.values()):
        return Outcome(state, unspecified="there is no store")
    return Outcome(replace(state, faulty=True))


def restart(state: State, _statement: Statement) -> Outcome:
    """All tables are loaded again; what was acknowledged before a SIGKILL is there as well."""
    for name in state.tables:
        state = reload(state, Statement("reload", name)).state
    return Outcome(state)
