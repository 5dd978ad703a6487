"""Hypothesis strategies: random histories of the kinds of statements and tables that were asked for."""

from __future__ import annotations

from collections.abc import Sequence

from hypothesis import strategies as st

from helpers.explore.histories import History
from helpers.explore.statements import KINDS, RESTART, TABLES, Row, Statement

# How often a kind is drawn; those that are not named here once.
WEIGHTS = {"insert": 7, "replace": 4, "attach-from": 2, "move": 2, "detach": 2, "attach": 3}
RARE = ("insert-parts", "reload", "rename", "rename-back", "add-column", "drop-column")
OFTEN = 8
PARTITIONS = (1, 1, 1, 2, 3)
KEYS = 3
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


def statements(
    kinds: Sequence[str], tables: Sequence[str] = TABLES, partitions: Sequence[int] = PARTITIONS
) -> st.SearchStrategy[Statement]:
    """One statement of these kinds."""
    weighted = [kind for kind in KINDS if kind in kinds for _ in range(_weight(kind))]
    return st.builds(
        _made,
        st.sampled_from(weighted),
        st.sampled_from(tables),
        st.sampled_from(tables),
        st.sampled_from(partitions),
        st.sampled_from(BLOCKS),
        st.integers(1, KEYS),
    )


def sequential(kinds: Sequence[str], table_kinds: Sequence[str]) -> st.SearchStrategy[History]:
    """Statements one after the other on three tables."""
    blocks = st.lists(
        st.lists(statements(kinds), min_size=1, max_size=BLOCK), min_size=1, max_size=BLOCK
    )
    return st.builds(
        lambda kinds_, drawn: History(kinds_, tuple(one for block in drawn for one in block)),
        kinds_of_tables(table_kinds),
        blocks,
    )


def kinds_of_tables(
    table_kinds: Sequence[str], tables: Sequence[str] = TABLES
) -> st.SearchStrategy[dict[str, str]]:
    """The same kind for all tables, or one for each."""
    kind = st.sampled_from(table_kinds)
    each = st.fixed_dictionaries(dict.fromkeys(tables, kind))
    return st.one_of(kind.map(lambda one: dict.fromkeys(tables, one)), each)


def _weight(kind: str) -> int:
    # Everything is drawn twice as often as what is rare. A restart takes as long as a hundred statements.
    if kind == RESTART:
        return 1
    return OFTEN * (1 if kind in RARE else 2 * WEIGHTS.get(kind, 1))


def _made(
    kind: str, table: str, other: str, partition: int, drawn: tuple[Row, ...], number: int
) -> Statement:
    """The statement with what its kind does not use left out, so that equal statements are equal."""
    plain = Statement(kind)
    return Statement(
        kind,
        table,
        other if len(Statement(kind).tables) > 1 and not kind.startswith("rename") else plain.other,
        partition,
        drawn if kind == "insert" else (),
        number,
    )
