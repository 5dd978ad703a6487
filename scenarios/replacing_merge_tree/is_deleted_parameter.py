"""The deletion column: which columns may be it, and which values it may hold."""

from typing import Any

from testflows.asserts import error
from testflows.core import And, Given, Requirements, TestScenario, Then, When

from requirements.srs101_replacing_merge_tree import (
    RQ_SRS_101_ClickHouse_ReplacingMergeTree_IsDeleted_SameAsVersion,
    RQ_SRS_101_ClickHouse_ReplacingMergeTree_IsDeleted_Type,
    RQ_SRS_101_ClickHouse_ReplacingMergeTree_IsDeleted_WrongValue,
)
from steps.refusals import listed, state
from steps.replacing import (
    AS_THEY_COME,
    Creation,
    deduplicate,
    insert_each,
    replacing_table,
    stored,
    wrong_creations,
)

BAD_ARGUMENTS, INCORRECT_DATA, BAD_TYPE_OF_FIELD = 36, 117, 169
REFUSED_TYPES = (
    *("Int8", "UInt16", "UInt32", "UInt64", "Float32", "String", "FixedString(1)", "Date"),
    *("Nullable(UInt8)", "Nullable(Bool)", "Enum8('no' = 0, 'yes' = 1)", "Array(UInt8)"),
)


@TestScenario
@Requirements(RQ_SRS_101_ClickHouse_ReplacingMergeTree_IsDeleted_SameAsVersion("1.0"))
def one_column_for_both(self):
    """A column cannot be the version and the deletion mark at once."""
    with When("I name the same column twice"):
        wrong = wrong_creations(
            [
                Creation(
                    kind,
                    f"key UInt64, both {kind}",
                    "ENGINE = ReplacingMergeTree(both, both) ORDER BY key",
                    "cannot be the same column",
                )
                for kind in ("UInt8", "UInt64", "Bool")
            ],
            code=BAD_ARGUMENTS,
        )

    with Then("each table is refused"):
        assert wrong == [], listed("not refused as they have to be", wrong)


@TestScenario
@Requirements(RQ_SRS_101_ClickHouse_ReplacingMergeTree_IsDeleted_Type("1.0"))
def stored_as_uint8(self):
    """Only columns that are stored as UInt8 are taken."""
    with When("I name columns of other types"):
        wrong = wrong_creations(
            [
                Creation(
                    kind,
                    f"key UInt64, version UInt64, deleted {kind}",
                    "ENGINE = ReplacingMergeTree(version, deleted) ORDER BY key",
                    "must have type UInt8",
                )
                for kind in REFUSED_TYPES
            ],
            code=BAD_TYPE_OF_FIELD,
        )

    with Then("each table is refused"):
        assert wrong == [], listed("not refused as they have to be", wrong)

    for kind in ("UInt8", "Bool"):
        with When(f"the deletion column is a {kind}"):
            table = replacing_table(
                "version, deleted", columns=f"key UInt64, version UInt64, deleted {kind}"
            )
            found = deduplicate(table, [(1, 1, 0), (2, 1, 0)], [(1, 2, 1)])

        with Then("it deletes"):
            assert found.final == [(2, 1, 0)], error()


@TestScenario
@Requirements(RQ_SRS_101_ClickHouse_ReplacingMergeTree_IsDeleted_WrongValue("1.0"))
def neither_deleted_nor_not(self):
    """Whatever compares rows fails at a deletion mark that is neither 0 nor 1, and changes nothing."""
    text = "is_deleted = {} (must be 1 or 0)"
    for value in (2, 255):
        with Given(f"a table and a row with the deletion mark {value}"):
            table = replacing_table("version, deleted")
            insert_each(table, [(1, "fine", 1, 0)])
            bad = (1, "bad", 2, value)
            refusal: dict[str, Any] = {"code": INCORRECT_DATA, "text": text.format(value)}

        with When("an insert compares its rows"):
            table.node.fails(f"INSERT INTO {table} VALUES", data=[bad], **refusal)

        with Then("nothing of it is written"):
            assert stored(table) == [(1, "fine", 1, 0)], error()

        with When("an insert writes rows as they come"):
            insert_each(table, [bad], settings=AS_THEY_COME)
            before = state(table)
            assert len(before.rows) == 2, error()

        with Then("FINAL fails"):
            table.node.fails(f"SELECT * FROM {table} FINAL", **refusal)

        with And("so does a merge, which leaves all as it was"):
            table.node.fails(f"OPTIMIZE TABLE {table} FINAL", **refusal)
            assert state(table) == before, error()
