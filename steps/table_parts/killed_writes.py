"""Servers that are killed while they write a part: during an insert, a merge, a mutation."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from os import walk
from pathlib import Path

from helpers.cluster.client.background import Background
from helpers.scenario.context import this
from steps.background_changes import UNTIL_DONE
from steps.restarts import crash
from steps.sleeping import sleep_each_row
from steps.table_parts.part_files import table_folder
from steps.table_parts.part_life import KEPT
from steps.tables import NO_MERGES, Table, create_table, insert

ROWS, PARTS = 30, 3
SECONDS_PER_ROW = 0.2
# A part is written row by row, so that it takes seconds.
SLOWLY = {**NO_MERGES, **KEPT, "index_granularity": 1, "merge_max_block_size": 1}
# Compressing takes longer than writing.
COLUMNS = "p UInt64, i UInt64, owner String CODEC(ZSTD(22))"
LARGE_BLOCK = {
    "max_block_size": 1_000_000,
    "min_insert_block_size_rows": 1_000_000,
    "max_threads": 1,
}
LARGE_ROWS = 300_000


def slow_table() -> Table:
    """Three parts of ten rows each, in one partition."""
    table = create_table("slow", columns=COLUMNS, settings=SLOWLY)
    for start in range(0, ROWS, ROWS // PARTS):
        insert(table, [(1, number, "old") for number in range(start, start + ROWS // PARTS)])
    return table


def slow_insert(table: Table) -> Background:
    return table.node.background(
        f"INSERT INTO {table} SELECT 1, number, randomPrintableASCII(100) FROM numbers({LARGE_ROWS})",
        settings=LARGE_BLOCK,
    )


def slow_merge(table: Table) -> Background:
    """The parts lack a column whose default sleeps: a merge has to compute it, row by row."""
    sleeping = sleep_each_row(SECONDS_PER_ROW, rows_per_block=ROWS // PARTS)
    table.node.query(f"ALTER TABLE {table} ADD COLUMN slow UInt8 DEFAULT {sleeping}")
    return table.node.background(f"OPTIMIZE TABLE {table} FINAL")


def slow_mutation(table: Table) -> Background:
    sleeping = sleep_each_row(SECONDS_PER_ROW, rows_per_block=ROWS // PARTS)
    return table.node.background(
        f"ALTER TABLE {table} UPDATE owner = 'new' WHERE {sleeping} = 0", settings=UNTIL_DONE
    )


# Statements that write parts.
WRITING: Mapping[str, Callable[[Table], Background]] = {
    "an insert": slow_insert,
    "a merge": slow_merge,
    "a mutation": slow_mutation,
}


def unfinished(folder: Path) -> list[str]:
    """The folders of parts that are being written, as soon as there is a file in them."""
    # A folder that is renamed meanwhile has none, and is no error of `walk`.
    return [name for name in leftovers(folder) if any(files for *_, files in walk(folder / name))]


def killed_while_writing(what: str) -> tuple[Table, list[str]]:
    """A table whose server was killed while this wrote a part, and what is left of that part; the server
    is down.

    The disk proves where the crash fell: there is a part that was written in half.
    """
    table = slow_table()
    folder = table_folder(table)
    statement = WRITING[what](table)
    this().eventually(lambda: unfinished(folder))
    crash(table.node)
    assert statement.outcome() is not None, f"the crash came too late: {what} was answered"
    left = unfinished(folder)
    assert left, f"the crash has left nothing of {what}"
    return table, left


def leftovers(folder: Path) -> list[str]:
    """Folders in a table's folder that are of no part; for a moment a mutation has a file there, too."""
    return sorted(entry.name for entry in folder.glob("tmp*") if entry.is_dir())
