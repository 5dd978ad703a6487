"""What tables, partitions and parts are, as a history has left them. Pure: nothing here talks to a server.

A partition is the parts it has, a part the rows it has. Parts have no names: names are the server's.
`blocks` of a part are the inserted blocks that it came from; as long as a part is active its table knows
them, which is what its deduplication window recognises.
"""

from __future__ import annotations

import zlib
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace

from helpers.explore.model.statements import DISKS, Row

Block = tuple[int, tuple[Row, ...]]
# Codes of refusals.
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


@dataclass(frozen=True)
class Part:
    """A part: its partition, its rows in order, the inserted blocks that it holds, and the disk it is on."""

    partition: int
    rows: tuple[Row, ...]
    blocks: frozenset[Block] = frozenset()
    disk: str = ""
    """Known of tiered tables only."""


@dataclass(frozen=True)
class Table:
    """A table. `hollow` are the partitions that may have parts without rows, which the server removes when
    it likes, `removed` those that parts were removed from: when the table is loaded again there may be
    one without rows in their place. `frozen` are backups: name, partition, number of parts."""

    kind: str
    parts: tuple[Part, ...] = ()
    detached: tuple[Part, ...] = ()
    frozen: frozenset[tuple[str, int, int]] = frozenset()
    hollow: frozenset[int] = frozenset()
    removed: frozenset[int] = frozenset()
    extra_column: bool = False

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
        """The rows that a part of it holds: ReplacingMergeTree keeps the highest value of a key."""
        if self.kind != "replacing":
            return tuple(sorted(rows))
        newest: dict[int, int] = {}
        for k, v in rows:
            newest[k] = max(v, newest.get(k, v))
        return tuple(sorted(newest.items()))

    def with_parts(self, parts: Iterable[Part], hollow: frozenset[int] | None = None) -> Table:
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
            tuple(sorted(self.frozen)),
            self.extra_column,
        )


@dataclass(frozen=True)
class ModelState:
    """All tables by name."""

    tables: Mapping[str, Table] = field(default_factory=dict)
    faulty: bool = False
    """Whether the store refuses a request of the next statement."""

    def changed(self, **tables: Table | None) -> ModelState:
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


def with_table(state: ModelState, name: str, table: Table) -> StatementOutcome:
    """A statement that is accepted and changes one table."""
    return StatementOutcome(state.changed(**{name: table}))


def initial(kinds: Mapping[str, str]) -> ModelState:
    """Empty tables of these kinds."""
    return ModelState({name: Table(kind) for name, kind in kinds.items()})


def contents(table: Table) -> Counter[tuple[int, tuple[Row, ...]]]:
    """The parts with rows, as a multiset."""
    return Counter((part.partition, part.rows) for part in table.parts)


def detached(table: Table) -> Counter[int]:
    """How many detached parts each partition has."""
    return Counter(part.partition for part in table.detached)


def disks(table: Table) -> Counter[tuple[int, str]]:
    """How many parts with rows each partition has on each disk."""
    return Counter((part.partition, part.disk) for part in table.parts)
