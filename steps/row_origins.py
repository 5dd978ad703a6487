"""Rows of a partition, described by the known sets of rows that they consist of."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence

from helpers.cluster.client.session import Row


def describe_rows(rows: Sequence[Row], known: Mapping[str, Sequence[Row]]) -> str:
    """Which sets these rows come from and how many of each: 'all 20 new rows and 3 of 20 old rows'.

    A row that occurs twice counts twice. What is in none of the sets is counted as unknown, what
    occurs more often than in them as repeated.
    """
    left, pieces = Counter(rows), []
    for name, expected in known.items():
        common = left & Counter(expected)
        left -= common
        if common:
            number = common.total()
            amount = f"all {number}" if number == len(expected) else f"{number} of {len(expected)}"
            pieces.append(f"{amount} {name} rows")
    repeated = sum(number for row, number in left.items() if row in rows_of(known))
    for name, number in (("repeated", repeated), ("unknown", left.total() - repeated)):
        if number:
            pieces.append(f"{number} {name} rows")
    return " and ".join(pieces) or "no rows"


def rows_of(known: Mapping[str, Sequence[Row]]) -> set[Row]:
    """All rows of all sets."""
    return {row for rows in known.values() for row in rows}
