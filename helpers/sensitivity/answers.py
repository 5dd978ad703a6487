"""Wrong answers made of right ones: a row lost or doubled, a value changed or exchanged."""

from __future__ import annotations

import datetime
import decimal
import ipaddress
import random
import uuid
from collections.abc import Callable
from typing import Any

Rows = list[tuple[Any, ...]]
Perturbation = Callable[[Rows, random.Random], Rows]


def lose_row(rows: Rows, rng: random.Random) -> Rows:
    """One row less."""
    gone = rng.randrange(len(rows))
    return [row for index, row in enumerate(rows) if index != gone]


def double_row(rows: Rows, rng: random.Random) -> Rows:
    """One row twice, the second time right after the first."""
    index = rng.randrange(len(rows))
    return [*rows[: index + 1], rows[index], *rows[index + 1 :]]


def change_value(rows: Rows, rng: random.Random) -> Rows:
    """Another value in one column of one row."""
    row, column = rng.randrange(len(rows)), rng.randrange(len(rows[0]))
    return _replaced(rows, {(row, column): changed(rows[row][column])})


def swap_values(rows: Rows, rng: random.Random) -> Rows:
    """Two rows with their values of one column exchanged; as they are where that makes no other rows: two
    that differ in one column only would change places."""
    columns = list(range(len(rows[0])))
    rng.shuffle(columns)
    for column in columns:
        first = rng.randrange(len(rows))
        for second in range(len(rows)):
            if rows[first][column] != rows[second][column] and _others_differ(
                rows[first], rows[second], column
            ):
                return _replaced(
                    rows,
                    {(first, column): rows[second][column], (second, column): rows[first][column]},
                )
    return rows


PERTURBATIONS: dict[str, Perturbation] = {
    "lose-row": lose_row,
    "double-row": double_row,
    "change-value": change_value,
    "swap-values": swap_values,
}


def applicable(rows: int, columns: int) -> list[str]:
    """The perturbations that an answer of this shape can show. Exchanging values within the only
    column would change the order alone."""
    if not rows:
        return []
    names = ["lose-row", "double-row", "change-value"]
    return [*names, "swap-values"] if rows > 1 and columns > 1 else names


def changed(value: Any) -> Any:
    """Another value of the same type."""
    match value:
        case None:
            return "x"
        case bool():
            return not value
        case int() | float() | decimal.Decimal():
            return value + 1
        case str():
            return value[:-1] if value else "x"
        case bytes():
            return value[:-1] if value else b"x"
        case datetime.datetime() | datetime.date():
            return value + datetime.timedelta(days=1)
        case uuid.UUID():
            return uuid.UUID(int=value.int ^ 1)
        case ipaddress.IPv4Address() | ipaddress.IPv6Address():
            return type(value)(int(value) ^ 1)
        case list() | tuple():
            items = [changed(value[0]), *value[1:]] if value else ["x"]
            return type(value)(items)
        case dict():
            return {**value, "x": "x"}
        case _:
            return f"{value}x"


def _others_differ(row: tuple[Any, ...], other_row: tuple[Any, ...], column: int) -> bool:
    """Whether two rows differ in another column, too."""
    return any(
        mine != theirs
        for index, (mine, theirs) in enumerate(zip(row, other_row, strict=True))
        if index != column
    )


def _replaced(rows: Rows, cells: dict[tuple[int, int], Any]) -> Rows:
    return [
        tuple(cells.get((row, column), value) for column, value in enumerate(values))
        for row, values in enumerate(rows)
    ]
