"""Statements about further columns, patch parts, TTL, indices and projections, on the model."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from helpers.explore.model.rows import STOPPED, changed_rows, delete, finds, mutated
from helpers.explore.model.schema import COLUMN, DEFAULT_VALUE, RENAMED
from helpers.explore.model.statements import HistoryStatement, Row, ttl_of, updated_value
from helpers.explore.model.tables import (
    BAD_ARGUMENTS,
    CANNOT_UPDATE_COLUMN,
    DUPLICATE_COLUMN,
    ILLEGAL_INDEX,
    ILLEGAL_PROJECTION,
    INCORRECT_QUERY,
    NO_SUCH_COLUMN,
    NO_SUCH_PROJECTION,
    NOT_FOUND_COLUMN,
    NOT_IMPLEMENTED,
    Column,
    ModelState,
    ModelTable,
    StatementOutcome,
    expires,
    with_columns,
    with_table,
)

PENDING = "whether a column is changed again before the first change was made"


def add_column(state: ModelState, statement: HistoryStatement) -> StatementOutcome:
    table = state.tables[statement.table]
    if COLUMN in table.further:
        return StatementOutcome(state, DUPLICATE_COLUMN)
    if table.pending == "rename-column":  # it waits until the column has its new name
        return StatementOutcome(state, unspecified=PENDING)
    added = table.added + 1
    table = _with(table, (*table.columns, (COLUMN, added)))
    return with_table(state, statement.table, replace(table, added=added))


def drop_column(state: ModelState, statement: HistoryStatement) -> StatementOutcome:
    table = state.tables[statement.table]
    if COLUMN not in table.further:
        return StatementOutcome(state, NOT_FOUND_COLUMN)
    if table.pending:
        return StatementOutcome(state, unspecified=PENDING)
    table = replace(table, pending=statement.kind if table.stopped else "")
    left = tuple(column for column in table.columns if column[0] != COLUMN)
    return with_table(state, statement.table, _with(table, left))


def rename_column(state: ModelState, statement: HistoryStatement) -> StatementOutcome:
    table = state.tables[statement.table]
    if COLUMN not in table.further:
        return StatementOutcome(state, NOT_FOUND_COLUMN)
    if RENAMED in table.further:
        return StatementOutcome(state, DUPLICATE_COLUMN)
    if table.pending:
        return StatementOutcome(state, unspecified=PENDING)
    table = replace(table, pending=statement.kind if table.stopped else "")
    (number,) = (number for name, number in table.columns if name == COLUMN)
    # Further columns are w and x: the only one keeps its place.
    return with_table(state, statement.table, replace(table, columns=((RENAMED, number),)))


def _with(table: ModelTable, columns: tuple[Column, ...]) -> ModelTable:
    """The table with other further columns: new ones have their default."""
    columns = tuple(sorted(columns))
    parts = tuple(
        replace(part, rows=tuple(sorted(_each(part.rows, table.columns, columns))))
        for part in table.parts
    )
    return replace(table, parts=parts, columns=columns)


def _each(
    rows: tuple[Row, ...], old: tuple[Column, ...], new: tuple[Column, ...]
) -> tuple[Row, ...]:
    return tuple(with_columns(row, old, new) for row in rows)


def _place(table: ModelTable) -> int | None:
    """Where rows have the column that is updated, if the table has it."""
    return 2 + table.further.index(COLUMN) if COLUMN in table.further else None


def _set(row: Row, place: int, value: int) -> Row:
    return (*row[:place], value, *row[place + 1 :])


def clear_column(state: ModelState, statement: HistoryStatement) -> StatementOutcome:
    table = state.tables[statement.table]
    place = _place(table)
    if place is None:
        return StatementOutcome(state, NOT_FOUND_COLUMN)
    cleared = mutated(
        table,
        lambda row: _set(row, place, DEFAULT_VALUE),
        lambda part: part.partition == statement.partition,
    )
    if table.patched:
        return StatementOutcome(state, unspecified="patches beside a cleared column")
    return with_table(state, statement.table, cleared)


def update_column(state: ModelState, statement: HistoryStatement) -> StatementOutcome:
    table = state.tables[statement.table]
    place = _place(table)
    if place is None:
        return StatementOutcome(state, NO_SUCH_COLUMN)
    value = updated_value(statement.number)
    changed = mutated(
        table, lambda row: _set(row, place, value) if finds(table, statement, row) else row
    )
    return with_table(state, statement.table, replace(changed, patched=frozenset()))


def materialize_column(state: ModelState, statement: HistoryStatement) -> StatementOutcome:
    table = state.tables[statement.table]
    if COLUMN not in table.further:
        return StatementOutcome(state, NO_SUCH_COLUMN)
    if table.stopped or table.patched:
        return StatementOutcome(state, unspecified=STOPPED)
    return StatementOutcome(state)


def stop_merges(state: ModelState, statement: HistoryStatement) -> StatementOutcome:
    table = replace(state.tables[statement.table], stopped=True)
    return with_table(state, statement.table, table)


def start_merges(state: ModelState, statement: HistoryStatement) -> StatementOutcome:
    table = replace(state.tables[statement.table], stopped=False, pending="")
    return with_table(state, statement.table, table)


def patch(state: ModelState, statement: HistoryStatement) -> StatementOutcome:
    """UPDATE of v, or of the further column."""
    table = state.tables[statement.table]
    if not _can_be_patched(table):
        return StatementOutcome(state, NOT_IMPLEMENTED)
    if statement.kind == "patch-column":
        place = _place(table)
        if place is None:
            return StatementOutcome(state, NO_SUCH_COLUMN)
        value = updated_value(statement.number)
    elif table.kind == "replacing":
        return StatementOutcome(state, CANNOT_UPDATE_COLUMN)

    def change(row: Row) -> Row:
        if not finds(table, statement, row):
            return row
        if statement.kind == "patch":
            return _set(row, 1, row[1] + 10)
        return _set(row, place or 0, value)

    return _patched(state, statement, table, change)


def _can_be_patched(table: ModelTable) -> bool:
    return table.schema.patches and table.kind not in ("summing", "aggregating")


def patch_delete(state: ModelState, statement: HistoryStatement) -> StatementOutcome:
    table = state.tables[statement.table]
    if not _can_be_patched(table):
        return delete(state, statement)
    return _patched(
        state, statement, table, lambda row: None if finds(table, statement, row) else row
    )


def _patched(
    state: ModelState,
    statement: HistoryStatement,
    table: ModelTable,
    change: Callable[[Row], Row | None],
) -> StatementOutcome:
    if table.stopped:
        return StatementOutcome(state, unspecified=STOPPED)
    touched = {
        part.partition
        for part in table.parts
        if any(finds(table, statement, row) for row in part.rows)
    }
    parts = [replace(part, rows=changed_rows(part.rows, change)) for part in table.parts]
    table = replace(table.with_parts(parts), patched=table.patched | touched)
    return with_table(state, statement.table, table)


def apply_patches(state: ModelState, statement: HistoryStatement) -> StatementOutcome:
    table = state.tables[statement.table]
    if table.stopped:
        return StatementOutcome(state, unspecified=STOPPED)
    return with_table(state, statement.table, replace(table, patched=frozenset()))


def modify_ttl(state: ModelState, statement: HistoryStatement) -> StatementOutcome:
    table = state.tables[statement.table]
    ttl = ttl_of(statement.number)
    if table.stopped:
        return StatementOutcome(state, unspecified=STOPPED)
    if not ttl and not table.ttl:
        return StatementOutcome(state, BAD_ARGUMENTS)
    changed = replace(table, ttl=ttl)
    return with_table(state, statement.table, _expired(changed) if ttl != table.ttl else changed)


def materialize_ttl(state: ModelState, statement: HistoryStatement) -> StatementOutcome:
    table = state.tables[statement.table]
    if not table.ttl:
        return StatementOutcome(state, INCORRECT_QUERY)
    return with_table(state, statement.table, _expired(table))


def _expired(table: ModelTable) -> ModelTable:
    """What a mutation that materializes the TTL leaves."""
    changed = mutated(table, lambda row: None if expires(row, table.ttl) else row)
    return replace(changed, patched=frozenset())


def extra(state: ModelState, statement: HistoryStatement) -> StatementOutcome:
    """ADD, DROP and MATERIALIZE of the index and of the projection."""
    table = state.tables[statement.table]
    action, what = statement.kind.split("-")
    there = what in table.extras
    if action == "add" and there:
        return StatementOutcome(state, ILLEGAL_INDEX if what == "index" else ILLEGAL_PROJECTION)
    if action == "materialize" and not there:  # a mutation all the same, which waits for its end
        return StatementOutcome(state, unspecified=STOPPED if table.stopped else "")
    if action != "add" and not there:
        return StatementOutcome(state, BAD_ARGUMENTS if what == "index" else NO_SUCH_PROJECTION)
    if table.stopped or table.patched:
        return StatementOutcome(state, unspecified=STOPPED)
    if what == "projection" and action != "add":
        parts = tuple(replace(part, projected=action == "materialize") for part in table.parts)
        table = replace(table, parts=parts)
    changed = {"add": table.extras | {what}, "drop": table.extras - {what}}
    table = replace(table, extras=frozenset(changed.get(action, table.extras)))
    return with_table(state, statement.table, table)
