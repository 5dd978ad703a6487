"""Rows lie in a part in the order of the sorting key."""

from collections.abc import Callable, Mapping
from random import Random
from typing import Any

from testflows.asserts import error
from testflows.core import And, Given, Requirements, TestScenario, Then, When

from helpers.scenario.context import this
from requirements.srs102_table_parts import RQ_SRS_102_ClickHouse_TableParts_Insert_Sorted
from steps.table_parts.part_files import numbers_of
from steps.table_parts.part_life import FORMATS, active_parts, rows_by_part, sorted_rows
from steps.tables import NO_MERGES, create_table, insert

OWNERS = ("ant", "Bee", "cat", "", "élan")
# Sorting keys, and where a row (p, i, owner) has its place by each of them.
KEYS: Mapping[str, Callable[[int, int, str], Any]] = {  # 6 variants
    "i": lambda p, i, owner: i,
    "(p, i)": lambda p, i, owner: (p, i),
    "(owner, i)": lambda p, i, owner: (owner.encode(), i),
    "(i % 7, owner)": lambda p, i, owner: (i % 7, owner.encode()),
    "negate(i)": lambda p, i, owner: -i,
    "(p, i DESC)": lambda p, i, owner: (p, -i),
}


def random_rows(partitions: int) -> list[tuple[int, int, str]]:
    return drawn_rows(this().random, partitions)


def drawn_rows(dice: Random, partitions: int) -> list[tuple[int, int, str]]:
    numbers = dice.sample(range(1_000_000), 200)
    return [(dice.randrange(partitions), number, dice.choice(OWNERS)) for number in numbers]


@TestScenario
@Requirements(RQ_SRS_102_ClickHouse_TableParts_Insert_Sorted("1.0"))
def parts_are_in_the_order_of_the_key(self):
    """Rows inserted in a random order are read from their part, by position, in the key's order."""
    violations, checked = [], 0
    for key, place in KEYS.items():
        for kind, formats in FORMATS.items():
            with When(f"I insert random rows into a {kind} part ordered by {key}"):
                settings = {
                    **NO_MERGES,
                    **formats,
                    "allow_experimental_reverse_key": 1,
                }
                table = create_table(
                    "sorted", order_by=key, partition_by="p % 2", settings=settings
                )
                rows = random_rows(4)
                insert(table, rows)
                kinds = [part.kind for part in active_parts(table).values()]
                assert kinds == [kind, kind], error()

                read = rows_by_part(table)
                if sorted_rows(read) != sorted(rows):
                    violations.append(f"{key}, {kind}: other rows than inserted")
                for part in read.values():
                    places = [place(*row) for row in part]
                    given = [place(*row) for row in rows if row in part]
                    assert given != sorted(given), "it proves nothing: inserted in order"
                    checked += 1
                    if places != sorted(places):
                        violations.append(f"{key}, {kind}: not in order: {places[:5]} …")

    with Then("every part has its rows in order"):
        assert violations == [], error()

    with And("there were parts of all kinds"):
        assert checked == 2 * len(KEYS) * len(FORMATS), error()


@TestScenario
@Requirements(RQ_SRS_102_ClickHouse_TableParts_Insert_Sorted("1.0"))
def primary_index_is_in_order(self):
    """On disk too: an index with an entry for each row has them in the order of the key."""
    with Given("a table whose index has every row's key, uncompressed"):
        settings = {**NO_MERGES, "index_granularity": 1, "compress_primary_key": 0}
        table = create_table("indexed", partition_by="", settings=settings)

    with When("I insert rows in a random order"):
        rows = random_rows(4)
        insert(table, rows)

    with Then("the file of the index has all keys in order"):
        (part,) = active_parts(table).values()
        keys = sorted(row[1] for row in rows)
        # Behind the last row stands a final mark, with the last key once more.
        assert numbers_of((part.folder / "primary.idx").read_bytes()) == [*keys, keys[-1]], error()
