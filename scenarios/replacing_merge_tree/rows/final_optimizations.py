"""FINAL with each setting that optimizes queries, one at a time: the rows have to be the same."""

import re

from testflows.asserts import error
from testflows.core import And, Given, Requirements, TestScenario, Then, When

from helpers.cluster.client.session import Row
from helpers.cluster.node import Node
from helpers.scenario.marks import deviates, equivalent
from helpers.scenario.violations import assert_no_violations
from requirements.srs101_replacing_merge_tree import (
    RQ_SRS_101_ClickHouse_ReplacingMergeTree_Final_Optimizations,
    RQ_SRS_101_ClickHouse_ReplacingMergeTree_Partitions_Final,
)
from steps.tables import NO_MERGES, Table, create_table

DEVIATIONS = "final-optimizations"  # the beginning of their ids
# Settings that may change how a query is executed, and not what it returns.
OPTIMIZATION = re.compile(
    "query_plan_.*|optimize_.*|use_(skip|index|primary|partition|stat|top).*|.*_final"
)
OTHERS = re.compile(  # they change what is returned, refuse queries, or are about other statements
    "query_plan_enable_optimizations|optimize_(throw|on_insert|skip_unused|or_like).*|.*exact_mode"
    "|do_not_merge_across.*|apply_.*_after_final|analyzer_compat.*|optimize_distributed.*"
)
SETTINGS = {**NO_MERGES, "allow_nullable_key": 1, "allow_floating_point_partition_key": 1}
# Sorting keys and partition keys, and the inserts: keys, values and versions.
TABLES = {  # 4 variants
    "numbers": ("Int64", "intDiv(k, 10)", ["(1, 'old', 1), (2, 'one', 1)", "(1, 'new', 2)"]),
    "NULL": ("Nullable(Int64)", "", ["(NULL, 'old', 1), (2, 'one', 1)", "(NULL, 'new', 2)"]),
    "nan": ("Float64", "", ["(nan, 'old', 1), (2, 'one', 1)", "(nan, 'new', 2)"]),
    "both zeros": ("Float64", "k", ["(0.0, 'old', 1), (2, 'one', 1)", "(-0.0, 'new', 2)"]),
}
# Queries and the values that they return.
QUERIES = {  # 4 variants
    "": ["new", "one"],
    "WHERE v != 'x'": ["new", "one"],
    "WHERE version > 0 ORDER BY k DESC": ["new", "one"],
    "WHERE v = 'old'": [],
}
SURVIVORS = [(number, v) for number, values in enumerate(QUERIES.values()) for v in values]
SAME = "the rows are those of the survivors with each setting"
LAZY = "WHERE v != 'x': old, one; WHERE version > 0 ORDER BY k DESC: old, one"
TWICE = (
    "all rows: new, old, one; WHERE v != 'x': new, old, one; "
    "WHERE version > 0 ORDER BY k DESC: new, old, one; WHERE v = 'old': old"
)


def optimizations(node: Node) -> dict[str, int]:
    """The settings and their values."""
    settings = node.query(
        "SELECT count() OVER (), name, value FROM system.settings WHERE type = 'Bool'"
    )
    assert {number for number, *_ in settings} == {len(settings)}, error()
    return {
        name: int(value)
        for _, name, value in settings
        if OPTIMIZATION.fullmatch(name) and not OTHERS.fullmatch(name)
    }


def filled(key: str) -> Table:
    """A table with two versions of a key, each in a part of its own, and another key."""
    type_, partition_by, inserts = TABLES[key]
    table = create_table(
        "optimized",
        engine="ReplacingMergeTree(version)",
        columns=f"k {type_}, v String, version UInt8",
        partition_by=partition_by,
        order_by="k",
        settings=SETTINGS,
    )
    for rows in inserts:
        table.node.query(f"INSERT INTO {table} VALUES {rows}")
    return table


@TestScenario
@Requirements(
    RQ_SRS_101_ClickHouse_ReplacingMergeTree_Final_Optimizations("1.0"),
    RQ_SRS_101_ClickHouse_ReplacingMergeTree_Partitions_Final("1.0"),
)
@deviates(
    step=SAME,
    observed={
        "NULL, all": LAZY,
        "NULL, query_plan_optimize_lazy_final = 1": LAZY,
        "both zeros, all": TWICE,
        "both zeros, by default": TWICE,
    },
    reason="the lazy mode looks keys up by IN, which finds no NULL; equal zeros are in two partitions, and "
    "each partition is taken for the only one of its keys",
    kind="bug",
    severity="wrong answer",
    upstream="https://github.com/ClickHouse/ClickHouse/pull/112857",
)
@equivalent(
    mutant="omit[*_*]",
    statement="SELECT 0 AS query, v FROM (SELECT v FROM",
    reason="that a setting changes nothing is what the scenario shows; those that do are recorded",
)
@equivalent(
    mutant="omit[FINAL*]",
    statement="optimized_4 FINAL",
    reason="of equal zeros in two partitions FINAL returns all rows by default: that is the deviation",
)
def no_setting_changes_the_rows(self):
    """SELECT ... FINAL returns the survivors, whichever optimization is switched on or off."""
    violations: dict[str, object] = {}
    for key in TABLES:
        with Given(f"a table with two versions of a key: {key}"):
            table = filled(key)
            defaults = optimizations(table.node)
            assert len(defaults) > 50 and defaults["query_plan_optimize_lazy_final"] == 0, error()

        with When("I read it without optimizations"):
            assert answers(table, dict.fromkeys(defaults, 0)) == SURVIVORS, error()

        with And("I read it with all of them, and with the defaults"):
            by_default = answers(table, {})
            for name, found in {
                "all": answers(table, dict.fromkeys(defaults, 1)),
                "by default": by_default,
            }.items():
                if found != SURVIVORS:
                    violations[f"{key}, {name}"] = described(found)

        with And("I change one default at a time"):
            for name, value in defaults.items():
                found = answers(table, {name: 1 - value})
                if found not in (SURVIVORS, by_default):
                    violations[f"{key}, {name} = {1 - value}"] = described(found)

    with Then(SAME):
        assert_no_violations(violations)


def answers(table: Table, settings: dict[str, int]) -> list[Row]:
    """The number of each query and a value that it returned."""
    queries = [
        f"SELECT {number} AS query, v FROM (SELECT v FROM {table} FINAL {rest})"
        for number, rest in enumerate(QUERIES)
    ]
    return sorted(table.node.query(" UNION ALL ".join(queries), settings=settings))


def described(found: list[Row]) -> str:
    """The values of each query that returned others than the survivors."""
    by_query = {
        rest or "all rows": [v for query, v in found if query == number]
        for number, rest in enumerate(QUERIES)
    }
    return "; ".join(
        f"{rest}: {', '.join(values) or 'none'}"
        for (rest, values), right in zip(by_query.items(), QUERIES.values(), strict=True)
        if values != right
    )
