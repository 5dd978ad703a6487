"""Histories are drawn from a seed, and every statement, type and kind of table comes up."""

from __future__ import annotations

from random import Random

from helpers.explore.model import tables as model
from helpers.explore.model.schema import DEFAULT_TABLES, KEY_TYPES, PARTITION_BY, VALUE_TYPES
from helpers.explore.model.statements import KINDS, S3_FAULT
from helpers.explore.model.transitions import apply
from helpers.explore.search.generate import sequential

DRAWN = [sequential(Random(seed), KINDS, DEFAULT_TABLES) for seed in range(3000)]


def test_a_seed_is_a_history() -> None:
    assert sequential(Random(7), KINDS, DEFAULT_TABLES) == DRAWN[7] != DRAWN[8]


def test_everything_comes_up() -> None:
    assert {s.kind for history in DRAWN for s in history.statements} == {*KINDS} - {S3_FAULT}
    assert {kind for history in DRAWN for kind in history.kinds.values()} == {*DEFAULT_TABLES}
    assert {history.schema.partition for history in DRAWN} == {*KEY_TYPES, *PARTITION_BY}
    assert {history.schema.key for history in DRAWN} == {*KEY_TYPES}
    assert {history.schema.further for history in DRAWN} == {"", *VALUE_TYPES}


def test_the_model_says_what_most_statements_do() -> None:
    """What is unspecified is not executed."""
    accepted = refused = unspecified = 0
    for history in DRAWN[:300]:
        state = model.initial(history.kinds, history.schema)
        for statement in history.statements:
            outcome = apply(state, statement)
            state = outcome.state
            accepted += outcome.refusal is None and not outcome.unspecified
            refused += outcome.refusal is not None
            unspecified += bool(outcome.unspecified)
    assert accepted > 4 * unspecified, (accepted, refused, unspecified)
    assert refused > unspecified / 2


def test_a_shorter_history_is_also_a_simpler_one() -> None:
    history = next(history for history in DRAWN if len(history.schema.settings) > 1)
    simpler = [shorter for shorter in history.shorter() if shorter.length == history.length]
    assert simpler
    assert all(shorter.weight < history.weight for shorter in simpler)
