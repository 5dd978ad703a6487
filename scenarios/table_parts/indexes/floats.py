"""Conditions on columns with nan, inf and both zeros, which indexes order differently from conditions."""

from typing import Any

from testflows.asserts import error
from testflows.core import And, Given, Requirements, TestScenario, Then, When

from helpers.scenario.marks import deviates, equivalent
from helpers.scenario.violations import assert_no_violations
from requirements.srs102_table_parts import (
    RQ_SRS_102_ClickHouse_TableParts_Indexes_SpecialFloats,
)
from steps.tables import Table, create_table

DEVIATIONS = "indexes-floats"  # the beginning of their ids
VALUES = ("nan", "-0.0", "0.0", "1", "5", "inf")  # 6 variants
INSERT = f"INSERT INTO {{table}} VALUES {', '.join(f'({v}, {i})' for i, v in enumerate(VALUES))}"
SMALL_GRANULES = {"index_granularity": 2, "min_bytes_for_wide_part": 0}
FLOAT_PARTITIONS = {**SMALL_GRANULES, "allow_floating_point_partition_key": 1}


def with_index(kind: str) -> str:
    return f"f Float64, i UInt8, INDEX small f TYPE {kind} GRANULARITY 1"


# How the column takes part in what is left out: arguments of the table.
LAYOUTS: dict[str, dict[str, Any]] = {  # 7 variants
    "partition key": {"partition_by": "f", "settings": FLOAT_PARTITIONS},
    "in the partition key": {"partition_by": "f > 3", "settings": SMALL_GRANULES},
    "primary key": {"order_by": "f", "settings": SMALL_GRANULES},
    "minmax index": {"columns": with_index("minmax"), "settings": SMALL_GRANULES},
    "set index": {"columns": with_index("set(0)"), "settings": SMALL_GRANULES},
    "bloom filter": {"columns": with_index("bloom_filter"), "settings": SMALL_GRANULES},
    "statistics": {"columns": "f Float64 STATISTICS(minmax, uniq), i UInt8"},
}
CONDITIONS = (  # 2 variants
    *("f = 0", "f != 0", "f IN (0.0)", "f NOT IN (0.0)", "f NOT IN (1, 5)", "f IN (nan)"),
    *("f > 3", "NOT f > 3", "f != 1", "NOT f <= 9", "isNaN(f)", "NOT (f >= 0 AND f <= 9)"),
)
FOUND = "the rows are those for which the condition is true"
# The values whose rows are missing, by layout and condition.
BOUNDS = {"NOT f <= 9": "nan", "NOT (f >= 0 AND f <= 9)": "nan"}
LOST: dict[str, dict[str, str]] = {  # 7 variants
    "partition key": {**BOUNDS, "NOT f > 3": "nan", "f NOT IN (0.0)": "-0.0"},
    "in the partition key": {**BOUNDS, "f IN (nan)": "nan"},
    "primary key": {"NOT f > 3": "nan"},
    "minmax index": {
        **BOUNDS,
        "f != 0": "nan",
        "f IN (nan)": "nan",
        "f NOT IN (0.0)": "nan, -0.0",
    },
    "set index": BOUNDS,
    "bloom filter": {"f = 0": "-0.0"},
    "statistics": {"f IN (nan)": "nan"},
}


def filled(layout: str) -> Table:
    options: dict[str, Any] = {
        "columns": "f Float64, i UInt8",
        "order_by": "i",
        "partition_by": "",
        "settings": {},
    }
    table = create_table("floats", **{**options, **LAYOUTS[layout]})
    with_statistics = {"materialize_statistics_on_insert": 1} if layout == "statistics" else None
    table.node.query(INSERT.format(table=table), settings=with_statistics)
    return table


@TestScenario
@Requirements(RQ_SRS_102_ClickHouse_TableParts_Indexes_SpecialFloats("1.0"))
@deviates(
    step=FOUND,
    observed={
        f"{layout}, {condition}": f"without {values}"
        for layout, of_layout in LOST.items()
        for condition, values in of_layout.items()
    },
    reason="parts and granules keep their smallest and largest value without nan; conditions compare zeros "
    "by value, and sets and hashes by bits: what is left out has rows of the result",
    kind="bug",
    severity="wrong answer",
    upstream="https://github.com/ClickHouse/ClickHouse/issues/121481",
)
@equivalent(
    mutant="other-table*",
    statement="groupArrayIf(i, (f = 0) = 1)",
    reason="the tables of all layouts have the same rows",
)
@equivalent(
    mutant="first-variant",
    statement="groupArrayIf(i, (f = 0) = 1)",
    reason="the tables of all layouts have the same rows",
)
def conditions_find_their_rows(self):
    """A query returns each row for which its condition is true, however parts and granules are chosen."""
    violations: dict[str, object] = {}
    for layout in LAYOUTS:
        with Given(f"a table with special floats: {layout}"):
            table = filled(layout)
            (answers,) = table.node.query(
                f"SELECT {', '.join(f'groupArrayIf(i, ({c}) = 1)' for c in CONDITIONS)} FROM {table}"
            )
            expected = dict(zip(CONDITIONS, map(sorted, answers), strict=True))

        with When("I read it with each condition"):
            for condition in CONDITIONS:
                rows = sorted(table.node.column(f"SELECT i FROM {table} WHERE {condition}"))
                if rows != expected[condition]:
                    missing = [VALUES[i] for i in expected[condition] if i not in rows]
                    violations[f"{layout}, {condition}"] = f"without {', '.join(missing)}"

    with Then("the conditions are true for some rows, and not for all"):
        assert all(0 < len(rows) < len(VALUES) for rows in expected.values()), error()

    with And(FOUND):
        assert_no_violations(violations)
