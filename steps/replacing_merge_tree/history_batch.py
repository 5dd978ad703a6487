"""Many histories of ReplacingMergeTree tables at once, each operation followed by a look at all tables.

In every round each table carries out its next operation; then one query reads them all with FINAL and one
without, and what they return is compared with the model of each.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import product
from typing import Any

from helpers.cluster.client.session import Row
from helpers.scenario.context import this
from steps.replacing_merge_tree.final_reads import LoggedReads
from steps.replacing_merge_tree.history import KINDS, Operation, TableKind
from steps.replacing_merge_tree.history_coverage import telling_plans
from steps.replacing_merge_tree.survivor_rules import Model, Rows
from steps.replacing_merge_tree.tables import merged_by_column, optimize
from steps.tables import Table

# Ways of reading with FINAL, of which each round takes another.
READING: Sequence[Mapping[str, Any]] = (  # 6 variants
    {},
    {"max_threads": 1, "max_final_threads": 1},
    {"max_threads": 4, "max_final_threads": 4},
    {"enable_vertical_final": 0},
    {"split_parts_ranges_into_intersecting_and_non_intersecting_final": 0},
    {"max_block_size": 3},
)


@dataclass(frozen=True)
class TableHistory:
    """A table, what happens to it, and what has to be in it."""

    table: Table
    model: Model
    operations: tuple[Operation, ...]
    kind: TableKind

    @property
    def name(self) -> str:
        return f"{self.kind.name} ({self.table.name})"

    def violations(self, stored: Rows, final: Rows) -> dict[str, object]:
        """Stored or returned rows that differ from the model."""
        rules = self.kind.rules
        if self.kind.background_merges:
            # Which parts are merged already is not known; the numbers of rows give their order.
            merged = rules.survivors(sorted(stored, key=lambda row: row[4]))
            checked = {"stored": (merged, rules.survivors(self.model.stored))}
        else:
            checked = {"stored": (stored, self.model.stored)}
        if self.final_is_specified:
            checked["FINAL"] = (final, self.model.final())
        else:
            checked["FINAL"] = (final, rules.across_partitions(self.model.stored, final))
        return {
            f"{self.name}, {what}": difference(actual, expected)
            for what, (actual, expected) in checked.items()
            if Counter(actual) != Counter(expected)
        }

    @property
    def final_is_specified(self) -> bool:
        """Where a key lies in several partitions with equal versions the row that FINAL returns is not."""
        return not self.kind.partition_by or self.kind.order_by != "key"


def difference(actual: Iterable[Row], expected: Iterable[Row]) -> str:
    """The rows that are missing and those that are too many."""
    missing, unexpected = Counter(expected) - Counter(actual), Counter(actual) - Counter(expected)
    return f"missing {sorted(missing, key=repr)}, unexpected {sorted(unexpected, key=repr)}"


class HistoryBatch:
    """So many histories of each kind, planned and proved to be telling."""

    def __init__(self, copies: int, operations: int) -> None:
        self.histories = [
            TableHistory(kind.table(), Model(kind.rules), plan, kind)
            for kind in KINDS
            for plan in telling_plans(kind, copies, operations)
        ]
        self.looks: dict[str, Mapping[str, Any]] = {}
        at_will = {history.kind.background_merges for history in self.histories}
        assert at_will == {True, False}, "there have to be tables that are merged at will and not"
        specified = {history.final_is_specified for history in self.histories}
        assert specified == {True, False}, "there have to be keys in one and in several partitions"

    def execute(self, round_number: int) -> None:
        """The operation of this round, in all tables."""
        for history in self.histories:
            history.operations[round_number].execute(history.table, history.model)

    def merge(self) -> None:
        """Every table, and it is seen that it was merged by the algorithm that its settings choose."""
        for history in self.histories:
            optimize(history.table, "FINAL")
            history.model.merge()
        # A cleanup is never vertical, whatever the settings say; there was another merge as well.
        expected = sorted(
            (history.table.name, int(history.kind.vertical)) for history in self.histories
        )
        actual = merged_by_column(*(history.table for history in self.histories))
        assert actual == expected, f"tables were merged by other algorithms: {actual}"
        tried = {(history.kind.parameters, history.kind.vertical) for history in self.histories}
        every = set(product({kind.parameters for kind in KINDS}, (True, False)))
        assert tried == every, f"engines that were not merged by both algorithms: {every - tried}"

    def violations(self, when: str) -> dict[str, object]:
        """Stored rows, or rows of FINAL, that differ from the model, in any table."""
        reading = READING[len(self.looks) % len(READING)]
        self.looks[when] = reading
        reads = LoggedReads(this().node())
        stored, final = self._read(reads, {}), self._read(reads, reading, final=True)
        reads.assert_executed({}, reading)
        return {
            f"{when}: {cell}": f"{observation} (read with {reading})"
            for number, history in enumerate(self.histories)
            for cell, observation in history.violations(stored[number], final[number]).items()
        }

    def rows(self) -> tuple[dict[int, Rows], dict[int, Rows]]:
        """The rows that are stored and those that FINAL returns, by the number of the history."""
        reads = LoggedReads(this().node())
        return self._read(reads, {}), self._read(reads, {}, final=True)

    def named(self, by_number: Mapping[int, object]) -> dict[str, object]:
        """What was found out about histories, by their names instead of their numbers."""
        return {self.histories[number].name: value for number, value in by_number.items()}

    def _read(
        self, reads: LoggedReads, settings: Mapping[str, Any], *, final: bool = False
    ) -> dict[int, Rows]:
        """The rows of all tables, by the number of their history."""
        rows = defaultdict[int, Rows](list)
        sql = " UNION ALL ".join(
            f"SELECT {number} AS history, * FROM {history.table}" + (" FINAL" if final else "")
            for number, history in enumerate(self.histories)
        )
        for number, *row in reads.query(sql, settings):
            rows[number].append(tuple(row))
        return rows
