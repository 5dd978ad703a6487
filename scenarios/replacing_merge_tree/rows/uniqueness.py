"""What makes rows duplicates: the sorting key, all of it, and nothing else."""

from dataclasses import dataclass

from testflows.asserts import error
from testflows.core import And, Requirements, TestScenario, Then, When

from helpers.cluster.client.session import Row
from helpers.scenario.violations import assert_no_violations
from requirements.srs101_replacing_merge_tree import (
    RQ_SRS_101_ClickHouse_ReplacingMergeTree_Uniqueness_PrimaryKey,
    RQ_SRS_101_ClickHouse_ReplacingMergeTree_Uniqueness_SortingKey,
)
from steps.replacing_merge_tree.stored_rows import keys_of
from steps.replacing_merge_tree.tables import deduplication_violations, replacing_table


@dataclass(frozen=True)
class Sorting:
    """A sorting key, rows inserted one after the other, and those that have to survive."""

    columns: str
    order_by: str
    rows: tuple[Row, ...]
    survive: tuple[Row, ...]
    primary_key: str = ""


KEYS = (  # 9 variants
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
    Sorting(
        *("shop UInt64, product UInt64, price UInt64", "(shop, product)"),
        rows=((1, 1, 10), (1, 2, 20), (1, 2, 25), (2, 1, 30)),
        survive=((1, 1, 10), (1, 2, 25), (2, 1, 30)),
        primary_key="shop",
    ),
)
# Written out again, so that a key that is left out of the loop is missed.
TRIED = [
    *("key", "(a, b)", "intDiv(key, 10)", "lower(name)", "(key % 2, key > 2)"),
    *("key", "(key, value)", "tuple()", "(shop, product)"),
]


@TestScenario
@Requirements(
    RQ_SRS_101_ClickHouse_ReplacingMergeTree_Uniqueness_SortingKey("1.0"),
    RQ_SRS_101_ClickHouse_ReplacingMergeTree_Uniqueness_PrimaryKey("1.0"),
)
def values_of_the_sorting_key_decide(self):
    """Rows are duplicates if all expressions of ORDER BY are equal, whatever else they hold; a primary
    key that is shorter does not make them so."""
    violations: dict[str, object] = {}
    tried = []
    for case in KEYS:
        with When(f"a table is ordered by {case.order_by}, its primary key '{case.primary_key}'"):
            table = replacing_table(
                columns=case.columns,
                order_by=case.order_by,
                settings={"allow_nullable_key": 1} if "Nullable" in case.columns else None,
                more=f"PRIMARY KEY {case.primary_key}" if case.primary_key else "",
            )
            if case.primary_key:
                keys = ("", case.order_by.strip("()"), case.primary_key, "")
                assert keys_of(table) == keys, error()
            violations |= deduplication_violations(
                f"ORDER BY {case.order_by}",
                table,
                *([row] for row in case.rows),
                expected=case.survive,
            )
            tried.append(case.order_by)

    with Then("keys of one column, of several, of expressions and of none were tried"):
        assert tried == TRIED, error()

    with And("one row is left for each value of it"):
        assert_no_violations(violations)
