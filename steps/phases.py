"""REPLACE PARTITION watched while it runs: it clones part by part, then renames the clones.

What it has done so far shows in the destination's folder: first clones appear there, then each of them
gets the name of a part. With a source of many parts both phases last long enough to be hit.
"""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from helpers.cluster.background import Background
from helpers.cluster.session import Row
from helpers.context import this
from steps.overlap import (
    PARTITION,
    asks_store,
    frozen_store,
    running_mutation,
    to_store,
    waiting_replace,
)
from steps.partitions import replacing
from steps.parts import parts
from steps.tables import Table, assert_differ, contents, create_table, fill

PARTS = 60
CLONE = "tmp_replace_from_"
# The renames take some milliseconds. Without any pause the watcher would take a core for itself.
PAUSE = 0.0003
ATTEMPTS = 15
# Each row a block and each block a part.
ROW_BY_ROW = {
    "max_block_size": 1,
    "max_insert_block_size": 1,
    "min_insert_block_size_rows": 1,
    "min_insert_block_size_bytes": 0,
    "max_threads": 1,
}


class PhaseMissed(Exception):
    """The statement was never met in the phase that the scenario is about: it proves nothing."""


@dataclass(frozen=True)
class Progress:
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


class Exchange:
    """A destination for a source's partition, and what the partition holds before and after."""

    def __init__(self, source: Table) -> None:
        self.source = source
        self.node = source.node
        self.destination = create_table("destination")
        fill(self.destination, [PARTITION], parts=3)
        assert_differ(source, self.destination, partition=PARTITION)
        self.old, self.new = self.rows(), contents(source, partition=PARTITION)
        self._folder = Path(
            self.node.value(
                "SELECT data_paths[1] FROM system.tables WHERE database = "
                f"'{self.destination.database}' AND name = '{self.destination.name}'"
            )
        )
        self._before = self._names()

    def again(self) -> Exchange:
        """The same source with a destination that nothing has happened to."""
        return Exchange(self.source)

    def progress(self) -> Progress:
        added = self._names() - self._before
        clones = sum(name.startswith(CLONE) for name in added)
        renamed = sum(name.startswith(f"{PARTITION}_") for name in added)
        return Progress(clones, renamed)

    def started(self, reached: Callable[[Progress], bool]) -> Background:
        """The statement, started and come as far as this (or to its end, if that was faster)."""
        statement = self.node.background(replacing(self.destination, self.source, PARTITION))
        while not statement.done and not reached(self.progress()):
            time.sleep(PAUSE)
        return statement

    def rows(self) -> list[Row]:
        """What the replaced partition holds now."""
        return contents(self.destination, partition=PARTITION)

    def _names(self) -> set[str]:
        return {entry.name for entry in self._folder.iterdir()}


@contextmanager
def cloning_replace(destination: Table, *, source: Table) -> Iterator[Background]:
    """REPLACE PARTITION stuck among its clones until the block ends, to be interrupted there.

    Unlike one that is held (steps/overlap.py) it may end inside of the block: it is up to the server
    how soon it obeys.
    """
    to_store(source)
    with frozen_store():
        statement = destination.node.background(replacing(destination, source, PARTITION))
        this().eventually(lambda: asks_store(statement))
        yield statement


@contextmanager
def waiting_behind_mutation(destination: Table, *, source: Table) -> Iterator[Background]:
    """REPLACE PARTITION before its first clone: it waits for a mutation, until the block ends."""
    with running_mutation(destination, f"ALTER TABLE {destination} UPDATE owner = owner WHERE 1"):
        yield waiting_replace(destination, source=source)


# The moments in which a statement can be interrupted for certain.
MOMENTS = {
    "while it waits for a mutation": waiting_behind_mutation,
    "while it clones parts": cloning_replace,
}


def many_parts(name: str, number: int = PARTS) -> Table:
    """A table with that many parts of one row each in its one partition."""
    table = create_table(name)
    first = this().random.randrange(1_000_000)
    table.node.query(
        f"INSERT INTO {table} SELECT {PARTITION}, {first} + number, '{table.name}' "
        f"FROM numbers({number})",
        settings=ROW_BY_ROW,
    )
    made = len(parts(table))
    assert made == number, f"the fixture has {made} parts instead of {number}"
    return table


def crash(
    pair: Exchange, *, when: Callable[[Progress], bool], left: Callable[[Progress], bool]
) -> Exchange:
    """SIGKILL the server as soon as the statement has come so far; it stays down.

    The disk tells afterwards where the crash fell. If that is not what should be `left`, or if the
    statement had been answered, it is tried again on another destination.
    """
    seen = []
    for _ in range(ATTEMPTS):
        statement = pair.started(when)
        pair.node.kill()
        answered = statement.outcome() is None
        seen.append(pair.progress())
        if left(seen[-1]) and not answered:
            return pair
        pair.node.start()
        pair = pair.again()
    raise PhaseMissed(f"no crash in {ATTEMPTS} fell into the phase; they left {seen}")


def mixture(found: list[Row], old: list[Row], new: list[Row]) -> str:
    """What these rows of a partition are if they are neither exactly the old nor exactly the new
    ones; '' if they are. A row that occurs twice counts twice."""
    if found in (old, new):
        return ""
    counts = Counter(found)
    of_old, of_new = (sum((counts & Counter(rows)).values()) for rows in (old, new))
    return (
        f"a mixture of {of_old} of {len(old)} old rows, {of_new} of {len(new)} new rows "
        f"and {len(found) - of_old - of_new} others"
    )
