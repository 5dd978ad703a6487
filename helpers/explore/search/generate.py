"""Hypothesis strategies: random histories of the kinds of statements and tables that were asked for."""

from __future__ import annotations

import itertools
from collections.abc import Sequence

from hypothesis import strategies as st

from helpers.explore.model.histories import History
from helpers.explore.model.statements import (
    KINDS,
    S3_FAULT,
    STARTED_AGAIN,
    TABLES,
    TWO_TABLES,
    HistoryStatement,
    Row,
)

# How often a kind is drawn; those that are not named here once.
WEIGHTS = {"insert": 2}
RARE = ("insert-parts", "reload", "rename", "rename-back", "add-column", "drop-column")
OFTEN = 8
PARTITIONS = (1, 1, 1, 1, 2, 3)
KEYS = 3
BASIC = ("insert", "replace", S3_FAULT)
FEW = 5
"""A history has so many kinds beside these at most: statements of few kinds interact more often."""
# Few blocks, so that the same one comes again; their keys differ, so that no engine makes one row of two.
BLOCKS: tuple[tuple[Row, ...], ...] = (
    ((1, 1),),
    ((1, 1),),
    ((2, 1),),
    ((1, 2),),
    ((1, 1), (2, 1)),
    ((1, 2), (3, 1)),
)
BLOCK = 8
"""Lists of lists: one list would mostly be short, and a few long ones are worth more than many short."""
AGAIN = 5
"""One in so many statements is an INSERT that was in the history before: blocks come again."""


def statements(kinds: Sequence[str]) -> st.SearchStrategy[HistoryStatement]:
    """One statement of these kinds."""
    return st.builds(
        _made,
        st.sampled_from(_weighted(kinds)),
        st.sampled_from(TABLES),
        st.sampled_from(TABLES),
        st.sampled_from(PARTITIONS),
        st.sampled_from(BLOCKS),
        st.integers(1, KEYS),
    )


def sequential(kinds: Sequence[str], table_kinds: Sequence[str]) -> st.SearchStrategy[History]:
    """Statements of a few kinds one after the other, on few tables."""
    kinds = [kind for kind in kinds if kind != S3_FAULT or "s3" in table_kinds]
    least = min(2, len(set(kinds)))
    few = st.lists(st.sampled_from(list(kinds)), min_size=least, max_size=FEW, unique=True)
    chosen = few.map(lambda some: [kind for kind in (*BASIC, *some) if kind in kinds])
    return st.builds(
        lambda kinds_, drawn: History(kinds_, _with_inserts_again(drawn)),
        kinds_of_tables(table_kinds),
        chosen.flatmap(_blocks),
    )


def _blocks(kinds: Sequence[str]) -> st.SearchStrategy[list[list[tuple[HistoryStatement, int]]]]:
    drawn = st.tuples(statements(kinds), st.sampled_from(range(AGAIN)))
    return st.lists(st.lists(drawn, min_size=1, max_size=BLOCK), min_size=1, max_size=BLOCK)


def _with_inserts_again(
    drawn: list[list[tuple[HistoryStatement, int]]],
) -> tuple[HistoryStatement, ...]:
    made: list[HistoryStatement] = []
    for statement, choice in itertools.chain.from_iterable(drawn):
        before = [earlier for earlier in made if earlier.kind == "insert"]
        again = choice == AGAIN - 1 and before
        made.append(before[-1 - statement.number % len(before)] if again else statement)
    return tuple(made)


def kinds_of_tables(table_kinds: Sequence[str]) -> st.SearchStrategy[dict[str, str]]:
    """The same kind for all tables, or one for each."""
    kind = st.sampled_from(table_kinds)
    each = st.fixed_dictionaries(dict.fromkeys(TABLES, kind))
    return st.one_of(kind.map(lambda chosen: dict.fromkeys(TABLES, chosen)), each)


def _weighted(kinds: Sequence[str]) -> list[str]:
    return [kind for kind in KINDS if kind in kinds for _ in range(_weight(kind))]


def _weight(kind: str) -> int:
    # Everything is drawn twice as often as what is rare. A start takes as long as a hundred statements.
    if kind in STARTED_AGAIN:
        return 1
    return OFTEN * (1 if kind in RARE else 2 * WEIGHTS.get(kind, 1))


def _made(
    kind: str, table: str, other: str, partition: int, drawn: tuple[Row, ...], number: int
) -> HistoryStatement:
    """The statement with what its kind does not use left out, so that equal statements are equal."""
    plain = HistoryStatement(kind)
    return HistoryStatement(
        kind,
        table,
        other if kind in TWO_TABLES else plain.other,
        partition,
        drawn if kind == "insert" else (),
        number,
    )
