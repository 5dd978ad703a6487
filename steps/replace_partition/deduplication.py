"""Deduplication: the engines that make one row out of several with the same key, and which row that is.

The expected row is computed here, from what was inserted, and never asked of the server.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from itertools import chain
from random import Random

from helpers.cluster.client.session import Row
from helpers.cluster.node import Node
from helpers.scenario.context import this
from steps.tables import Table, create_table, insert

COLUMNS = "p UInt64, i UInt64, v UInt64, s Int8, ver UInt64"
EPOCH = datetime(2024, 1, 1, tzinfo=UTC)
Fold = Callable[[Sequence[Row]], Row]
MakeRow = Callable[[int, int, int, int], Row]


def _row(key: int, value: int, sign: int, version: int) -> Row:
    return (1, key, value, sign, version)


def _point(key: int, value: int, sign: int, version: int) -> Row:
    """A point of a time series, which is what Graphite keeps."""
    return (1, f"path{key % 2}", EPOCH + timedelta(seconds=key), float(value), version)


def _partial(key: int, value: int, sign: int, version: int) -> Row:
    """A row that does not tell everything."""
    return (1, key, value if value % 2 else None, sign, version)


def last(rows: Sequence[Row]) -> Row:
    return rows[-1]


def newest(rows: Sequence[Row]) -> Row:
    return max(rows, key=lambda row: int(row[-1]))


def summed(rows: Sequence[Row]) -> Row:
    return (*rows[0][:2], *(sum(values) for values in list(zip(*rows, strict=True))[2:]))


def aggregated(rows: Sequence[Row]) -> Row:
    _, _, _, sign, version = newest(rows)
    return (*rows[0][:2], sum(row[2] for row in rows), sign, version)


def last_known(rows: Sequence[Row]) -> Row:
    """Of every column the last value that is one."""
    known = [[value for value in values if value is not None] for values in zip(*rows, strict=True)]
    return tuple(values[-1] if values else None for values in known)


@dataclass(frozen=True)
class Family:
    """An engine and what it makes of the rows of one key, given in the order of their insertion."""

    name: str
    engine: str
    fold: Fold
    columns: str = COLUMNS
    order_by: str = "i"
    key_columns: int = 2
    row: MakeRow = _row
    # The third column is +1 for a row that holds and -1 for one that is taken back (collapsing), or
    # 1 for a row that says its key is deleted.
    takes_back: bool = False
    deletes: bool = False

    def table(self, name: str, node: Node, engine: str | None = None) -> Table:
        """An empty table with these columns, of this engine or of another."""
        return create_table(
            name,
            node=node,
            columns=self.columns,
            engine=engine or self.engine,
            order_by=self.order_by,
        )

    def expected(self, history: Iterable[Sequence[Row]]) -> list[Row]:
        """One row for each key, sorted."""
        keys: dict[Row, list[Row]] = {}
        for row in chain.from_iterable(history):
            keys.setdefault(row[: self.key_columns], []).append(row)
        return sorted((self.fold(rows) for rows in keys.values()), key=repr)

    def history(self, keys: Sequence[int], *, parts: int, since: int) -> list[list[Row]]:
        """The parts that `drawn_history` draws from the scenario's seed."""
        return self.drawn_history(this().random, keys, parts=parts, since=since)

    def drawn_history(
        self, random: Random, keys: Sequence[int], *, parts: int, since: int
    ) -> list[list[Row]]:
        """Rows for each of several parts: every key in every part, each time with another value and
        a version above `since`; the newest version is not always the last."""
        drawn: list[list[Row]] = [[] for _ in range(parts)]
        for key in keys:
            versions = random.sample(range(since + 1, since + 100), parts)
            values = random.sample(range(1, 1000), parts)
            for number, (value, version) in enumerate(zip(values, versions, strict=True)):
                if self.takes_back and number:
                    drawn[number].append(
                        self.row(key, values[number - 1], -1, versions[number - 1])
                    )
                # A key with one row is not deleted: there would be nothing to see.
                gone = self.deletes and parts > 1 and version == min(versions)
                drawn[number].append(
                    self.row(key, value, 0 if self.deletes and not gone else 1, version)
                )
        return drawn


AGGREGATED = (
    "p UInt64, i UInt64, v SimpleAggregateFunction(sum, UInt64), "
    "s SimpleAggregateFunction(max, Int8), ver SimpleAggregateFunction(max, UInt64)"
)
SUMMED = "p UInt64, i UInt64, v UInt64, s Int64, ver UInt64"
FLAGGED = "p UInt64, i UInt64, v UInt64, s UInt8, ver UInt64"
OPTIONAL = "p UInt64, i UInt64, v Nullable(UInt64), s Nullable(Int8), ver Nullable(UInt64)"
POINTS = "p UInt64, Path String, Time DateTime('UTC'), Value Float64, Timestamp UInt64"

FAMILIES = (  # 9 variants
    Family("Replacing", "ReplacingMergeTree", last),
    Family("Replacing by version", "ReplacingMergeTree(ver)", newest),
    Family("Replacing with deletions", "ReplacingMergeTree(ver, s)", newest, FLAGGED, deletes=True),
    Family("Summing", "SummingMergeTree", summed, SUMMED),
    Family("Aggregating", "AggregatingMergeTree", aggregated, AGGREGATED),
    Family("Coalescing", "CoalescingMergeTree", last_known, OPTIONAL, row=_partial),
    Family("Collapsing", "CollapsingMergeTree(s)", last, takes_back=True),
    # This engine sorts by the version too, said or not; only where it is said has a MergeTree its order.
    Family(
        *("Versioned collapsing", "VersionedCollapsingMergeTree(s, ver)", last),
        order_by="(i, ver)",
        takes_back=True,
    ),
    Family(
        *("Graphite", "GraphiteMergeTree('graphite_rollup')", newest, POINTS),
        order_by="(Path, Time)",
        key_columns=3,
        row=_point,
    ),
)


def insert_parts(table: Table, history: Iterable[Sequence[Row]]) -> None:
    """One part for each list of rows."""
    for rows in history:
        insert(table, rows)


def final_rows(table: Table) -> list[Row]:
    """The rows of the partition when those with the same key are taken together."""
    return sorted(table.node.query(f"SELECT * FROM {table} FINAL WHERE p = 1"), key=repr)


def merged_rows(table: Table) -> list[Row]:
    """The rows of the partition as they are, after a merge of all its parts."""
    table.node.query(f"OPTIMIZE TABLE {table} FINAL")
    return sorted(table.node.query(f"SELECT * FROM {table} WHERE p = 1"), key=repr)


def insert_is_duplicate(table: Table, rows: Sequence[Row]) -> bool:
    """Insert a block; whether the server has counted it as one that came before."""
    count = "SELECT sum(value) FROM system.events WHERE event = 'DuplicatedInsertedBlocks'"
    before = table.node.value(count)
    insert(table, rows)
    return bool(table.node.value(count) > before)


def insert_again(table: Table, rows: Sequence[Row]) -> None:
    """Insert a block that the table must recognise."""
    assert insert_is_duplicate(table, rows), f"{table} did not recognise a block that came again"
