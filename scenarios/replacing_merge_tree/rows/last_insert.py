"""Which row survives where no version decides: the one that came last, as it came."""

from testflows.asserts import error
from testflows.core import And, Given, Requirements, TestScenario, Then, When

from helpers.cluster.client.session import Row
from helpers.scenario.context import this
from helpers.scenario.violations import assert_no_violations
from requirements.srs101_replacing_merge_tree import (
    RQ_SRS_101_ClickHouse_ReplacingMergeTree_Selection_AttachedPart,
    RQ_SRS_101_ClickHouse_ReplacingMergeTree_Selection_LastInsert,
    RQ_SRS_101_ClickHouse_ReplacingMergeTree_Selection_LastRowOfInsert,
    RQ_SRS_101_ClickHouse_ReplacingMergeTree_Selection_WholeRow,
)
from steps.replacing_merge_tree.stored_rows import in_order, part_values, stored, survivors
from steps.replacing_merge_tree.tables import (
    AS_THEY_COME,
    VERTICAL,
    WIDE,
    deduplication_violations,
    insert_each,
    merge,
    merged_by_column,
    replacing_table,
)

# How parts are written and merged: a mixture of rows would come from columns merged one by one.
WRITTEN = {  # 3 variants
    "Compact, Horizontal": {},
    "Wide, Horizontal": WIDE,
    "Wide, Vertical": VERTICAL,
}
COLUMNS = (
    "key UInt64, name String, number Nullable(Int64), list Array(UInt8), flag Bool, "
    "word LowCardinality(Nullable(String)), pair Tuple(UInt8, String)"
)
RICH: list[Row] = [  # 2 variants
    (1, "one", 1, [1, 2], True, "w", (1, "p")),
    (2, "two", 2, [3], True, "v", (2, "q")),
]
POOR: list[Row] = [  # 2 variants
    (1, "", None, [], False, None, (0, "")),
    (2, "two", None, [4], True, None, (9, "")),
]


@TestScenario
@Requirements(RQ_SRS_101_ClickHouse_ReplacingMergeTree_Selection_LastInsert("1.0"))
def most_recent_insert_wins(self):
    """Of the rows that were inserted one after the other the last one survives."""
    with When("I insert one status after the other"):
        statuses = replacing_table()
        violations = deduplication_violations(
            "statuses",
            statuses,
            [(1, "ordered"), (2, "ordered"), (3, "ordered")],
            [(1, "delivered"), (2, "sent")],
            [(2, "cancelled")],
            expected=[(1, "delivered"), (2, "cancelled"), (3, "ordered")],
        )

    with Then("the last one of each is returned by FINAL, and left by a merge"):
        assert_no_violations(violations)

    with And("an insert after the merge wins over what was merged"):
        insert_each(statuses, [(1, "returned")])
        expected = [(1, "returned"), (2, "cancelled"), (3, "ordered")]
        assert survivors(statuses) == expected, error()


@TestScenario
@Requirements(RQ_SRS_101_ClickHouse_ReplacingMergeTree_Selection_LastRowOfInsert("1.0"))
def last_row_of_an_insert_wins(self):
    """Of the duplicates in one insert the last one survives, whenever it is that they are compared."""
    with Given("rows in which each key comes many times"):
        numbers = this().random.choices(range(20), k=2000)
        rows = [(key, f"row {position}") for position, key in enumerate(numbers)]
        last = in_order(dict(rows).items())
        assert len(last) == 20, error()

    with When("they are written as they come"):
        violations = deduplication_violations(
            *("as they come", replacing_table(), rows), expected=last, settings=AS_THEY_COME
        )

    with Then("FINAL and a merge leave the last row of each key"):
        assert_no_violations(violations)

    with And("an insert that compares them itself writes these rows only"):
        table = replacing_table()
        insert_each(table, rows)
        assert stored(table) == last, error()


@TestScenario
@Requirements(RQ_SRS_101_ClickHouse_ReplacingMergeTree_Selection_AttachedPart("1.0"))
def attached_part_counts_as_the_last_insert(self):
    """A part that is detached and attached again wins over what was inserted in between."""
    with Given("a part that was detached, and a newer row"):
        table = replacing_table()
        insert_each(table, [(1, "detached"), (2, "detached")])
        (old,) = part_values(table)
        table.node.query(f"ALTER TABLE {table} DETACH PART '{old}'")
        between = [(1, "in between"), (3, "in between")]
        insert_each(table, between)
        assert stored(table) == between, error()

    with When("I attach it"):
        table.node.query(f"ALTER TABLE {table} ATTACH PART '{old}'")
        expected = in_order([(1, "detached"), (2, "detached"), *between])
        assert stored(table) == expected, error()

    with Then("its rows survive"):
        expected = [(1, "detached"), (2, "detached"), (3, "in between")]
        assert survivors(table) == expected, error()

    with And("so they do after a merge"):
        merge(table)
        assert stored(table) == expected, error()


@TestScenario
@Requirements(RQ_SRS_101_ClickHouse_ReplacingMergeTree_Selection_WholeRow("1.0"))
def survivor_is_never_a_mixture(self):
    """All columns of the survivor are its own, also where it has nothing to tell and others had."""
    violations: dict[str, object] = {}
    with Given(
        "duplicates that differ in each of the columns, one that has nothing to tell in any"
    ):
        differing = [
            {n for n in range(len(rich)) if rich[n] != poor[n]}
            for rich, poor in zip(RICH, POOR, strict=True)
        ]
        assert differing[0] == {*range(1, 7)} and {2, 3} < differing[1] < differing[0], error()

    for name, settings in WRITTEN.items():
        for order, inserts in {"poor last": (RICH, POOR), "rich last": (POOR, RICH)}.items():
            with When(f"duplicates differ in all columns: {name}, {order}"):
                table = replacing_table(columns=COLUMNS, settings=settings)
                violations |= deduplication_violations(
                    f"{name}, {order}", table, *inserts, expected=inserts[-1]
                )
                assert part_values(table, "part_type") == [name.split(", ")[0]], error()
                assert merged_by_column(table) == [(table.name, "Vertical" in name)], error()

    with Then("the survivor is the row as it was inserted"):
        assert_no_violations(violations)
