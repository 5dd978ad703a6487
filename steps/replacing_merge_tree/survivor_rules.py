"""What has to be left of the rows of a ReplacingMergeTree table, computed in Python.

The model knows the rows that are stored, in the order in which they came; everything follows from them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field

from helpers.cluster.client.session import Row

Rows = list[Row]


@dataclass(frozen=True)
class Rules:
    """What the engine of a table compares, each as a function of a row.

    `partition` limits merges, `key` makes rows duplicates; without a version all versions are equal.
    """

    key: Callable[[Row], object]
    partition: Callable[[Row], object] = lambda row: None
    version: Callable[[Row], int] = lambda row: 0
    deleted: Callable[[Row], bool] = lambda row: False

    def survivors(self, rows: Iterable[Row]) -> Rows:
        """The row with the greatest version of each key of each partition, of equal ones the last."""
        best: dict[object, Row] = {}
        for row in rows:
            place = (self.partition(row), self.key(row))
            if place not in best or self.version(row) >= self.version(best[place]):
                best[place] = row
        return list(best.values())

    def states(self, rows: Iterable[Row]) -> Rows:
        """The survivors without deletion rows: what FINAL returns."""
        return [row for row in self.survivors(rows) if not self.deleted(row)]

    def across_partitions(self, rows: Iterable[Row], returned: Iterable[Row]) -> Rows:
        """What FINAL returns of keys that lie in several partitions: the greatest version decides, and
        where it comes more than once any of its rows may be the one; then it is what was returned."""
        actual = {self.key(row): row for row in returned}
        by_key: dict[object, Rows] = {}
        for row in self.survivors(rows):
            by_key.setdefault(self.key(row), []).append(row)
        expected = []
        for key, candidates in by_key.items():
            greatest = max(map(self.version, candidates))
            candidates = [row for row in candidates if self.version(row) == greatest]
            visible = [row for row in candidates if not self.deleted(row)]
            if actual.get(key) in visible:
                expected.append(actual[key])
            elif visible and (key in actual or len(visible) == len(candidates)):
                expected.append(visible[0])
        return expected


@dataclass
class Model:
    """The rows that are stored in a table whose parts are merged only when it is asked for."""

    rules: Rules
    stored: Rows = field(default_factory=list)

    def insert(self, rows: Rows, *, optimize: bool) -> None:
        """An insert that compares its rows with each other, or writes them as they come."""
        self.stored += self.rules.survivors(rows) if optimize else rows

    def merge(self, partition: object = None) -> None:
        """All partitions are merged, or one; deletion rows stay."""
        self._rewrite(self.rules.survivors, partition)

    def clean_up(self) -> None:
        self._rewrite(self.rules.states, None)

    def replace_partition(self, partition: object, source: Rows) -> None:
        """All rows of the source's partition come in the place of those that were there."""
        kept = [row for row in self.stored if self.rules.partition(row) != partition]
        self.stored = kept + [row for row in source if self.rules.partition(row) == partition]

    def final(self) -> Rows:
        return self.rules.states(self.stored)

    def _rewrite(self, merged: Callable[[Rows], Rows], partition: object) -> None:
        chosen = [row for row in self.stored if partition in (None, self.rules.partition(row))]
        others = [row for row in self.stored if partition not in (None, self.rules.partition(row))]
        self.stored = merged(chosen) + others
