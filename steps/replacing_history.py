"""Random histories of ReplacingMergeTree tables: inserts, merges, cleanups and ends of the server.

The dice of the run choose what happens. A history remembers every row that was inserted, in order, so
that a referee can say what has to be left of them.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import count, islice
from typing import Any

from helpers.cluster.session import Row
from helpers.context import this
from steps.replacing import insert_each, merge
from steps.tables import NO_MERGES, Table, create_table

COLUMNS = (
    "p UInt8, key UInt32, version UInt32, deleted UInt8, seq UInt32, value String, "
    "note Nullable(Int64)"
)
SPARK_COLUMNS = (
    "p int, key bigint, version bigint, deleted int, seq bigint, value string, note bigint"
)
PARTITIONS, KEYS, VERSIONS = 3, 40, 5
ROWS = (20, 120)
CLEANUP = {"allow_experimental_replacing_merge_with_cleanup": 1}
IN_COLUMNS = {
    "min_bytes_for_wide_part": 0,
    "vertical_merge_algorithm_min_rows_to_activate": 1,
    "vertical_merge_algorithm_min_columns_to_activate": 1,
}


@dataclass(frozen=True)
class Kind:
    """A kind of table: the engine's parameters, its keys, its settings."""

    name: str
    parameters: str
    partition_by: str
    order_by: str
    settings: Mapping[str, Any] = field(default_factory=lambda: NO_MERGES)

    @property
    def unique_by(self) -> tuple[str, ...]:
        """What makes two rows duplicates for merges: they never meet rows of another partition."""
        return ("p", "key") if self.partition_by else ("key",)

    @property
    def version(self) -> str | None:
        return "version" if self.parameters else None

    @property
    def is_deleted(self) -> str | None:
        return "deleted" if "deleted" in self.parameters else None

    def table(self, engine: str) -> Table:
        return create_table(
            "history",
            columns=COLUMNS,
            engine=engine or f"ReplacingMergeTree({self.parameters})",
            partition_by=self.partition_by,
            order_by=self.order_by,
            settings=self.settings,
        )


KINDS = (
    Kind("last insert", "", "", "key"),
    Kind("last insert, by partition", "", "p", "(p, key)", {**NO_MERGES, **IN_COLUMNS}),
    Kind("version", "version", "", "key", {**NO_MERGES, **IN_COLUMNS}),
    Kind("version, by partition", "version", "p", "(p, key)"),
    Kind("deletions", "version, deleted", "", "key", {**NO_MERGES, **CLEANUP}),
    Kind(
        *("deletions, by partition", "version, deleted", "p", "(p, key)"),
        {**NO_MERGES, **IN_COLUMNS, **CLEANUP},
    ),
    Kind("deletions, merged at will", "version, deleted", "p", "(p, key)", {}),
)
# The same key in several partitions: what FINAL returns of it is not specified, what merges leave is.
ACROSS = Kind("keys in several partitions", "version, deleted", "p", "key", NO_MERGES)


class History:
    """A table and all that was ever inserted into it, in chapters that end with a cleanup."""

    def __init__(self, kind: Kind, engine: str = "", numbers: Iterator[int] | None = None) -> None:
        """`numbers`, which rows are numbered by, may be those of another history that it meets."""
        self.kind = kind
        self.table = kind.table(engine)
        self.numbers = numbers or count(1)
        self.chapters: list[list[Row]] = [[]]
        self.deeds: list[str] = []

    @property
    def rows(self) -> list[Row]:
        """What was inserted since the last cleanup."""
        return self.chapters[-1]

    def live(self, deeds: int) -> None:
        """So many deeds in random order, and inserts before and after them: there is something to do.

        A merge, an end of the server and, where the table allows it, a cleanup are always among them.
        """
        certain = [self.merge, self.end_server]
        if self.kind.settings.keys() >= CLEANUP.keys():
            certain.append(self.clean_up)
        dice = this().random
        others = dice.choices((self.insert, self.merge), (2, 1), k=max(0, deeds - len(certain)))
        between = [*certain, *others]
        dice.shuffle(between)
        for deed in (self.insert, self.insert, *between, self.insert):
            deed()

    def insert(self) -> None:
        """One insert of random rows; it may or may not compare them itself."""
        rows = random_rows(self.numbers)
        optimize = this().random.randrange(2)
        self.deeds.append(f"insert {len(rows)}, optimize_on_insert = {optimize}")
        insert_each(self.table, rows, settings={"optimize_on_insert": optimize})
        self.rows.extend(rows)

    def merge(self) -> None:
        """A merge of everything, or of one partition."""
        ways = ["FINAL"]
        if self.kind.partition_by:
            ways.append(f"PARTITION {this().random.randrange(PARTITIONS)} FINAL")
        self._merge(this().random.choice(ways))

    def clean_up(self) -> None:
        """A merge that removes what is deleted: the end of a chapter."""
        self._merge("FINAL CLEANUP")
        self.chapters.append([])

    def end_server(self) -> None:
        """A restart, after a shutdown or a crash."""
        node = self.table.node
        end = this().random.choice((node.stop, node.kill))
        self.deeds.append(end.__name__)
        end()
        node.start()

    def _merge(self, how: str) -> None:
        self.deeds.append(how)
        merge(self.table, how)


def random_rows(numbers: Iterator[int]) -> list[Row]:
    """Rows that come in this order: few keys, few versions, many deletions."""
    dice = this().random
    return [
        (
            dice.randrange(PARTITIONS),
            dice.randrange(KEYS),
            dice.randrange(VERSIONS),
            int(dice.random() < 0.3),
            number,
            f"value {dice.randrange(1000)}",
            dice.choice((None, dice.randrange(1000))),
        )
        for number in islice(numbers, dice.randint(*ROWS))
    ]


def assert_telling(rows: Sequence[Row]) -> None:
    """These rows put every rule to the test: keys repeated, with equal and with other versions."""
    keys = {row[1] for row in rows}
    assert len(keys) < len(rows) / 2, f"too few duplicates: {len(keys)} keys in {len(rows)} rows"
    assert len({row[1:3] for row in rows}) < len(rows), "no two rows with the same version"
    assert {row[3] for row in rows} == {0, 1}, "no deletion rows, or no others"
