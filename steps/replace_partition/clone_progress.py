"""How far a running REPLACE PARTITION has come: it clones part by part, then renames the clones.

The destination's folder shows it: first clones appear there, then each of them gets the name of a part.
With a source of many parts both phases last long enough to be met.
"""

from __future__ import annotations

import math
import os
from collections.abc import Callable
from dataclasses import dataclass

from helpers.cluster.client.background import Background
from helpers.cluster.client.failures import QueryFailed
from helpers.cluster.client.session import Row
from helpers.scenario.context import this
from helpers.scenario.step import step
from steps.partitions import replacing
from steps.parts import data_path, parts
from steps.replace_partition.held_statements import PARTITION
from steps.row_origins import describe_rows
from steps.tables import (
    NO_MERGES,
    Table,
    contents,
    create_table,
    divided,
    fill_and_check,
)

PARTS = 60
# Where ending a server takes longer than renaming them, more are tried, up to so many.
MOST_PARTS = 960
CLONES = ("tmp_replace_from_", "tmp_move_from_")
# The renames take some milliseconds. Without any pause the watcher would take a core for itself.
PAUSE = 0.0003
LONGER_PAUSE = 0.003
# The share of the parts that are cloned while the watcher may still take its time.
ALMOST = 0.8
ATTEMPTS = 15
# The file of a part of one row that holds its columns.
DATA = "data.bin"
# Each row a block and each block a part.
ROW_BY_ROW = {
    "max_block_size": 1,
    "min_insert_block_size_rows": 1,
}


Cloning = Callable[[Table, Table, int], str]
"""A statement that clones the parts of a partition, of its destination and source."""


class PhaseMissed(Exception):
    """The statement was never met in the phase that the scenario is about: it proves nothing."""


@dataclass(frozen=True)
class CloneProgress:
    """How far the statement has come, as the destination's folder shows it."""

    clones: int
    renamed: int

    @property
    def cloning(self) -> bool:
        """There are clones, and none has become a part."""
        return self.clones > 0 and self.renamed == 0

    @property
    def renaming(self) -> bool:
        """Some clones have become parts, others have not."""
        return self.clones > 0 and self.renamed > 0


class WatchedReplace:
    """A source of many parts, a destination of its own, and how far REPLACE PARTITION, or another
    statement that clones parts, has come."""

    def __init__(self, source: Table, statement: Cloning = replacing) -> None:
        self.source = source
        self._statement = statement
        self.node = source.node
        self.destination = create_table("destination")
        filled = divided(fill_and_check(self.destination, [PARTITION, PARTITION + 1], parts=3))
        self.old, self.other_partition = filled[PARTITION], filled[PARTITION + 1]
        self.new = contents(source)
        self._folder = data_path(self.destination)
        self._before = self._names()

    def larger(self) -> WatchedReplace:
        """Twice as many parts, within limits, and a destination that nothing has happened to."""
        number = min(2 * len(self.new), MOST_PARTS)
        return WatchedReplace(many_parts("source", number), self._statement)

    def progress(self) -> CloneProgress:
        added = self._names() - self._before
        clones = sum(name.startswith(CLONES) for name in added)
        return CloneProgress(clones, len(self._renamed(added)))

    def started(self, reached: Callable[[CloneProgress], bool]) -> Background:
        """The statement, started and come as far as this (or to its end, if that was faster)."""
        statement = self.node.background(self._statement(self.destination, self.source, PARTITION))
        soon = ALMOST * len(self.new)

        def come(clones: float) -> bool:
            progress = self.progress()
            return statement.done or reached(progress) or progress.clones >= clones

        # As long as there are many parts left to clone, nothing passes by in a moment.
        this().eventually(lambda: come(soon), pause=LONGER_PAUSE, longest_pause=LONGER_PAUSE)
        this().eventually(lambda: come(math.inf), pause=PAUSE, longest_pause=PAUSE)
        return statement

    def rows(self) -> list[Row]:
        """What the replaced partition holds now."""
        return contents(self.destination, partition=PARTITION)

    def describe(self, rows: list[Row]) -> str:
        return describe_rows(rows, {"old": self.old, "new": self.new})

    def renamed_parts(self) -> set[int]:
        """The files of the clones that have become parts, by inode: a clone shares its source's."""
        renamed = self._renamed(self._names() - self._before)
        return {(self._folder / name / DATA).stat().st_ino for name in renamed}

    def rows_of(self, inodes: set[int]) -> list[Row]:
        """The rows of the source's parts with these files."""
        folder = data_path(self.source)
        rows = self.node.query(f"SELECT _part, * FROM {self.source}")
        assert sorted(row[1:] for row in rows) == self.new, f"{self.source} has other rows by now"
        return [row[1:] for row in rows if (folder / row[0] / DATA).stat().st_ino in inodes]

    def _renamed(self, names: set[str]) -> list[str]:
        return [name for name in names if name.startswith(f"{PARTITION}_")]

    def _names(self) -> set[str]:
        return set(os.listdir(self._folder))  # noqa: PTH208 - it is asked a thousand times a second


@step("I create a table {name} of {number} parts")
def many_parts(name: str, number: int = PARTS) -> Table:
    """A table with that many parts of one row each in its one partition."""
    limits = {"parts_to_delay_insert": 2 * number, "parts_to_throw_insert": 2 * number}
    table = create_table(name, settings={**NO_MERGES, **limits})
    first, *_ = this().numbers.draw_run(number)
    table.node.query(
        f"INSERT INTO {table} SELECT {PARTITION}, {first} + number, '{table.name}' "
        f"FROM numbers({number})",
        settings=ROW_BY_ROW,
    )
    made = len(parts(table))
    assert made == number, f"the fixture has {made} parts instead of {number}"
    wanted = [(PARTITION, first + k, table.name) for k in range(number)]
    assert contents(table) == wanted, f"the fixture {table} has other rows than were inserted"
    return table


def crash(
    pair: WatchedReplace,
    *,
    when: Callable[[CloneProgress], bool],
    left: Callable[[CloneProgress], bool],
) -> WatchedReplace:
    """SIGKILL the server as soon as the statement has come so far; it stays down.

    The disk tells afterwards where the crash fell. If that is not what should be `left`, or if the
    statement had been answered, it is tried again with more parts, for which the phase lasts longer.
    """
    seen = []
    for _ in range(ATTEMPTS):
        statement = pair.started(when)
        pair.node.kill()
        assert not pair.node.running, "the server survived SIGKILL"
        outcome = statement.outcome()
        assert not isinstance(outcome, QueryFailed), f"REPLACE PARTITION was refused: {outcome}"
        answered = outcome is None
        seen.append(pair.progress())
        done = not answered or seen[-1].renamed
        assert done, "the fixture is wrong: the statement was answered and has done nothing"
        if left(seen[-1]) and not answered:
            return pair
        pair.node.start()
        pair = pair.larger()
    raise PhaseMissed(f"no crash in {ATTEMPTS} fell into the phase; they left {seen}")
