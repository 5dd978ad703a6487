"""Random fixtures: whatever the seed, values differ where a scenario needs them to differ."""

from __future__ import annotations

import itertools
import re
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from random import Random
from types import SimpleNamespace
from typing import Any

import pytest

from helpers.base.paths import ROOT
from helpers.scenario import context
from helpers.scenario.drawing import DistinctNumbers
from scenarios.replacing_merge_tree.rows import final, histories
from scenarios.table_parts.inserts import sorted as insert_sorted
from scenarios.table_parts.merges import merged_rows as merges
from steps import engines, storage, tables
from steps.replace_partition import column_changes, deduplication, encodings, versions
from steps.replacing_merge_tree.history import KINDS
from steps.replacing_merge_tree.history_coverage import telling_plans

SEEDS = 10_000
# A plan of histories takes 20 ms and draws again by itself where it proves too little.
PLANNED_SEEDS = 50
PAIR = ("source", "destination")
Drawing = Callable[[Random, DistinctNumbers], None]


def assert_distinct(values: Iterable[object]) -> None:
    values = list(values)
    assert len(set(values)) == len(values), f"something comes twice: {sorted(values, key=repr)}"


def assert_numbers_are_distinct(rows: Iterable[tuple[Any, ...]]) -> None:
    rows = list(rows)
    assert not tables.repeated_numbers(rows)
    assert {row[1] % 2 for row in rows} == {0, 1}, "a condition on i % 2 chooses all rows or none"


def filled_tables(random: Random, numbers: DistinctNumbers) -> None:
    """Two tables of three partitions with two parts each; every part can be told by `i % 2`."""
    rows: list[tuple[Any, ...]] = []
    for name in PAIR:
        parts = tables.drawn_parts(numbers, name, (1, 2, 3), rows=10, parts=2)
        for part in parts:
            assert_numbers_are_distinct(part)
            rows += part
    assert len(rows) == 2 * 3 * 2 * 10
    assert_numbers_are_distinct(rows)


def tables_of_versions(random: Random, numbers: DistinctNumbers) -> None:
    assert_numbers_are_distinct(row for name in PAIR for row in versions.drawn_rows(numbers, name))


def tables_on_disks(random: Random, numbers: DistinctNumbers) -> None:
    """Two tables of two layers: parts of one partition on two disks."""
    layers = [storage.drawn_layer(numbers, name, (0, 1, 2)) for name in PAIR * 2]
    assert_numbers_are_distinct(row for layer in layers for row in layer)


def tables_of_a_family(random: Random, numbers: DistinctNumbers) -> None:
    rows = [engines.drawn_family_rows(numbers, name) for name in PAIR]
    assert_numbers_are_distinct(itertools.chain(*rows))


def tables_with_an_extra_column(random: Random, numbers: DistinctNumbers) -> None:
    rows = [column_changes.drawn_rows(numbers, name) for name in PAIR]
    assert_numbers_are_distinct(itertools.chain(*rows))


def encoded_tables(random: Random, numbers: DistinctNumbers) -> None:
    rows = [row for name in PAIR for row in encodings.drawn_rows(random, name, (1, 2))]
    assert_distinct(row[1] for row in rows)
    assert_distinct(row[2] for row in rows)


def histories_of_families(random: Random, numbers: DistinctNumbers) -> None:
    """A key has another version and another value in every part, and the destination has newer ones."""
    for family in deduplication.FAMILIES:
        old = family.drawn_history(random, range(6), parts=3, since=0)
        new = family.drawn_history(random, [*range(6), 99], parts=2, since=1000)
        assert family.expected(old) != family.expected(new)
        if family.takes_back or "Graphite" in family.engine or "Coalescing" in family.engine:
            continue
        for key in range(6):
            of_key = [row for part in old for row in part if row[1] == key]
            assert_distinct(row[2] for row in of_key)
            assert_distinct(row[4] for row in of_key)
            newer = [row[4] for part in new for row in part if row[1] == key]
            assert max(row[4] for row in of_key) < min(newer)


def rows_in_a_random_order(random: Random, numbers: DistinctNumbers) -> None:
    rows = insert_sorted.drawn_rows(random, 4)
    assert_distinct(row[1] for row in rows)
    for partition in (0, 1):
        of_part = [row for row in rows if row[0] % 2 == partition]
        for place in insert_sorted.KEYS.values():
            places = [place(*row) for row in of_part]
            assert places != sorted(places), "inserted in order"


def rows_that_come_again(random: Random, numbers: DistinctNumbers) -> None:
    rows = [row for part in range(5) for row in merges.drawn_rows(random, part)]
    assert 0 < len(set(rows)) < len(rows), "no two rows are equal"


def rows_that_final_decides(random: Random, numbers: DistinctNumbers) -> None:
    assert final.telling_survivors(final.drawn_inserts(random))


GENERATORS: tuple[Drawing, ...] = (
    filled_tables,
    tables_of_versions,
    tables_on_disks,
    tables_of_a_family,
    tables_with_an_extra_column,
    encoded_tables,
    histories_of_families,
    rows_in_a_random_order,
    rows_that_come_again,
    rows_that_final_decides,
)
# It takes a millisecond, and chance could only make two hundred random rows sorted.
SLOW = {rows_in_a_random_order, histories_of_families, rows_that_final_decides}


@pytest.mark.parametrize("generator", GENERATORS, ids=lambda generator: generator.__name__)
def test_no_seed_draws_a_fixture_that_proves_nothing(generator: Drawing) -> None:
    for seed in range(SEEDS):
        random = Random(seed)
        try:
            generator(random, DistinctNumbers(random))
        except AssertionError as failed:
            raise AssertionError(f"seed {seed}: {failed}") from None


def test_two_draws_share_no_number_where_a_sample_would() -> None:
    """The control: parts that are sampled by themselves do collide within so many seeds."""
    collided = 0
    for seed in range(SEEDS):
        random = Random(seed)
        rows = [
            (1, number, name) for name in PAIR * 6 for number in random.sample(range(1_000_000), 10)
        ]
        collided += bool(tables.repeated_numbers(rows))
    assert 0 < collided < SEEDS / 50


@contextmanager
def scenario_with(seed: int) -> Iterator[None]:
    """What steps ask the running scenario for, as far as drawing goes."""
    random = Random(seed)
    stand_in: Any = SimpleNamespace(random=random, numbers=DistinctNumbers(random))
    context.set_current(stand_in)
    try:
        yield
    finally:
        context.set_current(None)


def test_no_seed_plans_histories_that_prove_too_little() -> None:
    for seed, kind in itertools.product(range(PLANNED_SEEDS), KINDS):
        with scenario_with(seed):
            assert telling_plans(kind, histories.COPIES, histories.OPERATIONS)


def test_runs_do_not_overlap() -> None:
    for seed in range(SEEDS):
        numbers = DistinctNumbers(Random(seed), below=4000)
        assert_distinct([*numbers.draw_run(30), *numbers.draw(20), *numbers.draw_run(30)])


def test_numbers_run_out_with_an_error() -> None:
    numbers = DistinctNumbers(Random(1), below=100)
    numbers.draw(50)
    for draw in (numbers.draw, numbers.draw_run):
        with pytest.raises(ValueError, match="Cannot draw 1 distinct numbers below 100: 50 are"):
            draw(1)


def test_the_same_seed_draws_the_same_numbers() -> None:
    assert DistinctNumbers(Random(7)).draw(5) == DistinctNumbers(Random(7)).draw(5)


def test_nothing_samples_numbers_by_itself() -> None:
    """Numbers of rows come from `this().numbers`; a sample of a part knows nothing of other parts."""
    own = re.compile(r"random\.(?:sample\(range|randrange)\(1_000_000\)")
    files = [file for name in ("steps", "scenarios") for file in (ROOT / name).rglob("*.py")]
    found = [str(Path(file).relative_to(ROOT)) for file in files if own.search(file.read_text())]
    assert found == ["scenarios/replacing_merge_tree/tables/create.py"], (
        "rows of two tables that are equal"
    )
