"""Random histories of the kinds of statements and tables that were asked for, drawn from a seed."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from random import Random

from helpers.explore.model.histories import History
from helpers.explore.model.round_trips import TRIPS
from helpers.explore.model.schema import KEY_TYPES, PARTITION_BY, SETTINGS, VALUE_TYPES, Schema
from helpers.explore.model.statements import (
    COLUMNS,
    EXTRAS,
    KINDS,
    NAMES,
    PARTITIONS,
    PATCHES,
    ROUND_TRIP,
    ROWS,
    S3_FAULT,
    SELECT,
    STARTED_AGAIN,
    TABLES,
    TTL,
    TWO_TABLES,
    HistoryStatement,
    Row,
)

LONGEST = 30
FEW = 5
"""A history has so many kinds at most, in addition to INSERT: statements of few kinds meet more often."""
# Statements about the same thing, and what they are to meet.
FAMILIES = (
    (tuple(KINDS), ()),
    ((*ROWS, *PARTITIONS, *TWO_TABLES, *NAMES), ("replace", ROUND_TRIP, SELECT)),
    (
        tuple(PATCHES),
        (
            "replace",
            "freeze",
            "restore",
            "move",
            "detach",
            "attach",
            "optimize",
            SELECT,
            ROUND_TRIP,
        ),
    ),
    (
        tuple(COLUMNS),
        ("replace", "move", "attach-from", "detach", "attach", "reload", SELECT, ROUND_TRIP),
    ),
    (
        tuple(TTL),
        (
            "replace",
            "move",
            "attach-from",
            "optimize",
            "optimize-table",
            "detach",
            "attach",
            ROUND_TRIP,
        ),
    ),
    (tuple(EXTRAS), ("replace", "move", "optimize", "update", "clear-column", SELECT, ROUND_TRIP)),
)
WEIGHTS = {"insert": 20, "insert-parts": 2, "reload": 3, "undrop": 3, "rename": 4, "rename-back": 4}
USUAL_WEIGHT = 10
"""A start takes as long as a hundred statements: those that are started again have a weight of 1."""
KEYS = 3
# Few blocks, so that the same one comes again.
BLOCKS: tuple[tuple[Row, ...], ...] = (
    ((1, 1),),
    ((1, 1),),
    ((2, 1),),
    ((1, 2),),
    ((1, 1), (2, 1)),
    ((1, 2), (3, 1)),
)
AGAIN = 0.2
"""The share of INSERTs that were in the history before: blocks come again."""
NUMBERED = {SELECT: 9999, ROUND_TRIP: len(TRIPS) - 1}
"""SELECTs are numbered (conditions, forms and settings), and so are round trips."""


@dataclass(frozen=True)
class Space:
    """What the statements of a history are about: the less there is, the more often they meet."""

    tables: Sequence[str]
    partitions: Sequence[int]
    numbers: int


def sequential(random: Random, kinds: Sequence[str], table_kinds: Sequence[str]) -> History:
    """Statements of a few kinds one after the other, on few tables."""
    kinds = [kind for kind in kinds if kind != S3_FAULT or "s3" in table_kinds]
    chosen = _few(random, kinds)
    weights = [1 if kind in STARTED_AGAIN else WEIGHTS.get(kind, USUAL_WEIGHT) for kind in chosen]
    space = Space(
        TABLES[: random.choice((1, 2, 2, 3))],
        random.choice(((1,), (1,), (1, 1, 1, 2), (1, 1, 2, 3))),
        random.choice((1, 2, KEYS)),
    )
    made: list[HistoryStatement] = []
    filled = ["insert"] * random.randint(1, 4) if "insert" in chosen else []
    for kind in [*filled, *random.choices(chosen, weights, k=random.randint(2, LONGEST))]:
        before = [statement for statement in made if statement.kind == "insert"]
        if kind == "insert" and before and random.random() < AGAIN:
            made.append(random.choice(before))
        else:
            made.append(_statement(random, kind, space))
    return History(
        kinds_of_tables(random, table_kinds), tuple(made), schema=_schema(random, chosen)
    )


def _few(random: Random, kinds: Sequence[str]) -> list[str]:
    """INSERT and a few other kinds: of a family, and of those that its statements are to meet."""
    possible = [
        (own, [kind for kind in met if kind in kinds])
        for family, met in FAMILIES
        if (own := [kind for kind in family if kind in kinds])
    ]
    own, met = random.choice(possible)
    chosen = random.sample(own, min(len(own), random.randint(2, FEW)))
    chosen += random.sample(met, min(len(met), random.randint(1, FEW)))
    always = [kind for kind in ("insert", S3_FAULT) if kind in kinds]
    return list(dict.fromkeys([*always, *chosen]))


def _statement(random: Random, kind: str, space: Space) -> HistoryStatement:
    """A statement without what its kind does not use, so that equal statements are equal."""
    plain = HistoryStatement(kind)
    return HistoryStatement(
        kind,
        random.choice(space.tables),
        random.choice(space.tables) if kind in (*TWO_TABLES, ROUND_TRIP) else plain.other,
        random.choice(space.partitions),
        random.choice(BLOCKS) if kind == "insert" else (),
        random.randint(*((0, NUMBERED[kind]) if kind in NUMBERED else (1, space.numbers))),
    )


def _schema(random: Random, kinds: Sequence[str]) -> Schema:
    """Columns and settings; one history in three has the simplest keys."""
    further = random.choice(("", "UInt32", "UInt32", random.choice(list(VALUE_TYPES))))
    patches = random.random() < (0.9 if PATCHES.keys() & {*kinds} else 0.2)
    if random.random() < 1 / 3:
        return Schema(further=further, patches=patches)
    return Schema(
        partition=random.choice(("UInt32", random.choice([*KEY_TYPES, *PARTITION_BY]))),
        key=random.choice(("UInt32", random.choice(list(KEY_TYPES)))),
        further=further,
        patches=patches,
        maximum=random.random() < 0.3,
        settings=tuple(random.sample(SETTINGS, random.randint(0, 2))),
    )


def kinds_of_tables(random: Random, table_kinds: Sequence[str]) -> dict[str, str]:
    """The same kind for all tables, or one for each."""
    if random.random() < 0.5:
        return dict.fromkeys(TABLES, random.choice(table_kinds))
    return {name: random.choice(table_kinds) for name in TABLES}
