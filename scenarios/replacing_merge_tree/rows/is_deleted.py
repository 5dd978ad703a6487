"""Keys that are deleted by inserting a row that says so."""

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

from helpers.cluster.client.session import Row
from requirements.srs101_replacing_merge_tree import (
    RQ_SRS_101_ClickHouse_ReplacingMergeTree_IsDeleted_Final,
    RQ_SRS_101_ClickHouse_ReplacingMergeTree_IsDeleted_Merge,
    RQ_SRS_101_ClickHouse_ReplacingMergeTree_IsDeleted_Outdated,
    RQ_SRS_101_ClickHouse_ReplacingMergeTree_IsDeleted_Reinsert,
)
from steps.replacing_merge_tree.stored_rows import stored, survivors
from steps.replacing_merge_tree.tables import CLEANUP_ALLOWED, insert_all, merge, replacing_table
from steps.tables import Table

ADA, MAX = (1, "Ada", 1, 0), (2, "Max", 1, 0)
ADA_GONE = (1, "Ada", 2, 1)
# A state that is newer than the deletion.
NEWER = (1, "Ada", 3, 0)


def accounts(*inserts: list[Row]) -> Table:
    """Accounts after these inserts, all of whose rows are stored."""
    table = replacing_table("version, deleted", settings=CLEANUP_ALLOWED)
    insert_all(table, *inserts)
    return table


@TestScenario
@Requirements(RQ_SRS_101_ClickHouse_ReplacingMergeTree_IsDeleted_Final("1.0"))
def deleted_key_is_not_returned(self):
    """FINAL returns nothing for a key whose surviving row is a deletion row."""
    with Given("two accounts, one of which is deleted"):
        table = accounts([ADA, MAX], [ADA_GONE])

    with Then("FINAL returns the other one"):
        assert survivors(table) == [MAX], error()

    with And("also when it is asked for the deletion rows"):
        assert survivors(table, where="deleted = 1") == [], error()

    with When("the other one is deleted with the version that it has"):
        insert_all(table, [(2, "Max", 1, 1)])

    with Then("it is gone too: of equal versions the last survives"):
        assert survivors(table) == [], error()

    with When("a key is deleted that never was there"):
        insert_all(table, [(3, "", 1, 1)])

    with Then("it still is not there"):
        assert survivors(table) == [], error()


@TestScenario
@Requirements(RQ_SRS_101_ClickHouse_ReplacingMergeTree_IsDeleted_Merge("1.0"))
def merges_keep_deletion_rows(self):
    """A deletion row stays through merges, and hides older rows that come late."""
    with Given("accounts, one of them deleted, in a table that would allow cleanups"):
        table = accounts([ADA, MAX], [ADA_GONE])

    for turn in ("first", "second"):
        with When(f"they are merged for the {turn} time"):
            merge(table)

        with Then(f"the deletion row is there after the {turn} merge"):
            assert stored(table) == [ADA_GONE, MAX], error()

    with When("an older row of the deleted key comes late"):
        insert_all(table, [ADA])

    with Then("it is hidden"):
        assert survivors(table) == [MAX], error()

    with And("it is after the next merge"):
        merge(table)
        assert stored(table) == [ADA_GONE, MAX], error()
        assert survivors(table) == [MAX], error()


@TestOutline(Scenario)
@Requirements(RQ_SRS_101_ClickHouse_ReplacingMergeTree_IsDeleted_Outdated("1.0"))
@Examples("when first second", [("before", ADA_GONE, NEWER), ("after", NEWER, ADA_GONE)])
def outdated_deletion_is_ignored(self, when, first, second):
    """A deletion row with a smaller version than that of a state row deletes nothing."""
    with When(f"the outdated deletion comes {when} the state"):
        table = accounts([first], [second])

    with Then("FINAL returns the state"):
        assert survivors(table) == [NEWER], error()

    with And("a merge keeps the state only"):
        merge(table)
        assert stored(table) == [NEWER], error()


@TestOutline(Scenario)
@Requirements(RQ_SRS_101_ClickHouse_ReplacingMergeTree_IsDeleted_Reinsert("1.0"))
@Examples("key merged", [("as it was inserted", False), ("merged", True)])
def deleted_key_may_come_back(self, key, merged):
    """A state row that is newer than the deletion row brings the key back."""
    back, gone_again = (1, "Ada is back", 3, 0), (1, "Ada", 4, 1)
    with Given(f"a deleted key, {key}"):
        table = accounts([ADA, MAX], [ADA_GONE])
        if merged:
            merge(table)
        assert survivors(table) == [MAX], error()

    with When("a newer state row is inserted"):
        insert_all(table, [back])

    with Then("the key is returned again, with that row"):
        assert survivors(table) == [back, MAX], error()

    with And("it may be deleted again"):
        insert_all(table, [gone_again])
        assert survivors(table) == [MAX], error()
