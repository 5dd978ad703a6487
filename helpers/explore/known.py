"""Known deviations as data: an id of docs/deviations.md and what a difference it explains looks like.

A difference that one of these explains is counted and not reported again.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass

from helpers.explore.histories import BETWEEN, CANCELLED_AND_DONE, READ_BETWEEN, Difference
from helpers.explore.statements import Statement

Predicate = Callable[[Difference], bool]


@dataclass(frozen=True)
class Known:
    """A deviation, and whether it explains a difference."""

    id: str
    explains: Predicate


def explanation(difference: Difference, known: tuple[Known, ...]) -> str | None:
    """The id of the deviation that explains a difference."""
    if difference.kind == READ_BETWEEN:
        return None  # the rows at the end are explained, and these deviations are about them
    return next((one.id for one in known if one.explains(difference)), None)


def _swallowed_after_replace(difference: Difference) -> bool:
    """A table with a window drops a block that REPLACE PARTITION had removed."""
    last = difference.statement
    if not last.kind.startswith("insert") or difference.kind != "rows are missing":
        return False
    replaced, inserted = False, False
    for statement in difference.history.statements:
        inserted = inserted or _same_block(statement, last)
        replaced = replaced or (inserted and _replaces(statement, last.partition))
    return replaced


def _same_block(statement: Statement, last: Statement) -> bool:
    # Tables may have been renamed or exchanged in between: the block counts.
    same = statement.partition == last.partition
    return same and statement.kind == last.kind and statement.rows == last.rows


def _replaces(statement: Statement, partition: int) -> bool:
    return statement.kind == "replace" and statement.partition == partition


def _cancelled_and_done(kind: str) -> Predicate:
    """A statement was killed and its client told so, and an order explains the rows if it was executed."""
    return lambda difference: (
        difference.kind == CANCELLED_AND_DONE and difference.statement.kind == kind
    )


def _meet(kind: str) -> Predicate:
    """A statement on a partition meets REPLACE PARTITION, which does not make it wait."""
    wanted = Counter((kind, "replace"))
    return lambda difference: wanted <= Counter(difference.meeting)


def _half_done(kind: str) -> Predicate:
    """The server was killed during the statement: the rows are neither the old nor the new ones."""
    return lambda difference: (
        difference.history.interruption is not None
        and difference.statement.kind == kind
        and difference.kind == BETWEEN
    )


KNOWN = (
    Known("deduplication.replaced-block-is-inserted-again", _swallowed_after_replace),
    Known("crash.killed-between-renames", _half_done("replace")),
    Known("crash.attach-killed-between-renames", _half_done("attach-from")),
    Known("kill-query.cancelled-means-unchanged", _cancelled_and_done("replace")),
    Known("kill-query-others.cancelled-attach", _cancelled_and_done("attach-from")),
    Known("kill-query-others.cancelled-move", _cancelled_and_done("move")),
    Known("kill-query-others.cancelled-drop", _cancelled_and_done("drop")),
    Known("concurrent-replaces.each-client-with-its-own-source", _meet("replace")),
    Known("concurrent-partition-operations.attach-partition-from", _meet("attach-from")),
    Known("concurrent-partition-operations.move-partition-to-table", _meet("move")),
    Known("concurrent-partition-operations.drop-partition", _meet("drop")),
)
