"""Known deviations as data: an id of docs/deviations.md and the cause, or what a difference looks like.

A difference that these explain is counted and not reported again.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from helpers.explore.execution.player import OTHER_ANSWER, UNREADABLE
from helpers.explore.model.histories import HistoryDifference
from helpers.explore.model.round_trips import kinds_in
from helpers.explore.model.schema import EXPIRED_KEY, IMPLICIT_INDEXES
from helpers.explore.model.statements import HistoryStatement
from helpers.explore.model.transitions import CLONING
from helpers.explore.model.weaknesses import (
    EARLY,
    HOLLOW,
    LOST_UPDATE,
    RANGE,
    cancelled,
    half_done,
)

Predicate = Callable[[HistoryDifference], bool]


@dataclass(frozen=True)
class Known:
    """A deviation: the cause that it is, where causes are looked for; otherwise whether it explains a
    difference."""

    id: str
    cause: str = ""
    explains: Predicate = lambda _: False


def explanations(difference: HistoryDifference, known: tuple[Known, ...]) -> tuple[str, ...]:
    """The ids of the deviations that explain a difference: all of its causes, or none."""
    if difference.causes:
        ids = {deviation.cause: deviation.id for deviation in known}
        explaining = tuple(ids.get(cause, "") for cause in difference.causes)
        return explaining if all(explaining) else ()
    return next(((deviation.id,) for deviation in known if deviation.explains(difference)), ())


def _deduplicated_after_replace(difference: HistoryDifference) -> bool:
    """A table with a window drops a block that REPLACE PARTITION had removed."""
    last = difference.statement
    lost = last.kind.startswith("insert") and difference.kind == "rows are missing"
    if not lost or "window" not in difference.history.kinds.values():
        return False
    replaced, inserted = False, False
    for statement in difference.history.statements:
        inserted = inserted or _same_block(statement, last)
        replaced = replaced or (inserted and _replaces(statement, last.partition))
    return replaced


def _same_block(statement: HistoryStatement, last: HistoryStatement) -> bool:
    # Tables may have been renamed or exchanged in between: the block counts.
    same = statement.partition == last.partition
    return same and statement.kind == last.kind and statement.rows == last.rows


def _replaces(statement: HistoryStatement, partition: int) -> bool:
    return statement.kind == "replace" and statement.partition == partition


def _other_ttl(difference: HistoryDifference) -> bool:
    """Parts keep the bounds of the TTL that they were written with, and merges and mutations believe them."""
    kinds = kinds_in(difference.history)
    has_ttl = "modify-ttl" in kinds or any(
        kind.endswith("-ttl") for kind in difference.history.kinds.values()
    )
    met = kinds & {*CLONING, "modify-ttl", "attach", "restore", "exchange"}
    return has_ttl and bool(met) and difference.keys == {EXPIRED_KEY}


def _pending_column(difference: HistoryDifference) -> bool:
    """A part that comes from elsewhere counts as written after the changes of columns that are pending."""
    kinds = kinds_in(difference.history)
    travelled = kinds & {*CLONING, "attach", "restore"}
    changed = kinds & {"rename-column", "drop-column"}
    in_row = difference.kind == "other rows" or difference.kind.startswith(UNREADABLE)
    return "stop-merges" in kinds and bool(travelled and changed) and in_row


def _backup_without_patches(difference: HistoryDifference) -> bool:
    """FREEZE leaves patch parts out."""
    kinds = kinds_in(difference.history)
    return {"freeze", "restore"} <= kinds and bool(
        kinds & {"patch", "patch-column", "patch-delete"}
    )


def _implicit_index(difference: HistoryDifference) -> bool:
    """CLEAR COLUMN removes the index that a setting adds to a column."""
    history = difference.history
    cleared = any(statement.kind == "clear-column" for statement in history.statements)
    refused = difference.statement.kind in CLONING and "code 36 instead" in difference.kind
    return refused and cleared and IMPLICIT_INDEXES in history.schema.settings


def _special_floats(difference: HistoryDifference) -> bool:
    """Conditions on -0.0 and NaN."""
    schema = difference.history.schema
    return difference.kind == OTHER_ANSWER and "Float64" in (schema.key, schema.partition)


def _merged_values(difference: HistoryDifference) -> bool:
    """FINAL with a skip index on a value that it adds up."""
    history = difference.history
    has_index = IMPLICIT_INDEXES in history.schema.settings or "add-index" in kinds_in(history)
    sums = {"summing", "aggregating"} & {*history.kinds.values()}
    return difference.kind == OTHER_ANSWER and has_index and bool(sums)


KNOWN = (
    Known("indexes-merged-values.final-finds-merged-values", explains=_merged_values),
    Known("ttl.ttl-of-the-destination-decides", explains=_other_ttl),
    Known("conditions-implicit-indexes.column-that-was-cleared", explains=_implicit_index),
    Known("pending-alters.in-the-source", explains=_pending_column),
    Known("updates-snapshots.snapshots-hold-updates", explains=_backup_without_patches),
    Known("indexes-floats.conditions-find-their-rows", explains=_special_floats),
    Known("updates-in-flight.answered-update-stays", LOST_UPDATE),
    Known("deduplication.replaced-block-is-inserted-again", explains=_deduplicated_after_replace),
    Known("crash.killed-between-renames", half_done("replace")),
    Known("crash.killed-between-renames", half_done("attach-from")),
    Known("crash.killed-between-renames", half_done("attach")),
    Known("crash.killed-between-renames", half_done("move")),
    Known("crash-drops.killed-during-detach", half_done("detach")),
    Known("crash-drops.killed-during-drop", half_done("drop")),
    Known("crash-drops.killed-during-truncate", half_done("truncate")),
    Known("kill-query.cancelled-means-unchanged", cancelled("replace")),
    Known("kill-query.cancelled-means-unchanged", cancelled("attach-from")),
    Known("kill-query.cancelled-means-unchanged", cancelled("move")),
    Known("kill-query.cancelled-means-unchanged", cancelled("drop")),
    Known("insert-cancelled.cancelled-means-not-inserted", cancelled("insert")),
    Known("concurrent-replaces.each-client-with-its-own-source", RANGE),
    Known("concurrent-order.replace-partition", EARLY["replace"]),
    Known("concurrent-order.attach-partition-from", EARLY["attach-from"]),
    Known("concurrent-order.move-partition-to-table", EARLY["move"]),
    Known("non-existent-partition.partition-that-was-moved-away", HOLLOW),
)
