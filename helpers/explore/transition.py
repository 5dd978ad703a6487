"""What the transitions of the model have in common: codes of refusals, and the rows of a part."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from helpers.explore.model import Outcome, State, Table
from helpers.explore.statements import Row, Statement

NO_PARTS_IN_SOURCE = 36
NOT_FOUND_COLUMN = 10
DUPLICATE_COLUMN = 15
TABLE_ALREADY_EXISTS = 57
UNKNOWN_TABLE = 60
INCOMPATIBLE_COLUMNS = 122
NO_SUCH_DATA_PART = 232
CANNOT_UPDATE_COLUMN = 420
UNKNOWN_POLICY = 478
UNKNOWN_DISK = 479
UNKNOWN_VOLUME = 548
HOLLOW = "the partition may have parts without rows"
Transition = Callable[[State, Statement], Outcome]


def with_table(state: State, name: str, table: Table) -> Outcome:
    return Outcome(state.changed(**{name: table}))


def collapsed(table: Table, rows: Iterable[Row]) -> tuple[Row, ...]:
    """The rows that a part of this table holds: ReplacingMergeTree keeps the highest value of a key."""
    if table.kind != "replacing":
        return tuple(sorted(rows))
    newest: dict[int, int] = {}
    for k, v in rows:
        newest[k] = max(v, newest.get(k, v))
    return tuple(sorted(newest.items()))
