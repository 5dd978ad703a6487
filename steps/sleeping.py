"""Statements that last, because the server sleeps for each row: never longer for a block than it may."""

from __future__ import annotations

from helpers.cluster.client.background import Background
from steps.tables import Table

# What servers allow a block by default, in seconds: function_sleep_max_microseconds_per_block.
SECONDS_PER_BLOCK = 3.0
ROW_AT_A_TIME = {"max_block_size": 1, "max_threads": 1}


def sleep_each_row(seconds: float, *, rows_per_block: int) -> str:
    """The expression that sleeps so long for each row.

    `rows_per_block` is the most rows that a block can have there, whatever the server makes of settings
    that are only wishes: the rows of the largest part, or a limit that it always keeps.
    """
    slept = seconds * rows_per_block
    assert 0 < slept < SECONDS_PER_BLOCK, (
        f"{rows_per_block} rows of {seconds} s are {slept} s a block; a server allows {SECONDS_PER_BLOCK} s"
    )
    return f"sleepEachRow({seconds})"


def lasting_read(
    table: Table, *, where: str, seconds_per_row: float, rows_per_part: int
) -> Background:
    """A read in the background of rows in parts of at most so many rows, one row after the other.

    A block is of one part: where it has more than one row the read is still allowed.
    """
    sleeping = sleep_each_row(seconds_per_row, rows_per_block=rows_per_part)
    sql = f"SELECT *, {sleeping} FROM {table} WHERE {where}"
    return table.node.background(sql, settings=ROW_AT_A_TIME)
