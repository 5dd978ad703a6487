"""Cleanups: merges that remove what is deleted, and with it the memory that it was."""

from testflows.asserts import error
from testflows.core import And, Given, Requirements, TestScenario, Then, When

from requirements.srs101_replacing_merge_tree import (
    RQ_SRS_101_ClickHouse_ReplacingMergeTree_Cleanup,
    RQ_SRS_101_ClickHouse_ReplacingMergeTree_Cleanup_ForgetsVersion,
    RQ_SRS_101_ClickHouse_ReplacingMergeTree_Cleanup_NotAllowed,
)
from steps.refusals import listed, wrong_refusal
from steps.replacing import insert_each, merge, replacing_table, stored, survivors
from steps.tables import NO_MERGES, Table

SUPPORT_IS_DISABLED = 344
SETTING = "allow_experimental_replacing_merge_with_cleanup"
CLEANUP = "FINAL CLEANUP"
# Keys: deleted, never deleted, deleted and back, deleted by an outdated row, deleted alone, replaced.
INSERTS = (
    [(1, "a", 1, 0), (2, "b", 1, 0), (3, "c", 1, 0), (4, "d", 5, 0), (6, "f", 1, 0)],
    [(1, "a", 2, 1), (3, "c", 2, 1), (4, "d", 4, 1), (5, "e", 1, 1), (6, "newer", 2, 0)],
    [(3, "back", 3, 0)],
)
LEFT = [(2, "b", 1, 0), (3, "back", 3, 0), (4, "d", 5, 0), (6, "newer", 2, 0)]


def cleanable(partition_by: str = "") -> Table:
    return replacing_table(
        "version, deleted", partition_by=partition_by, settings={**NO_MERGES, SETTING: 1}
    )


@TestScenario
@Requirements(RQ_SRS_101_ClickHouse_ReplacingMergeTree_Cleanup("1.0"))
def deleted_keys_are_removed(self):
    """Nothing is left of a key whose surviving row is a deletion row; all other survivors are."""
    for partition_by in ("", "key % 3"):
        with Given(f"keys with every kind of past, partitioned by '{partition_by}'"):
            table = cleanable(partition_by)
            insert_each(table, *INSERTS)
            assert stored(table) == sorted(row for rows in INSERTS for row in rows), error()

        with When("I clean up"):
            merge(table, CLEANUP)

        with Then("only the state rows that survived are left"):
            assert stored(table) == LEFT, error()


@TestScenario
@Requirements(RQ_SRS_101_ClickHouse_ReplacingMergeTree_Cleanup("1.0"))
def single_part_is_cleaned_up(self):
    """A cleanup removes deletion rows that a merge has kept, although there is nothing to merge."""
    with Given("a single part with a deletion row in it"):
        table = cleanable()
        insert_each(table, *INSERTS)
        merge(table)
        assert [row for row in stored(table) if row[3]] == [(1, "a", 2, 1), (5, "e", 1, 1)], error()

    with When("I clean up"):
        merge(table, CLEANUP)

    with Then("only the state rows that survived are left"):
        assert stored(table) == LEFT, error()


@TestScenario
@Requirements(RQ_SRS_101_ClickHouse_ReplacingMergeTree_Cleanup_ForgetsVersion("1.0"))
def older_row_comes_late(self):
    """After a cleanup nobody knows that the key was deleted with a greater version."""
    late = (1, "late", 1, 0)
    with Given("a key deleted with version 2, in one table cleaned up and in another not"):
        cleaned, merged = cleanable(), cleanable()
        for table in (cleaned, merged):
            insert_each(table, *INSERTS)
        merge(cleaned, CLEANUP)
        merge(merged)

    with When("a state row with version 1 is inserted into both"):
        for table in (cleaned, merged):
            insert_each(table, [late])

    with Then("the cleaned table shows it"):
        assert survivors(cleaned) == [late, *LEFT], error()

    with And("the other one does not"):
        assert survivors(merged) == LEFT, error()


@TestScenario
@Requirements(RQ_SRS_101_ClickHouse_ReplacingMergeTree_Cleanup_NotAllowed("1.0"))
def refused_unless_the_table_allows_it(self):
    """Without the table's setting a cleanup is refused, and all stays as it is."""
    wrong = []
    for name, settings in {"by default": {}, "switched off": {SETTING: 0}}.items():
        with When(f"I clean up a table that does not allow it {name}"):
            table = replacing_table("version, deleted", settings={**NO_MERGES, **settings})
            insert_each(table, *INSERTS)
            found = wrong_refusal(
                table,
                f"OPTIMIZE TABLE {table} {CLEANUP}",
                code=SUPPORT_IS_DISABLED,
                text="CLEANUP are not allowed",
            )
            wrong += [f"{name}: {found}"] if found else []

    with Then("it is refused and no row is changed"):
        assert wrong == [], listed("not refused as they have to be", wrong)

    with When("the setting is switched on"):
        table.node.query(f"ALTER TABLE {table} MODIFY SETTING {SETTING} = 1")
        merge(table, CLEANUP)

    with Then("the same statement cleans up"):
        assert stored(table) == LEFT, error()
