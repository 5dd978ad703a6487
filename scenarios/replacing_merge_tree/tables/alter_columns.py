"""ALTER of the columns that decide which row survives."""

from testflows.asserts import error
from testflows.core import Requirements, TestScenario, Then, When

from helpers.scenario.violations import assert_no_violations, differing
from requirements.srs101_replacing_merge_tree import (
    RQ_SRS_101_ClickHouse_ReplacingMergeTree_Version_Alter,
    RQ_SRS_101_ClickHouse_ReplacingMergeTree_Version_Update,
)
from steps.background_changes import UNTIL_DONE
from steps.refusals import wrong_refusal
from steps.replacing_merge_tree.stored_rows import definition, stored, survivors
from steps.replacing_merge_tree.tables import insert_all, merge, replacing_table
from steps.tables import Table

ALTER_OF_COLUMN_IS_FORBIDDEN, CANNOT_UPDATE_COLUMN = 524, 420
COLUMNS = "key UInt64, value String, version UInt32, deleted UInt8"
INSERTS = (  # 2 variants
    [(1, "new", 2, 0), (2, "there", 1, 0), (3, "kept", 7, 0)],
    [(1, "old", 1, 0), (2, "gone", 2, 1)],
)
SURVIVE = [(1, "new", 2, 0), (3, "kept", 7, 0)]
MERGED = [SURVIVE[0], (2, "gone", 2, 1), SURVIVE[1]]
# What follows ALTER TABLE, and what the refusal names.
REFUSED = {  # 13 variants
    "DROP COLUMN version": "ALTER DROP version (version) column",
    "CLEAR COLUMN version": "ALTER DROP version (version) column",
    "RENAME COLUMN version TO other": "ALTER RENAME version (version) column",
    "MODIFY COLUMN version UInt32 ALIAS key": "Cannot modify version column (version) to ALIAS",
    "MODIFY COLUMN version UInt16": "version column version from type UInt32 to type UInt16",
    "MODIFY COLUMN version DateTime": "version column version from type UInt32 to type DateTime",
    "MODIFY COLUMN version String": "Cannot alter version column version to type String",
    "MODIFY COLUMN version Nullable(UInt64)": "version column version to type Nullable(UInt64)",
    "DROP COLUMN deleted": "ALTER DROP is_deleted (deleted) column",
    "CLEAR COLUMN deleted": "ALTER DROP is_deleted (deleted) column",
    "RENAME COLUMN deleted TO other": "ALTER RENAME is_deleted (deleted) column",
    "MODIFY COLUMN deleted UInt8 ALIAS 0": "Cannot modify is_deleted column (deleted) to ALIAS",
    "MODIFY COLUMN deleted UInt16": "Cannot alter is_deleted column (deleted) to type UInt16",
}
ACCEPTED = (
    "UInt64",
    "UInt128",
    "UInt256",
    "UInt32 DEFAULT 5",
    "UInt32 CODEC(ZSTD(3))",
)  # 5 variants


def versioned() -> Table:
    table = replacing_table("version, deleted", columns=COLUMNS)
    insert_all(table, *INSERTS)
    assert survivors(table) == SURVIVE, error()
    return table


@TestScenario
@Requirements(RQ_SRS_101_ClickHouse_ReplacingMergeTree_Version_Update("1.0"))
def version_is_not_updated(self):
    """A mutation changes other columns of the rows, and not their version."""
    table = versioned()
    with When("I update the version"):
        wrong = wrong_refusal(
            table,
            f"ALTER TABLE {table} UPDATE version = 9 WHERE value = 'old'",
            code=CANNOT_UPDATE_COLUMN,
            text="Cannot UPDATE key column `version`",
        )

    with Then("it is refused, and nothing is changed"):
        assert wrong is None, wrong

    with Then("another column of the same row can be updated, and the deletion mark decides anew"):
        table.node.query(
            f"ALTER TABLE {table} UPDATE value = 'changed', deleted = 0 WHERE value = 'gone'",
            settings=UNTIL_DONE,
        )
        assert survivors(table) == [SURVIVE[0], (2, "changed", 2, 0), SURVIVE[1]], error()


@TestScenario
@Requirements(RQ_SRS_101_ClickHouse_ReplacingMergeTree_Version_Alter("1.0"))
def columns_that_decide_stay(self):
    """What the engine compares can be widened, and neither dropped nor ordered otherwise."""
    violations: dict[str, object] = {}
    table = versioned()
    before = definition(table)
    with When("I alter these columns in ways that would change what survives"):
        for command, text in REFUSED.items():
            wrong = wrong_refusal(
                table,
                f"ALTER TABLE {table} {command}",
                code=ALTER_OF_COLUMN_IS_FORBIDDEN,
                text=text,
            )
            violations |= {command: wrong} if wrong else {}
        # The same commands are carried out on a column that decides nothing.
        values = sorted(row[1] for rows in INSERTS for row in rows)
        for old, new in (("value", "other"), ("other", "value")):
            table.node.query(f"ALTER TABLE {table} RENAME COLUMN {old} TO {new}")
            actual = table.node.column(f"SELECT {new} FROM {table} ORDER BY {new}")
            violations |= {} if actual == values else {f"{old} renamed to {new}": actual}
        violations |= {} if definition(table) == before else {"definition": definition(table)}

    with When("I give the version other types that keep its order"):
        for kind in ACCEPTED:
            table = versioned()
            table.node.query(f"ALTER TABLE {table} MODIFY COLUMN version {kind}")
            altered = table.node.value(
                "SELECT concat(type, ' ', default_expression, compression_codec) FROM system.columns "
                f"WHERE database = '{table.database}' AND table = '{table.name}' AND name = 'version'"
            )
            expected = kind if " " in kind else f"{kind} "
            if altered.replace("UInt32 5", "UInt32 DEFAULT 5") != expected:
                violations[f"{kind}, type"] = altered
            final = survivors(table)
            merge(table)
            checked = {"FINAL": (final, SURVIVE), "merged": (stored(table), MERGED)}
            violations |= differing(kind, checked)

    with Then("the first are refused and change nothing, the others leave the same survivors"):
        assert_no_violations(violations)
