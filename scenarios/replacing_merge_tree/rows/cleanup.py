"""Cleanups: merges that remove what is deleted, and with it the memory that it was."""

from collections.abc import Mapping
from functools import partial
from typing import Any

from testflows.asserts import error
from testflows.core import (
    And,
    Examples,
    Given,
    Requirements,
    Scenario,
    TestOutline,
    TestScenario,
    Then,
    When,
)

from helpers.scenario.context import this
from helpers.scenario.marks import equivalent
from helpers.scenario.violations import assert_no_violations
from requirements.srs101_replacing_merge_tree import (
    RQ_SRS_101_ClickHouse_ReplacingMergeTree_Cleanup,
    RQ_SRS_101_ClickHouse_ReplacingMergeTree_Cleanup_Background,
    RQ_SRS_101_ClickHouse_ReplacingMergeTree_Cleanup_ForgetsVersion,
    RQ_SRS_101_ClickHouse_ReplacingMergeTree_Cleanup_NotAllowed,
)
from steps.refusals import wrong_refusal
from steps.replacing_merge_tree.stored_rows import part_values, stored, survivors
from steps.replacing_merge_tree.tables import (
    CLEANUP,
    CLEANUP_ALLOWED,
    CLEANUP_SETTING,
    insert_all,
    insert_each,
    merge,
    replacing_table,
)
from steps.table_parts.part_events import statements_on
from steps.tables import NO_MERGES, Table

SUPPORT_IS_DISABLED = 344
# OPTIMIZE FINAL leaves a partition alone that is one merged part already.
UNLESS_MERGED = {"optimize_skip_merged_partitions": 1}
# Keys: deleted, never deleted, deleted and back, deleted by an outdated row, deleted alone, replaced.
INSERTS = (  # 3 variants
    [(1, "a", 1, 0), (2, "b", 1, 0), (3, "c", 1, 0), (4, "d", 5, 0), (6, "f", 1, 0)],
    [(1, "a", 2, 1), (3, "c", 2, 1), (4, "d", 4, 1), (5, "e", 1, 1), (6, "newer", 2, 0)],
    [(3, "back", 3, 0)],
)
LEFT = [(2, "b", 1, 0), (3, "back", 3, 0), (4, "d", 5, 0), (6, "newer", 2, 0)]
DELETIONS = [(1, "a", 2, 1), (5, "e", 1, 1)]
# What lets the background remove deletion rows, when all parts of a partition are old enough.
BACKGROUND = {  # 4 variants
    "min_age_to_force_merge_seconds": 1,
    "min_age_to_force_merge_on_partition_only": 1,
    "enable_replacing_merge_with_cleanup_for_min_age_to_force_merge": 1,
    CLEANUP_SETTING: 1,
}


def deletable(*, partition_by: str = "", settings: Mapping[str, Any] = CLEANUP_ALLOWED) -> Table:
    """A table that holds keys with every kind of past."""
    table = replacing_table("version, deleted", partition_by=partition_by, settings=settings)
    insert_all(table, *INSERTS)
    return table


def partitions_of_parts(table: Table) -> list[str]:
    return part_values(table, "partition_id")


@TestScenario
@Requirements(RQ_SRS_101_ClickHouse_ReplacingMergeTree_Cleanup("1.0"))
def one_partition_is_cleaned_up(self):
    """A cleanup of one partition leaves the deletion rows of the others."""
    with Given("deleted keys in two partitions"):
        table = deletable(partition_by="key > 3")

    with When("I clean up the first one"):
        merge(table, "PARTITION 0 FINAL CLEANUP")

    with Then("its deletion rows are removed, and the other partition is what it was"):
        others = [row for rows in INSERTS for row in rows if row[0] > 3]
        expected = sorted([*LEFT[:2], *others])
        assert stored(table) == expected, error()


@TestScenario
@Requirements(RQ_SRS_101_ClickHouse_ReplacingMergeTree_Cleanup_ForgetsVersion("1.0"))
def older_row_comes_late(self):
    """After a cleanup nobody knows that the key was deleted with a greater version."""
    late, outdated = (1, "late", 1, 0), (2, "outdated", 0, 0)
    with Given("a key deleted with version 2, in one table cleaned up and in another not"):
        cleaned, merged = deletable(), deletable()
        merge(cleaned, CLEANUP)
        merge(merged)
        assert (stored(cleaned), stored(merged)) == (LEFT, sorted(LEFT + DELETIONS)), error()

    with When("a state row with version 1 is inserted into both, and one that never counts"):
        insert_each(cleaned, [late, outdated])
        insert_each(merged, [late, outdated])

    with Then("the cleaned table shows it"):
        assert stored(cleaned) == sorted([late, outdated, *LEFT]), error()
        assert survivors(cleaned) == [late, *LEFT], error()

    with And("the other one stores it and does not show it"):
        expected = sorted([late, outdated, *LEFT, *DELETIONS])
        assert stored(merged) == expected, error()
        assert survivors(merged) == LEFT, error()


@TestOutline(Scenario)
@Requirements(RQ_SRS_101_ClickHouse_ReplacingMergeTree_Cleanup_NotAllowed("1.0"))
@Examples("setting settings", [("by default", {}), ("switched off", {CLEANUP_SETTING: 0})])
def refused_unless_the_table_allows_it(self, setting, settings):
    """Without the table's setting a cleanup is refused, and all stays as it is."""
    with Given(f"a table that does not allow cleanups {setting}"):
        table = deletable(settings=settings)

    with Then("a cleanup is refused and no row is changed"):
        sql, text = f"OPTIMIZE TABLE {table} {CLEANUP}", "CLEANUP are not allowed"
        wrong = wrong_refusal(table, sql, code=SUPPORT_IS_DISABLED, text=text)
        assert wrong is None, wrong

    with And("once the setting is switched on it is carried out"):
        table.node.query(f"ALTER TABLE {table} MODIFY SETTING {CLEANUP_SETTING} = 1")
        merge(table, CLEANUP)
        assert stored(table) == LEFT, error()


@TestOutline(Scenario)
@Requirements(RQ_SRS_101_ClickHouse_ReplacingMergeTree_Cleanup("1.0"))
@Examples(
    "name partition_by partitions merged_before",
    [
        (f"{name}{' merged before' * merged_before}", key, partitions, merged_before)
        for name, key, partitions in (
            ("one partition", "", ["all"] * 3),
            ("several keys a partition", "key % 3", ["0", "0", "0", "1", "1", "2", "2"]),
            ("one key a partition", "key", [*"11233344566"]),
        )
        for merged_before in (False, True)
    ],
)
def deleted_keys_are_removed(self, name, partition_by, partitions, merged_before):
    """Nothing is left of a key whose surviving row is a deletion row; all other survivors are."""
    with Given("keys of every kind"):
        table = deletable(partition_by=partition_by)
        assert sorted(partitions_of_parts(table)) == partitions, error()

    if merged_before:
        with And("a merge that keeps the deletion rows"):
            merge(table)
            assert stored(table) == sorted(LEFT + DELETIONS), error()

    with When("I clean up"):
        merge(table, CLEANUP)

    with Then("only the state rows that survived are left"):
        assert stored(table) == LEFT, error()


@TestScenario
@equivalent(
    mutant="drop",
    statement="SYSTEM FLUSH LOGS query_log",
    reason="the merges take as long as the log needs to be written by itself; what it lacked would be "
    "missed, since it has to have every statement",
)
@Requirements(RQ_SRS_101_ClickHouse_ReplacingMergeTree_Cleanup_Background("1.0"))
def background_merge_cleans_up(self):
    """Without a statement deletion rows go away if all settings say so; where one of them is missing
    the parts are merged as well, and the deletion rows stay."""
    violations: dict[str, object] = {}
    variants = {"all settings": BACKGROUND} | {
        f"without {left_out}": {name: BACKGROUND[name] for name in BACKGROUND if name != left_out}
        for left_out in list(BACKGROUND)[1:]  # part: the first one starts the merges
    }
    with Given("tables with deleted keys whose parts are merged in the background"):
        tables = {
            name: deletable(partition_by="key > 3", settings=settings)
            for name, settings in variants.items()
        }
        assert len(tables) == len(BACKGROUND), error()
        for table in tables.values():
            table.node.query(f"ALTER TABLE {table} RESET SETTING {', '.join(NO_MERGES)}")

    for name, table in tables.items():
        with When(f"the parts of the table {name} were merged"):
            this().eventually(partial(partitions_of_parts, table), equals=["0", "1"], timeout=30)
            expected = LEFT if name == "all settings" else sorted(LEFT + DELETIONS)
            if (rows := stored(table)) != expected:
                violations[name] = rows

    with Then("deletion rows are removed where all settings are there, and only there"):
        assert_no_violations(violations)

    with And("nobody has asked for a merge"):
        sent = {"Alter": 1, "Create": 1, "Insert": len(INSERTS)}
        assert statements_on(*tables.values()) == [sent for _ in tables], error()
