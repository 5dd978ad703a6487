"""What each statement does to the model, or with which code it is refused."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import replace

from helpers.explore.model import Outcome, Part, State, Table
from helpers.explore.statements import SPARE, Row, Statement, value_of

NO_PARTS_IN_SOURCE = 36
NOT_FOUND_COLUMN = 10
DUPLICATE_COLUMN = 15
TABLE_ALREADY_EXISTS = 57
UNKNOWN_TABLE = 60
INCOMPATIBLE_COLUMNS = 122
NO_SUCH_DATA_PART = 232
CANNOT_UPDATE_COLUMN = 420

HOLLOW = "the partition may have parts without rows"
Transition = Callable[[State, Statement], Outcome]


def apply(state: State, statement: Statement) -> Outcome:
    """The outcome of a statement in a state."""
    kind = statement.kind
    if kind in ("move", "exchange") and statement.table == statement.other:
        return Outcome(state, unspecified="a table is moved to or exchanged with itself")
    renamed = kind.startswith("rename")  # which looks at its target first
    if not renamed and any(name not in state.tables for name in statement.tables):
        return Outcome(state, UNKNOWN_TABLE)
    return TRANSITIONS[kind](state, statement)


def _insert(state: State, statement: Statement) -> Outcome:
    table = state.tables[statement.table]
    rows = tuple(sorted(statement.rows))
    block = (statement.partition, rows)
    if table.kind == "window" and statement.partition in table.hollow:
        return Outcome(state, unspecified=HOLLOW)
    if table.knows(block):
        return Outcome(state)
    part = Part(statement.partition, _collapsed(table, rows), frozenset({block}))
    return _with(state, statement.table, replace(table, parts=(*table.parts, part)))


def _insert_parts(state: State, statement: Statement) -> Outcome:
    if state.tables[statement.table].kind == "window":
        return Outcome(state, unspecified="what a window recognises of INSERT SELECT")
    for key in range(1, statement.number + 1):
        one = replace(statement, kind="insert", rows=((key, value_of(statement.table)),))
        state = _insert(state, one).state
    return Outcome(state)


def _replace(state: State, statement: Statement) -> Outcome:
    source, destination = state.tables[statement.other], state.tables[statement.table]
    if refusal := _incompatible(source, destination):
        return Outcome(state, refusal)
    if statement.partition in source.hollow | destination.hollow:
        return Outcome(state, unspecified=HOLLOW)
    parts = source.of(statement.partition)
    if not parts:
        return Outcome(state, NO_PARTS_IN_SOURCE)
    if statement.table == statement.other and destination.kind == "window":
        return Outcome(state, unspecified="whether rows that replace themselves were inserted")
    kept = destination.with_parts(destination.without(statement.partition))
    return _with(state, statement.table, kept.with_parts((*kept.parts, *_clones(parts))))


def _attach_from(state: State, statement: Statement) -> Outcome:
    source, destination = state.tables[statement.other], state.tables[statement.table]
    if refusal := _incompatible(source, destination):
        return Outcome(state, refusal)
    if statement.partition in source.hollow:
        return Outcome(state, unspecified=HOLLOW)
    clones = _clones(source.of(statement.partition))
    return _with(state, statement.table, destination.with_parts((*destination.parts, *clones)))


def _move(state: State, statement: Statement) -> Outcome:
    source, destination = state.tables[statement.table], state.tables[statement.other]
    if refusal := _incompatible(source, destination):
        return Outcome(state, refusal)
    if statement.partition in source.hollow:
        return Outcome(state, unspecified=HOLLOW)
    moved = _clones(source.of(statement.partition))
    # Where parts were the server leaves one without rows, and removes it later.
    hollow = source.hollow | ({statement.partition} if moved else frozenset())
    state = state.changed(
        **{
            statement.table: source.with_parts(source.without(statement.partition), hollow),
            statement.other: destination.with_parts((*destination.parts, *moved)),
        }
    )
    return Outcome(state)


def _exchange(state: State, statement: Statement) -> Outcome:
    one, other = state.tables[statement.table], state.tables[statement.other]
    return Outcome(state.changed(**{statement.table: other, statement.other: one}))


def _drop(state: State, statement: Statement) -> Outcome:
    table = state.tables[statement.table]
    kept = table.with_parts(
        table.without(statement.partition), table.hollow - {statement.partition}
    )
    return _with(state, statement.table, kept)


def _truncate(state: State, statement: Statement) -> Outcome:
    table = state.tables[statement.table]
    return _with(state, statement.table, table.with_parts((), frozenset()))


def _detach(state: State, statement: Statement) -> Outcome:
    table = state.tables[statement.table]
    if statement.partition in table.hollow:
        return Outcome(state, unspecified=HOLLOW)
    gone = table.of(statement.partition)
    table = table.with_parts(table.without(statement.partition))
    return _with(state, statement.table, replace(table, detached=(*table.detached, *gone)))


def _attach(state: State, statement: Statement) -> Outcome:
    table = state.tables[statement.table]
    found = [part for part in table.detached if part.partition == statement.partition]
    left = tuple(part for part in table.detached if part.partition != statement.partition)
    table = table.with_parts((*table.parts, *_clones(found)))
    return _with(state, statement.table, replace(table, detached=left))


def _drop_detached(state: State, statement: Statement) -> Outcome:
    table = state.tables[statement.table]
    left = tuple(part for part in table.detached if part.partition != statement.partition)
    return _with(state, statement.table, replace(table, detached=left))


def part_meant(table: Table, statement: Statement) -> Part | None:
    """The part that a statement about one part means: the n-th of its partition, by rows."""
    parts = sorted(table.of(statement.partition), key=lambda part: part.rows)
    return parts[statement.number % len(parts)] if parts else None


def _one_part(state: State, statement: Statement) -> Outcome:
    table = state.tables[statement.table]
    part = part_meant(table, statement)
    if part is None:
        return Outcome(state, unspecified="there is no part")
    if statement.partition in table.hollow:
        return Outcome(state, unspecified=HOLLOW)
    if [other.rows for other in table.of(statement.partition)].count(part.rows) > 1:
        return Outcome(state, unspecified="several parts have the same rows")
    table = table.with_parts(other for other in table.parts if other is not part)
    if statement.kind == "detach-part":
        table = replace(table, detached=(*table.detached, part))
    return _with(state, statement.table, table)


def _update(state: State, statement: Statement) -> Outcome:
    table = state.tables[statement.table]
    if table.kind == "replacing":
        return Outcome(state, CANNOT_UPDATE_COLUMN)
    parts = (
        replace(
            part,
            rows=tuple(sorted((k, v + 10 if k == statement.number else v) for k, v in part.rows)),
        )
        for part in table.parts
    )
    return _with(state, statement.table, table.with_parts(parts))


def _delete(state: State, statement: Statement) -> Outcome:
    table = state.tables[statement.table]
    parts = (
        replace(part, rows=tuple(row for row in part.rows if row[0] != statement.number))
        for part in table.parts
    )
    return _with(state, statement.table, table.with_parts(parts))


def _optimize(state: State, statement: Statement) -> Outcome:
    table = state.tables[statement.table]
    every = {part.partition for part in table.parts}
    chosen = every if statement.kind == "optimize-table" else every & {statement.partition}
    if chosen & table.hollow:
        return Outcome(state, unspecified=HOLLOW)
    parts = list(table.parts)
    for partition in sorted(chosen):
        merged = [part for part in parts if part.partition == partition]
        rows = sorted(row for part in merged for row in part.rows)
        blocks = frozenset(block for part in merged for block in part.blocks)
        parts = [part for part in parts if part.partition != partition]
        parts.append(Part(partition, _collapsed(table, rows), blocks))
    return _with(state, statement.table, replace(table, parts=tuple(parts)))


def _freeze(state: State, statement: Statement) -> Outcome:
    table = state.tables[statement.table]
    if statement.partition in table.hollow:
        return Outcome(state, unspecified=HOLLOW)
    if any(name == statement.backup for name, _, _ in table.frozen):
        return Outcome(state, unspecified="the backup exists")
    count = len(table.of(statement.partition))
    backup = (statement.backup, statement.partition, count)
    table = replace(table, frozen=table.frozen | ({backup} if count else set()))
    return Outcome(state.changed(**{statement.table: table}), answer=count)


def _unfreeze(state: State, statement: Statement) -> Outcome:
    table = state.tables[statement.table]
    wanted = (statement.backup, statement.partition)
    found = {backup for backup in table.frozen if backup[:2] == wanted}
    table = replace(table, frozen=table.frozen - found)
    count = sum(backup[2] for backup in found)
    return Outcome(state.changed(**{statement.table: table}), answer=count)


def _add_column(state: State, statement: Statement) -> Outcome:
    return _columns(state, statement, True, DUPLICATE_COLUMN)


def _drop_column(state: State, statement: Statement) -> Outcome:
    return _columns(state, statement, False, NOT_FOUND_COLUMN)


def _columns(state: State, statement: Statement, extra: bool, refusal: int) -> Outcome:
    table = state.tables[statement.table]
    if table.extra_column is extra:
        return Outcome(state, refusal)
    return _with(state, statement.table, replace(table, extra_column=extra))


def _rename(state: State, statement: Statement) -> Outcome:
    old, new = statement.table, SPARE
    if statement.kind == "rename-back":
        old, new = new, old
    if new in state.tables:
        return Outcome(state, TABLE_ALREADY_EXISTS)
    if old not in state.tables:
        return Outcome(state, UNKNOWN_TABLE)
    return Outcome(state.changed(**{old: None, new: state.tables[old]}))


def _reload(state: State, statement: Statement) -> Outcome:
    table = state.tables[statement.table]
    return _with(state, statement.table, replace(table, hollow=table.hollow | table.removed))


def _with(state: State, name: str, table: Table) -> Outcome:
    return Outcome(state.changed(**{name: table}))


def _incompatible(one: Table, other: Table) -> int | None:
    return INCOMPATIBLE_COLUMNS if one.extra_column != other.extra_column else None


def _clones(parts: Iterable[Part]) -> list[Part]:
    """The same parts as new ones: no inserted block is theirs."""
    return [replace(part, blocks=frozenset()) for part in parts]


def _collapsed(table: Table, rows: Iterable[Row]) -> tuple[Row, ...]:
    """The rows that a part of this table holds: ReplacingMergeTree keeps the highest value of a key."""
    if table.kind != "replacing":
        return tuple(sorted(rows))
    newest: dict[int, int] = {}
    for k, v in rows:
        newest[k] = max(v, newest.get(k, v))
    return tuple(sorted(newest.items()))


TRANSITIONS: dict[str, Transition] = {
    "insert": _insert,
    "insert-parts": _insert_parts,
    "replace": _replace,
    "attach-from": _attach_from,
    "move": _move,
    "exchange": _exchange,
    "drop": _drop,
    "detach": _detach,
    "attach": _attach,
    "update": _update,
    "delete": _delete,
    "lightweight-delete": _delete,
    "optimize": _optimize,
    "optimize-table": _optimize,
    "freeze": _freeze,
    "unfreeze": _unfreeze,
    "add-column": _add_column,
    "drop-column": _drop_column,
    "drop-part": _one_part,
    "detach-part": _one_part,
    "drop-detached": _drop_detached,
    "truncate": _truncate,
    "rename": _rename,
    "rename-back": _rename,
    "reload": _reload,
}
