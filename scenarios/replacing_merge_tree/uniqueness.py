"""What makes rows duplicates: the sorting key, all of it, and nothing else."""

from dataclasses import dataclass

from testflows.asserts import error
from testflows.core import And, Given, Requirements, TestScenario, Then, When

from helpers.cluster.session import Row
from requirements.srs101_replacing_merge_tree import (
    RQ_SRS_101_ClickHouse_ReplacingMergeTree_Uniqueness_PrimaryKey,
    RQ_SRS_101_ClickHouse_ReplacingMergeTree_Uniqueness_SortingKey,
)
from steps.refusals import listed
from steps.replacing import deduplicate, replacing_table
from steps.tables import NO_MERGES


@dataclass(frozen=True)
class Sorting:
    """A sorting key, rows inserted one after the other, and those that have to survive."""

    columns: str
    order_by: str
    rows: tuple[Row, ...]
    survive: tuple[Row, ...]


KEYS = (
    Sorting(
        *("key UInt64, value String", "key"),
        rows=((1, "a"), (1, "b"), (2, "b"), (2, "b")),
        survive=((1, "b"), (2, "b")),
    ),
    Sorting(
        *("a UInt64, b String, value UInt64", "(a, b)"),
        rows=((1, "x", 1), (1, "y", 2), (2, "x", 3), (1, "x", 4)),
        survive=((1, "x", 4), (1, "y", 2), (2, "x", 3)),
    ),
    Sorting(
        *("key UInt64, value String", "intDiv(key, 10)"),
        rows=((11, "a"), (12, "b"), (22, "c")),
        survive=((12, "b"), (22, "c")),
    ),
    Sorting(
        *("name String, value UInt64", "lower(name)"),
        rows=(("Ada", 1), ("ADA", 2), ("Max", 3), ("", 4)),
        survive=(("ADA", 2), ("Max", 3), ("", 4)),
    ),
    Sorting(
        *("key UInt64, value String", "(key % 2, key > 2)"),
        rows=((1, "a"), (2, "b"), (3, "c"), (5, "d"), (4, "e")),
        survive=((1, "a"), (2, "b"), (5, "d"), (4, "e")),
    ),
    Sorting(
        *("key Nullable(UInt64), value String", "key"),
        rows=((None, "a"), (0, "b"), (None, "c")),
        survive=((0, "b"), (None, "c")),
    ),
    Sorting(
        *("key LowCardinality(String), value Float64", "(key, value)"),
        rows=(("a", 0.5), ("a", 0.25), ("a", 0.5)),
        survive=(("a", 0.5), ("a", 0.25)),
    ),
    Sorting(
        *("key UInt64, value String", "tuple()"),
        rows=((1, "a"), (2, "b"), (3, "c")),
        survive=((3, "c"),),
    ),
)


@TestScenario
@Requirements(RQ_SRS_101_ClickHouse_ReplacingMergeTree_Uniqueness_SortingKey("1.0"))
def values_of_the_sorting_key_decide(self):
    """Rows are duplicates if all expressions of ORDER BY are equal, whatever else they hold."""
    wrong = []
    for case in KEYS:
        with When(f"a table is ordered by {case.order_by}"):
            table = replacing_table(
                columns=case.columns,
                order_by=case.order_by,
                settings={**NO_MERGES, "allow_nullable_key": 1},
            )
            found = deduplicate(table, *([row] for row in case.rows))
            wrong += found.wrong(case.survive, f"ORDER BY {case.order_by}")

    with Then("one row is left for each value of it"):
        assert wrong == [], listed("wrong survivors", wrong)


@TestScenario
@Requirements(RQ_SRS_101_ClickHouse_ReplacingMergeTree_Uniqueness_PrimaryKey("1.0"))
def primary_key_does_not_decide(self):
    """Rows with the same primary key stay if they differ in the rest of the sorting key."""
    with Given("a table whose primary key is the first of two sorting columns"):
        prices = replacing_table(
            columns="shop UInt64, product UInt64, price UInt64",
            more="PRIMARY KEY shop",
            order_by="(shop, product)",
        )

    with When("I insert two products of a shop, and one of them again"):
        found = deduplicate(prices, [(1, 1, 10)], [(1, 2, 20)], [(1, 2, 25)])

    with Then("there is a row for each product"):
        assert found.final == [(1, 1, 10), (1, 2, 25)], error()

    with And("a merge leaves the same"):
        assert found.merged == [(1, 1, 10), (1, 2, 25)], error()
