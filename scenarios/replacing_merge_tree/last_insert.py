"""Which row survives where no version decides: the one that came last, as it came."""

from testflows.asserts import error
from testflows.core import And, Given, Requirements, TestScenario, Then, When

from helpers.cluster.session import Row
from helpers.context import this
from requirements.srs101_replacing_merge_tree import (
    RQ_SRS_101_ClickHouse_ReplacingMergeTree_Selection_AttachedPart,
    RQ_SRS_101_ClickHouse_ReplacingMergeTree_Selection_LastInsert,
    RQ_SRS_101_ClickHouse_ReplacingMergeTree_Selection_LastRowOfInsert,
    RQ_SRS_101_ClickHouse_ReplacingMergeTree_Selection_WholeRow,
)
from steps.parts import parts
from steps.refusals import listed
from steps.replacing import (
    AS_THEY_COME,
    Deduplicated,
    deduplicate,
    insert_each,
    merge,
    replacing_table,
    stored,
    survivors,
)
from steps.tables import NO_MERGES

# How parts are written and merged: a mixture of rows would come from columns merged one by one.
VERTICAL = {
    "vertical_merge_algorithm_min_rows_to_activate": 1,
    "vertical_merge_algorithm_min_columns_to_activate": 1,
}
WIDE = {"min_bytes_for_wide_part": 0, "min_rows_for_wide_part": 0}
WRITTEN = {
    "compact": NO_MERGES,
    "wide": {**NO_MERGES, **WIDE},
    "wide, merged column by column": {**NO_MERGES, **WIDE, **VERTICAL},
}


@TestScenario
@Requirements(RQ_SRS_101_ClickHouse_ReplacingMergeTree_Selection_LastInsert("1.0"))
def most_recent_insert_wins(self):
    """Of the rows that were inserted one after the other the last one survives."""
    with Given("a table of statuses"):
        statuses = replacing_table()

    with When("I insert one status after the other"):
        found = deduplicate(
            statuses,
            [(1, "ordered"), (2, "ordered"), (3, "ordered")],
            [(1, "delivered"), (2, "sent")],
            [(2, "cancelled")],
        )

    with Then("the last one of each is there"):
        expected = [(1, "delivered"), (2, "cancelled"), (3, "ordered")]
        assert found.final == expected, error()

    with And("a merge leaves the same"):
        assert found.merged == expected, error()

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
        last = sorted(dict(rows).items())
        assert len(last) == 20, error()

    with When("the insert itself compares them"):
        table = replacing_table()
        insert_each(table, rows)

    with Then("it writes the last row of each key"):
        assert stored(table) == sorted(last, key=repr), error()

    with When("they are written as they come"):
        table = replacing_table()
        insert_each(table, rows, settings=AS_THEY_COME)
        assert stored(table) == sorted(rows, key=repr), error()
        final = survivors(table)
        merge(table)
        wrong = Deduplicated(final, stored(table)).wrong(last, "written as they come")

    with Then("FINAL and a merge leave the last row of each key"):
        assert wrong == [], listed("wrong survivors", wrong)


@TestScenario
@Requirements(RQ_SRS_101_ClickHouse_ReplacingMergeTree_Selection_WholeRow("1.0"))
def survivor_is_never_a_mixture(self):
    """All columns of the survivor are its own, also where it has nothing to tell and others had."""
    columns = (
        "key UInt64, name String, number Nullable(Int64), list Array(UInt8), flag Bool, "
        "word LowCardinality(Nullable(String)), pair Tuple(UInt8, String)"
    )
    rich: list[Row] = [
        (1, "one", 1, [1, 2], True, "w", (1, "p")),
        (2, "two", 2, [3], True, "v", (2, "q")),
    ]
    poor: list[Row] = [
        (1, "", None, [], False, None, (0, "")),
        (2, "two", None, [4], True, None, (9, "")),
    ]
    wrong = []
    for name, settings in WRITTEN.items():
        for order, inserts in {"poor last": (rich, poor), "rich last": (poor, rich)}.items():
            with When(f"duplicates differ in all columns: {name}, {order}"):
                table = replacing_table(columns=columns, settings=settings)
                wrong += deduplicate(table, *inserts).wrong(inserts[-1], f"{name}, {order}")

    with Then("the survivor is the row as it was inserted"):
        assert wrong == [], listed("wrong survivors", wrong)


@TestScenario
@Requirements(RQ_SRS_101_ClickHouse_ReplacingMergeTree_Selection_AttachedPart("1.0"))
def attached_part_counts_as_the_last_insert(self):
    """A part that is detached and attached again wins over what was inserted in between."""
    with Given("a part that was detached, and a newer row"):
        table = replacing_table()
        insert_each(table, [(1, "detached"), (2, "detached")])
        (old,) = parts(table)
        table.node.query(f"ALTER TABLE {table} DETACH PART '{old.name}'")
        insert_each(table, [(1, "in between"), (3, "in between")])
        assert stored(table) == [(1, "in between"), (3, "in between")], error()

    with When("I attach it"):
        table.node.query(f"ALTER TABLE {table} ATTACH PART '{old.name}'")
        assert len(stored(table)) == 4, error()

    with Then("its rows survive"):
        expected = [(1, "detached"), (2, "detached"), (3, "in between")]
        assert survivors(table) == expected, error()

    with And("so they do after a merge"):
        merge(table)
        assert stored(table) == expected, error()
