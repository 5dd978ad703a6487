"""What tables, partitions and parts are, as a history has left them. Pure: nothing here talks to a server.

A partition is the parts it has, a part the rows it has. Parts have no names: names are the server's.
`blocks` of a part are the inserted blocks that it came from; as long as a part is active its table knows
them, which is what its deduplication window recognises.
"""

from __future__ import annotations

import zlib
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace

from helpers.explore.model.schema import COLUMN, DEFAULT_VALUE, EXPIRED_KEY, SIMPLE, Schema
from helpers.explore.model.statements import DISKS, Row

Block = tuple[int, tuple[Row, ...]]
Column = tuple[str, int]
"""A further column: its name, and a number that tells it from one that was dropped."""
# Codes of refusals.
UNKNOWN_IDENTIFIER = 47
NOT_IMPLEMENTED = 48
NO_SUCH_COLUMN = 16
INCORRECT_QUERY = 80
SUPPORT_IS_DISABLED = 344
NO_SUCH_PROJECTION = 582
BAD_ARGUMENTS = 36
ILLEGAL_INDEX, ILLEGAL_PROJECTION = 44, 583
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


class Unspecified(Exception):
    """Nobody can tell what a statement does; the reason is the message."""


@dataclass(frozen=True)
class Part:
    """A part: its partition, its rows in order, the inserted blocks that it holds, and the disk it is on."""

    partition: int
    rows: tuple[Row, ...]
    blocks: frozenset[Block] = frozenset()
    disk: str = ""
    """Known of tiered tables only."""
    columns: tuple[Column, ...] = ()
    """The further columns that it was written with; known of detached parts and of backups."""
    projected: bool = False
    """Whether it has the projection; parts are merged with those that have the same ones."""


Backup = tuple[str, int, tuple[Part, ...]]
"""Its name, a partition and its parts."""


def _newest(rows: Sequence[Row]) -> Row:
    """ReplacingMergeTree keeps the row with the highest version."""
    version = max(row[1] for row in rows)
    return _one({row for row in rows if row[1] == version})


def _sum(rows: Sequence[Row]) -> Row:
    key, *further = _one({(row[0], *row[2:]) for row in rows})
    return (key, sum(row[1] for row in rows), *further)


def _highest(rows: Sequence[Row]) -> Row:
    key, *further = _one({(row[0], *row[2:]) for row in rows})
    return (key, max(row[1] for row in rows), *further)


def _only(rows: Sequence[Row]) -> Row:
    return _one({*rows})


def _one(rows: set[tuple[int, ...]]) -> tuple[int, ...]:
    if len(rows) > 1:
        raise Unspecified("which of several rows is kept")
    return rows.pop()


RULES: dict[str, Callable[[Sequence[Row]], Row]] = {
    "replacing": _newest,
    "summing": _sum,
    "aggregating": _highest,
}
"""What engines make of rows with equal keys; a table of another kind keeps them all."""


@dataclass(frozen=True)
class ModelTable:
    """A table. `hollow` are the partitions that may have parts without rows, which the server removes when
    it likes, `removed` those that parts were removed from: when the table is loaded again there may be
    one without rows in their place. `frozen` are backups."""

    kind: str
    parts: tuple[Part, ...] = ()
    detached: tuple[Part, ...] = ()
    frozen: frozenset[Backup] = frozenset()
    hollow: frozenset[int] = frozenset()
    removed: frozenset[int] = frozenset()
    schema: Schema = SIMPLE
    columns: tuple[Column, ...] = ()
    """The further columns in the order of their names; rows have their values in this order."""
    added: int = 0
    """How many further columns were added so far."""
    ttl: str = ""
    extras: frozenset[str] = frozenset()
    """Its index and its projection, by name."""
    patched: frozenset[int] = frozenset()
    """Partitions with patch parts that may not have been applied."""
    stopped: bool = False
    """Whether merges and mutations wait."""
    pending: str = ""
    """The statement that has dropped or renamed a column since then."""

    @property
    def further(self) -> tuple[str, ...]:
        """The names of its further columns."""
        return tuple(name for name, _ in self.columns)

    def of(self, partition: int) -> tuple[Part, ...]:
        """The active parts of a partition."""
        return tuple(part for part in self.parts if part.partition == partition)

    def without(self, partition: int) -> tuple[Part, ...]:
        return tuple(part for part in self.parts if part.partition != partition)

    @property
    def first_disk(self) -> str:
        """Where new parts are."""
        return DISKS[0] if self.kind == "tiered" else ""

    def knows(self, block: Block) -> bool:
        """Whether the deduplication window recognises this block."""
        return self.kind == "window" and any(block in part.blocks for part in self.parts)

    def collapsed(self, rows: Iterable[Row]) -> tuple[Row, ...]:
        """The rows that a part of it holds, by the rule of its engine; Unspecified if one of several equal
        rows is kept and they differ elsewhere."""
        rule = RULES.get(self.kind)
        if self.kind == "summing" and self.schema.maximum:
            rule = _highest
        if self.kind == "aggregating" and not self.schema.maximum:
            rule = _only
        if rule is None:
            return tuple(sorted(rows))
        groups: dict[int, list[Row]] = {}
        for row in rows:
            groups.setdefault(self.schema.key_type.equal.get(row[0], row[0]), []).append(row)
        return tuple(sorted(rule(group) for group in groups.values()))

    def with_parts(self, parts: Iterable[Part], hollow: frozenset[int] | None = None) -> ModelTable:
        """The same table with other parts; those without rows are gone, or about to be."""
        every = tuple(parts)
        emptied = frozenset(part.partition for part in every if not part.rows)
        known = self.hollow if hollow is None else hollow
        return replace(
            self,
            parts=tuple(part for part in every if part.rows),
            hollow=known | emptied,
            removed=self.removed | {part.partition for part in self.parts if part not in every},
        )

    @property
    def key(self) -> tuple[object, ...]:
        """What makes two tables the same, whatever the order of their parts."""
        return (
            self.kind,
            tuple(sorted((part.partition, part.rows, part.disk) for part in self.parts)),
            tuple(sorted((part.partition, part.rows) for part in self.detached)),
            tuple(sorted((name, partition, len(parts)) for name, partition, parts in self.frozen)),
            (self.schema.key, self.schema.partition, self.schema.further),
            (self.further, self.ttl, tuple(sorted(self.extras)), tuple(sorted(self.patched))),
        )


@dataclass(frozen=True)
class ModelState:
    """All tables by name."""

    tables: Mapping[str, ModelTable] = field(default_factory=dict)
    faulty: bool = False
    """Whether the store refuses a request of the next statement."""

    def changed(self, **tables: ModelTable | None) -> ModelState:
        """The same with some tables changed; None takes one away."""
        merged = {**self.tables, **tables}
        return replace(
            self, tables={name: table for name, table in merged.items() if table is not None}
        )

    @property
    def key(self) -> tuple[object, ...]:
        return tuple((name, self.tables[name].key) for name in sorted(self.tables))

    def fingerprint(self) -> int:
        """A number for this state, the same in every process."""
        return zlib.crc32(repr(self.key).encode())


@dataclass(frozen=True)
class StatementOutcome:
    """What a statement does: the state behind it, the refusal's code, the number of rows it answers with.

    `unspecified` says why nobody can tell; such a statement is left out of a history.
    """

    state: ModelState
    refusal: int | None = None
    answer: int | None = None
    unspecified: str = ""
    may_fail: bool = False
    """It may also be refused for a fault of the store, and has done nothing then."""


def with_table(state: ModelState, name: str, table: ModelTable) -> StatementOutcome:
    """A statement that is accepted and changes one table."""
    return StatementOutcome(state.changed(**{name: table}))


def new_table(kind: str, schema: Schema = SIMPLE) -> ModelTable:
    """An empty table."""
    columns = ((COLUMN, 0),) if schema.further else ()
    ttl = kind.removesuffix("-ttl") if kind.endswith("-ttl") else ""
    return ModelTable(kind, schema=schema, columns=columns, ttl=ttl)


def initial(kinds: Mapping[str, str], schema: Schema = SIMPLE) -> ModelState:
    """Empty tables of these kinds."""
    return ModelState({name: new_table(kind, schema) for name, kind in kinds.items()})


def with_columns(row: Row, old: Sequence[Column], new: Sequence[Column]) -> Row:
    """A row of a table in which the further columns were `old`, where they are `new`."""
    values = dict(zip(old, row[2:], strict=True))
    return (*row[:2], *(values.get(column, DEFAULT_VALUE) for column in new))


def expires(row: Row, ttl: str) -> bool:
    """Whether a merge by this TTL removes the row."""
    return ttl == "short" and row[0] == EXPIRED_KEY


def contents(table: ModelTable) -> Counter[tuple[int, tuple[Row, ...]]]:
    """The parts with rows, as a multiset."""
    return Counter((part.partition, part.rows) for part in table.parts)


def detached(table: ModelTable) -> Counter[int]:
    """How many detached parts each partition has."""
    return Counter(part.partition for part in table.detached)


def disks(table: ModelTable) -> Counter[tuple[int, str]]:
    """How many parts with rows each partition has on each disk."""
    return Counter((part.partition, part.disk) for part in table.parts)
