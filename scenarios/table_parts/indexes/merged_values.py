"""Conditions on values that FINAL computes, with skip indexes that know the values before the merge."""

from testflows.asserts import error
from testflows.core import And, Given, Requirements, TestScenario, Then, When

from helpers.scenario.marks import deviates
from helpers.scenario.violations import assert_no_violations
from requirements.srs102_table_parts import RQ_SRS_102_ClickHouse_TableParts_Indexes_MergedValues
from steps.tables import Table, create_table

DEVIATIONS = "indexes-merged-values"  # the beginning of their ids
INDEXES = {"minmax": "minmax", "set": "set(0)", "bloom filter": "bloom_filter"}  # 3 variants
# What engines make of the values 1 and 3 of one key: the engine, the type of the column, the merged value.
ENGINES = {  # 5 variants
    "summing": ("SummingMergeTree(v)", "UInt64", 4),
    "aggregating, sum": ("AggregatingMergeTree", "SimpleAggregateFunction(sum, UInt64)", 4),
    "aggregating, max": ("AggregatingMergeTree", "SimpleAggregateFunction(max, UInt64)", 3),
    "replacing": ("ReplacingMergeTree", "UInt64", 3),
    "coalescing": ("CoalescingMergeTree(v)", "Nullable(UInt64)", 3),
}
CONDITIONS = ("v = {merged}", "v > {merged} - 1", "v = 1", "v < {merged}")  # 4 variants
FOUND = "FINAL finds the merged row where its value fulfils the condition, and only there"
LOST = "no row"
# The sum is no value of any granule: an index on them says that nothing can be found.
OBSERVED = {
    f"{engine}, {index}, {condition}": LOST
    for engine in ("summing", "aggregating, sum")
    for index, conditions in {
        "minmax": ("v = 4", "v > 4 - 1"),
        "set": ("v = 4", "v > 4 - 1"),
        "bloom filter": ("v = 4",),
    }.items()
    for condition in conditions
}


def two_parts(engine: str, column: str, index: str) -> Table:
    """A table of two parts with one row of the same key each, of the values 1 and 3."""
    table = create_table(
        "merged",
        columns=f"i UInt8, v {column}, INDEX small v TYPE {index} GRANULARITY 1",
        engine=engine,
        partition_by="",
    )
    for value in (1, 3):
        table.node.query(f"INSERT INTO {table} VALUES (1, {value})")
    values = [value for (value,) in table.node.query(f"SELECT v FROM {table} ORDER BY v")]
    assert values == [1, 3], error()
    return table


@TestScenario
@Requirements(RQ_SRS_102_ClickHouse_TableParts_Indexes_MergedValues("1.0"))
@deviates(
    step=FOUND,
    observed=OBSERVED,
    reason="a skip index excludes the granules of all parts by their values before they are added up, and "
    "use_skip_indexes_if_final_exact_mode looks again only where some granule is left",
    kind="bug",
    severity="wrong answer",
)
def final_finds_merged_values(self):
    """SELECT ... FINAL with a condition on a value that only the merge makes."""
    violations: dict[str, str] = {}
    for name, (engine, column, merged) in ENGINES.items():
        for kind, index in INDEXES.items():
            with Given(f"two parts of a key, {name}, with an index {kind}"):
                table = two_parts(engine, column, index)

            with And("without the index FINAL finds the merged value"):
                whole = f"SELECT i, v FROM {table} FINAL SETTINGS use_skip_indexes = 0"
                assert table.node.query(whole) == [(1, merged)], error()

            for condition in CONDITIONS:
                text = condition.format(merged=merged)
                with When(f"I ask for {text}"):
                    found = table.node.query(f"SELECT i, v FROM {table} FINAL WHERE {text}")
                    expected = [(1, merged)] if _holds(condition) else []
                    if found != expected:
                        violations[f"{name}, {kind}, {text}"] = str(found) if found else LOST

    with Then(FOUND):
        assert_no_violations(violations)


def _holds(condition: str) -> bool:
    """Whether the merged value fulfils a condition: it is greater than both values, or the greater one."""
    return condition in CONDITIONS[:2]
