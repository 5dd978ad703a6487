"""Random histories of ReplacingMergeTree tables: inserts, merges, cleanups and replaced partitions.

What happens is random, from the run's seed. A history is planned before anything is executed:
steps/replacing_merge_tree/history_coverage.py checks that its rows exercise every rule of the engine.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from itertools import count, islice
from typing import Any

from helpers.cluster.client.session import Row
from helpers.scenario.context import this
from steps.partitions import replace_partition
from steps.replacing_merge_tree.survivor_rules import Model, Rows, Rules
from steps.replacing_merge_tree.tables import (
    AS_THEY_COME,
    CLEANUP,
    CLEANUP_ALLOWED,
    VERTICAL,
    insert_each,
    optimize,
    replacing_table,
)
from steps.tables import Table, create_table

COLUMNS = (
    "p UInt8, key UInt32, version UInt32, deleted UInt8, seq UInt32, value String, "
    "note Nullable(Int64)"
)
PARTITIONS, KEYS = 3, 30
ROWS = (10, 50)


@dataclass(frozen=True)
class TableKind:
    """A kind of table: the engine's parameters, its keys, its settings."""

    name: str
    parameters: str = ""
    partition_by: str = ""
    order_by: str = "key"
    settings: Mapping[str, Any] = field(default_factory=dict)
    background_merges: bool = False

    @property
    def vertical(self) -> bool:
        """Whether its merges are to be vertical."""
        return VERTICAL.items() <= self.settings.items()

    @property
    def cleanable(self) -> bool:
        return CLEANUP_ALLOWED.items() <= self.settings.items()

    @property
    def rules(self) -> Rules:
        return Rules(
            key=lambda row: row[:2] if "p" in self.order_by else row[1],
            partition=lambda row: row[0] if self.partition_by else None,
            version=lambda row: row[2] if self.parameters else 0,
            deleted=lambda row: "deleted" in self.parameters and row[3] == 1,
        )

    def table(self) -> Table:
        return replacing_table(
            self.parameters,
            columns=COLUMNS,
            partition_by=self.partition_by,
            order_by=self.order_by,
            settings=self.settings,
            background_merges=self.background_merges,
        )


BY_PARTITION: Mapping[str, Any] = {"partition_by": "p", "order_by": "(p, key)"}
DELETIONS = "version, deleted"
KINDS = (  # 8 variants
    TableKind("last insert"),
    TableKind("last insert, by partition", settings=VERTICAL, **BY_PARTITION),
    TableKind("version", "version", settings=VERTICAL),
    TableKind("version, by partition", "version", **BY_PARTITION),
    TableKind("deletions", DELETIONS, settings=CLEANUP_ALLOWED),
    TableKind(
        *("deletions, by partition", DELETIONS),
        settings={**VERTICAL, **CLEANUP_ALLOWED},
        **BY_PARTITION,
    ),
    TableKind("deletions, merged at will", DELETIONS, background_merges=True, **BY_PARTITION),
    # The same key in several partitions: what FINAL returns of it is not specified.
    TableKind("keys in several partitions", DELETIONS, "p", "key"),
)


@dataclass(frozen=True)
class Insert:
    rows: Rows
    optimize: bool

    def execute(self, table: Table, model: Model) -> None:
        insert_each(table, self.rows, settings=None if self.optimize else AS_THEY_COME)
        model.insert(self.rows, optimize=self.optimize)


@dataclass(frozen=True)
class Merge:
    """Of all partitions, or of one."""

    partition: int | None

    def execute(self, table: Table, model: Model) -> None:
        optimize(table, "FINAL" if self.partition is None else f"PARTITION {self.partition} FINAL")
        model.merge(self.partition)


@dataclass(frozen=True)
class CleanUp:
    def execute(self, table: Table, model: Model) -> None:
        optimize(table, CLEANUP)
        model.clean_up()


@dataclass(frozen=True)
class Replace:
    """A partition is replaced from a MergeTree table that was filled by these inserts."""

    partition: int
    inserts: tuple[Rows, ...]

    def execute(self, table: Table, model: Model) -> None:
        source = create_table("source", columns=COLUMNS, **BY_PARTITION)
        insert_each(source, *self.inserts)
        replace_partition(table, source=source, partition=self.partition)
        model.replace_partition(self.partition, [row for rows in self.inserts for row in rows])


Operation = Insert | Merge | CleanUp | Replace


class Planner:
    """Plans operations for a table; rows are numbered, and versions of a key sometimes return."""

    def __init__(self, kind: TableKind) -> None:
        self.kind = kind
        self._numbers = count(1)
        self._versions: dict[tuple[int, int], list[int]] = {}

    def plan(self, operations: int) -> Iterator[Operation]:
        """Inserts at both ends; between them each other operation that the table allows, and more."""
        rng = this().random
        certain = [self._merge]
        if self.kind.cleanable:
            certain.append(self._clean_up)
        if self.kind.order_by != "key":
            certain.append(self._replace)
        more = max(0, operations - len(certain) - 3)
        others = rng.choices((self._insert, self._merge), (3, 1), k=more)
        between = [*certain, *others]
        rng.shuffle(between)
        for operation in (self._insert, self._insert, *between, self._insert):
            yield operation()

    def _insert(self) -> Operation:
        return Insert(self._rows(), optimize=bool(this().random.randrange(2)))

    def _merge(self) -> Operation:
        whole = not self.kind.partition_by or this().random.randrange(2)
        return Merge(None if whole else this().random.randrange(PARTITIONS))

    def _clean_up(self) -> Operation:
        return CleanUp()

    def _replace(self) -> Operation:
        partition = this().random.randrange(PARTITIONS)
        return Replace(partition, (self._rows(), self._rows(partition)))

    def _rows(self, partition: int | None = None) -> Rows:
        """Few keys, some of them several times in one insert."""
        rng = this().random
        rows: Rows = []
        for number in islice(self._numbers, rng.randint(*ROWS)):
            if rows and rng.random() < 0.3:
                p, key = rng.choice(rows)[:2]
            else:
                p = rng.randrange(PARTITIONS) if partition is None else partition
                key = rng.randrange(KEYS)
            rows.append(self._row(number, p, key))
        return rows

    def _row(self, number: int, p: int, key: int) -> Row:
        """Many deletions, every value another; a version may be one that the key had."""
        rng = this().random
        had = self._versions.setdefault((p, key), [])
        version = rng.choice(had) if had and rng.random() < 0.4 else rng.randrange(1000)
        had.append(version)
        note = None if rng.random() < 0.3 else number * 1000 + rng.randrange(1000)
        return (p, key, version, int(rng.random() < 0.3), number, f"value {number}", note)
