"""Known deviations as data: an id of docs/deviations.md and what a difference it explains looks like.

A difference that one of these explains is counted and not reported again.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from helpers.explore.histories import BETWEEN, READ_BETWEEN, Difference, answer
from helpers.explore.statements import KILL, Statement

CANCELLED = answer(394)
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


def _cancelled_and_done(difference: Difference) -> bool:
    """A statement was killed and its client told so, in a history that nothing else explains."""
    killed = any(sent.outcome == CANCELLED for sent in difference.sent)
    return killed and any(one.kind == KILL for one in difference.history.every_statement)


def _several_replaces(difference: Difference) -> bool:
    """Two clients replace the same partition at once."""
    return len(_clients_with(difference, "replace")) > 1


def _with_replace(kind: str) -> Predicate:
    """Another statement on the partition meets REPLACE PARTITION, which does not make it wait."""
    return lambda difference: bool(
        _clients_with(difference, kind) and _clients_with(difference, "replace")
    )


def _half_replaced(difference: Difference) -> bool:
    """The server was killed during REPLACE PARTITION: the rows are neither the old nor the new ones."""
    killed = difference.history.interruption is not None
    return killed and difference.statement.kind == "replace" and difference.kind == BETWEEN


def _clients_with(difference: Difference, kind: str) -> list[int]:
    clients = enumerate(difference.history.clients)
    return [number for number, client in clients if any(one.kind == kind for one in client)]


KNOWN = (
    Known("deduplication.replaced-block-is-inserted-again", _swallowed_after_replace),
    Known("crash.killed-between-renames", _half_replaced),
    Known("kill-query.cancelled-means-unchanged", _cancelled_and_done),
    Known("concurrent-replaces.each-client-with-its-own-source", _several_replaces),
    Known("concurrent-partition-operations.attach-partition-from", _with_replace("attach-from")),
    Known("concurrent-partition-operations.move-partition-to-table", _with_replace("move")),
    Known("concurrent-partition-operations.drop-partition", _with_replace("drop")),
)
