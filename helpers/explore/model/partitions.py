"""Statements about partitions and parts, on the model."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from helpers.explore.model.statements import DISKS, HistoryStatement, Row
from helpers.explore.model.tables import (
    BAD_ARGUMENTS,
    HOLLOW,
    INCOMPATIBLE_COLUMNS,
    NO_PARTS_IN_SOURCE,
    NO_SUCH_DATA_PART,
    SUPPORT_IS_DISABLED,
    UNKNOWN_DISK,
    UNKNOWN_POLICY,
    UNKNOWN_VOLUME,
    Backup,
    ModelState,
    ModelTable,
    Part,
    StatementOutcome,
    Unspecified,
    with_columns,
    with_table,
)


def replace_partition(state: ModelState, statement: HistoryStatement) -> StatementOutcome:
    source, destination = state.tables[statement.other], state.tables[statement.table]
    if refusal := _incompatible(source, destination, statement.partition):
        return StatementOutcome(state, refusal)
    if _other_policy(source, destination):
        # Or: a part's disk is not one of the destination's.
        return StatementOutcome(state, NO_PARTS_IN_SOURCE)
    if statement.partition in source.hollow | destination.hollow:
        return StatementOutcome(state, unspecified=HOLLOW)
    if statement.partition in source.patched:
        return StatementOutcome(state, SUPPORT_IS_DISABLED)
    parts = source.of(statement.partition)
    if not parts:
        return StatementOutcome(state, NO_PARTS_IN_SOURCE)
    if statement.table == statement.other and destination.kind == "window":
        return StatementOutcome(
            state, unspecified="whether rows that replace themselves were inserted"
        )
    clones = _clones(parts, source, destination)
    kept = destination.with_parts(destination.without(statement.partition))
    kept = replace(kept, patched=kept.patched - {statement.partition})
    return with_table(state, statement.table, kept.with_parts((*kept.parts, *clones)))


def _without_clones(
    state: ModelState, source: ModelTable, partition: int
) -> StatementOutcome | None:
    """How a statement ends that would have to clone a partition's hollow or patched parts."""
    if partition in source.hollow:
        return StatementOutcome(state, unspecified=HOLLOW)
    if partition in source.patched:
        return StatementOutcome(state, SUPPORT_IS_DISABLED)
    return None


def attach_from(state: ModelState, statement: HistoryStatement) -> StatementOutcome:
    source, destination = state.tables[statement.other], state.tables[statement.table]
    if refusal := _incompatible(source, destination, statement.partition):
        return StatementOutcome(state, refusal)
    if (ended := _without_clones(state, source, statement.partition)) is not None:
        return ended
    added = _clones(source.of(statement.partition), source, destination)
    if _other_policy(source, destination):
        added = [replace(part, disk=destination.first_disk) for part in added]
    return with_table(state, statement.table, destination.with_parts((*destination.parts, *added)))


def move_to_table(state: ModelState, statement: HistoryStatement) -> StatementOutcome:
    source, destination = state.tables[statement.table], state.tables[statement.other]
    refusal = _incompatible(source, destination, statement.partition)
    if _other_policy(source, destination):
        return StatementOutcome(state, UNKNOWN_POLICY)
    if refusal is not None:
        return StatementOutcome(state, refusal)
    if (ended := _without_clones(state, source, statement.partition)) is not None:
        return ended
    moved = _clones(source.of(statement.partition), source, destination)
    # Where parts were the server leaves one without rows, and removes it later.
    hollow = source.hollow | ({statement.partition} if moved else frozenset())
    state = state.changed(
        **{
            statement.table: source.with_parts(source.without(statement.partition), hollow),
            statement.other: destination.with_parts((*destination.parts, *moved)),
        }
    )
    return StatementOutcome(state)


def move_to_tier(state: ModelState, statement: HistoryStatement) -> StatementOutcome:
    """MOVE PARTITION TO DISK or VOLUME."""
    table = state.tables[statement.table]
    if table.kind != "tiered":
        to_disk = statement.kind == "move-to-disk"
        return StatementOutcome(state, UNKNOWN_DISK if to_disk else UNKNOWN_VOLUME)
    if statement.partition in table.hollow:
        return StatementOutcome(state, unspecified=HOLLOW)
    if statement.kind == "move-to-volume" and not table.of(statement.partition):
        return StatementOutcome(state, NO_SUCH_DATA_PART)
    disk = DISKS[statement.tier]
    if all(part.disk == disk for part in table.of(statement.partition)):
        return StatementOutcome(state, UNKNOWN_DISK)
    parts = tuple(
        replace(part, disk=disk) if part.partition == statement.partition else part
        for part in table.parts
    )
    return with_table(state, statement.table, replace(table, parts=parts))


def drop(state: ModelState, statement: HistoryStatement) -> StatementOutcome:
    table = state.tables[statement.table]
    kept = table.with_parts(
        table.without(statement.partition), table.hollow - {statement.partition}
    )
    kept = replace(kept, patched=kept.patched - {statement.partition})
    return with_table(state, statement.table, kept)


def detach(state: ModelState, statement: HistoryStatement) -> StatementOutcome:
    table = state.tables[statement.table]
    if statement.partition in table.hollow:
        return StatementOutcome(state, unspecified=HOLLOW)
    if statement.partition in table.patched:
        return StatementOutcome(state, SUPPORT_IS_DISABLED)
    gone = _with_columns(table, table.of(statement.partition))
    table = table.with_parts(table.without(statement.partition))
    return with_table(state, statement.table, replace(table, detached=(*table.detached, *gone)))


def attach(state: ModelState, statement: HistoryStatement) -> StatementOutcome:
    table = state.tables[statement.table]
    detached = [part for part in table.detached if part.partition == statement.partition]
    left = tuple(part for part in table.detached if part.partition != statement.partition)
    table = table.with_parts((*table.parts, *_attached(detached, table)))
    return with_table(state, statement.table, replace(table, detached=left))


def drop_detached(state: ModelState, statement: HistoryStatement) -> StatementOutcome:
    table = state.tables[statement.table]
    left = tuple(part for part in table.detached if part.partition != statement.partition)
    return with_table(state, statement.table, replace(table, detached=left))


def part_meant(table: ModelTable, statement: HistoryStatement) -> Part | None:
    """The part that a statement about one part means: the n-th of its partition, by rows."""
    parts = sorted(table.of(statement.partition), key=lambda part: part.rows)
    return parts[statement.number % len(parts)] if parts else None


def one_part(state: ModelState, statement: HistoryStatement) -> StatementOutcome:
    table = state.tables[statement.table]
    part = part_meant(table, statement)
    if part is None:
        return StatementOutcome(state, unspecified="there is no part")
    if statement.partition in table.hollow:
        return StatementOutcome(state, unspecified=HOLLOW)
    if statement.partition in table.patched:
        return StatementOutcome(state, unspecified="patches of one of several parts")
    if [other.rows for other in table.of(statement.partition)].count(part.rows) > 1:
        return StatementOutcome(state, unspecified="several parts have the same rows")
    table = table.with_parts(other for other in table.parts if other is not part)
    if statement.kind == "detach-part":
        table = replace(table, detached=(*table.detached, *_with_columns(table, [part])))
    return with_table(state, statement.table, table)


def freeze(state: ModelState, statement: HistoryStatement) -> StatementOutcome:
    table = state.tables[statement.table]
    if statement.partition in table.hollow:
        return StatementOutcome(state, unspecified=HOLLOW)
    if any(name == statement.backup for name, _, _ in table.frozen):
        return StatementOutcome(state, unspecified="the backup exists")
    parts = _with_columns(table, table.of(statement.partition))
    backup = (statement.backup, statement.partition, parts)
    table = replace(table, frozen=table.frozen | ({backup} if parts else set()))
    return StatementOutcome(state.changed(**{statement.table: table}), answer=len(parts))


def _backups(table: ModelTable, statement: HistoryStatement) -> list[Backup]:
    wanted = (statement.backup, statement.partition)
    return [backup for backup in table.frozen if backup[:2] == wanted]


def unfreeze(state: ModelState, statement: HistoryStatement) -> StatementOutcome:
    table = state.tables[statement.table]
    backups = _backups(table, statement)
    table = replace(table, frozen=table.frozen - {*backups})
    count = sum(len(parts) for _, _, parts in backups)
    return StatementOutcome(state.changed(**{statement.table: table}), answer=count)


def backup_meant(table: ModelTable, statement: HistoryStatement) -> Backup | None:
    """The backup that is restored: any one of the table."""
    backups = sorted(table.frozen, key=lambda backup: backup[:2])
    return backups[statement.number % len(backups)] if backups else None


def restore(state: ModelState, statement: HistoryStatement) -> StatementOutcome:
    """The parts of a backup are copied to detached/, and attached one by one."""
    table = state.tables[statement.table]
    backup = backup_meant(table, statement)
    if backup is None or table.kind in ("tiered", "s3"):
        return StatementOutcome(state, unspecified="there is no backup in a folder")
    table = table.with_parts((*table.parts, *_attached(backup[2], table)))
    return with_table(state, statement.table, table)


def _incompatible(source: ModelTable, destination: ModelTable, partition: int) -> int | None:
    others = source.further != destination.further or not source.extras <= destination.extras
    if partition in source.patched and (others or _other_policy(source, destination)):
        raise Unspecified("which of several refusals comes first")
    if source.further != destination.further:
        return INCOMPATIBLE_COLUMNS
    return None if source.extras <= destination.extras else BAD_ARGUMENTS


def _other_policy(source: ModelTable, destination: ModelTable) -> bool:
    """Whether their parts are on different disks."""
    return (source.kind == "tiered") != (destination.kind == "tiered")


def _clones(parts: Iterable[Part], source: ModelTable, destination: ModelTable) -> list[Part]:
    """The same parts as new ones: no inserted block is theirs. Columns are those of the same names."""
    assert source.further == destination.further
    return [replace(part, blocks=frozenset()) for part in parts]


def _with_columns(table: ModelTable, parts: Iterable[Part]) -> tuple[Part, ...]:
    """Parts that leave the table, with the columns that they have."""
    return tuple(replace(part, columns=table.columns) for part in parts)


def _attached(parts: Iterable[Part], table: ModelTable) -> list[Part]:
    """Parts that come back: columns that they lack have their default."""
    return [
        replace(part, blocks=frozenset(), columns=(), rows=_as_in(part, table)) for part in parts
    ]


def _as_in(part: Part, table: ModelTable) -> tuple[Row, ...]:
    had = {*part.columns}
    for column in table.columns:
        same = {other for other in had if other[0] == column[0] or other[1] == column[1]}
        if same - {column}:
            raise Unspecified("whether a part has a column that was renamed, or added again")
    return tuple(sorted(with_columns(row, part.columns, table.columns) for row in part.rows))
