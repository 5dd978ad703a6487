"""The deletion column: which values it may hold."""

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

from helpers.scenario.violations import assert_no_violations
from requirements.srs101_replacing_merge_tree import (
    RQ_SRS_101_ClickHouse_ReplacingMergeTree_IsDeleted_Type,
    RQ_SRS_101_ClickHouse_ReplacingMergeTree_IsDeleted_WrongValue,
)
from steps.refusals import state
from steps.replacing_merge_tree.stored_rows import stored
from steps.replacing_merge_tree.tables import (
    AS_THEY_COME,
    deduplication_violations,
    insert_all,
    insert_each,
    replacing_table,
)

INCORRECT_DATA = 117


@TestOutline(Scenario)
@Requirements(RQ_SRS_101_ClickHouse_ReplacingMergeTree_IsDeleted_WrongValue("1.0"))
@Examples("value", [(2,), (255,)])
def neither_deleted_nor_not(self, value):
    """Whatever compares rows fails at a deletion mark that is neither 0 nor 1, and changes nothing."""
    with Given(f"a table and a row with the deletion mark {value}"):
        table = replacing_table("version, deleted")
        insert_each(table, [(1, "fine", 1, 0)])
        bad = (1, "bad", 2, value)
        text = f"is_deleted = {value} (must be 1 or 0)"
        refusal: dict[str, Any] = {"code": INCORRECT_DATA, "text": text}

    with When("an insert compares its rows"):
        table.node.fails(f"INSERT INTO {table} VALUES", data=[bad], **refusal)

    with Then("nothing of it is written"):
        assert stored(table) == [(1, "fine", 1, 0)], error()

    with When("an insert writes rows as they come"):
        insert_all(table, [bad], settings=AS_THEY_COME)
        before = state(table)

    with Then("FINAL fails"):
        table.node.fails(f"SELECT * FROM {table} FINAL", **refusal)

    with And("so does a merge, which leaves all as it was"):
        table.node.fails(f"OPTIMIZE TABLE {table} FINAL", **refusal)
        assert state(table) == before, error()


@TestScenario
@Requirements(RQ_SRS_101_ClickHouse_ReplacingMergeTree_IsDeleted_Type("1.0"))
def stored_as_uint8(self):
    """A column that is stored as UInt8 deletes, by whichever name its type goes."""
    violations: dict[str, object] = {}
    for kind in ("UInt8", "Bool"):
        with When(f"the deletion column is a {kind}"):
            violations |= deduplication_violations(
                kind,
                replacing_table(
                    "version, deleted", columns=f"key UInt64, version UInt64, deleted {kind}"
                ),
                [(1, 1, 0), (2, 1, 0)],
                [(1, 2, 1), (3, 3, 0)],
                expected=[(2, 1, 0), (3, 3, 0)],
                merged=[(1, 2, 1), (2, 1, 0), (3, 3, 0)],
            )

    with Then("it deletes"):
        assert_no_violations(violations)
