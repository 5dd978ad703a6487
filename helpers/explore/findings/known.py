"""Known deviations as data: an id of docs/deviations.md and the cause, or what a difference looks like.

A difference that these explain is counted and not reported again.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from helpers.explore.model.histories import HistoryDifference
from helpers.explore.model.statements import HistoryStatement
from helpers.explore.model.weaknesses import EARLY, HOLLOW, RANGE, cancelled, half_done

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


KNOWN = (
    Known("deduplication.replaced-block-is-inserted-again", explains=_deduplicated_after_replace),
    Known("crash.killed-between-renames", half_done("replace")),
    Known("crash.attach-killed-between-renames", half_done("attach-from")),
    Known("crash-drops.killed-during-drop", half_done("drop")),
    Known("crash-drops.killed-during-truncate", half_done("truncate")),
    Known("kill-query.cancelled-means-unchanged", cancelled("replace")),
    Known("kill-query-others.cancelled-attach", cancelled("attach-from")),
    Known("kill-query-others.cancelled-move", cancelled("move")),
    Known("kill-query-others.cancelled-drop", cancelled("drop")),
    Known("insert-cancelled.cancelled-means-not-inserted", cancelled("insert")),
    Known("concurrent-replaces.each-client-with-its-own-source", RANGE),
    Known("concurrent-order.replace-partition", EARLY["replace"]),
    Known("concurrent-order.attach-partition-from", EARLY["attach-from"]),
    Known("concurrent-order.move-partition-to-table", EARLY["move"]),
    Known("non-existent-partition.partition-that-was-moved-away", HOLLOW),
)
