"""Snapshots and backups of tables with updates that are not merged into the parts."""

from uuid import uuid4

from testflows.asserts import error
from testflows.core import And, Given, Requirements, TestScenario, Then, When

from helpers.scenario.context import this
from helpers.scenario.marks import deviates
from helpers.scenario.violations import assert_no_violations
from requirements.srs102_table_parts import (
    RQ_SRS_102_ClickHouse_TableParts_Freeze,
    RQ_SRS_102_ClickHouse_TableParts_Update_Snapshots,
)
from steps.table_parts.part_files import copy_to_detached, table_folder
from steps.table_parts.part_life import FORMATS
from steps.tables import Table, contents, create_table

DEVIATIONS = "updates-snapshots"  # the beginning of their ids
UPDATABLE = {"enable_block_number_column": 1, "enable_block_offset_column": 1}
COLUMNS = "i UInt64, v UInt64"
AS_PATCH = "SETTINGS lightweight_delete_mode = 'lightweight_update_force'"
# Changes that are written as patches, and the rows after them.
CHANGES = {  # 2 variants
    "UPDATE": ("UPDATE {table} SET v = 9 WHERE i = 1", [(1, 9), (2, 12)]),
    "lightweight DELETE": (f"DELETE FROM {{table}} WHERE i = 1 {AS_PATCH}", [(2, 12)]),
}
OLD = "[(1, 11), (2, 12)]"
GIVEN_BACK = "each gives back the rows that the table returned"


def restored_from_backup(table: Table) -> Table:
    """A table made of a backup of this one."""
    copy = Table(table.node, table.database, this().unique("restored"))
    name = f"backup-{uuid4()}"  # the server keeps it when the table is gone
    table.node.query(f"BACKUP TABLE {table} TO Memory('{name}')")
    table.node.query(f"RESTORE TABLE {table} AS {copy} FROM Memory('{name}')")
    return copy


def attached_from_snapshot(table: Table) -> Table:
    """A table into which all parts of a snapshot of this one were attached."""
    name = this().unique("snapshot")
    table.node.query(f"ALTER TABLE {table} FREEZE WITH NAME '{name}'")
    home = table_folder(table)
    disk = home.parents[2]
    copy = create_table("copy", columns=COLUMNS, partition_by="", settings=UPDATABLE)
    for folder in sorted((disk / "shadow" / name / home.relative_to(disk)).iterdir()):
        copy_to_detached(folder, copy)
        copy.node.query(f"ALTER TABLE {copy} ATTACH PART '{folder.name}'")
    return copy


COPIES = {"BACKUP": restored_from_backup, "FREEZE": attached_from_snapshot}  # 2 variants


@TestScenario
@Requirements(
    RQ_SRS_102_ClickHouse_TableParts_Freeze("1.0"),
    RQ_SRS_102_ClickHouse_TableParts_Update_Snapshots("1.0"),
)
@deviates(
    step=GIVEN_BACK,
    observed={
        f"{kind}, {change}, {copied}": OLD
        for kind in FORMATS
        for change in CHANGES
        for copied in COPIES
    },
    reason="patch parts are left out: the copy has the old values, and rows that were deleted",
    kind="bug",
    severity="data lost",
    upstream="https://github.com/ClickHouse/ClickHouse/issues/116677",
)
def snapshots_hold_updates(self):
    """What a snapshot or a backup gives back is what the table returned when it was made."""
    violations: dict[str, object] = {}
    for kind in FORMATS:
        for change, (statement, expected) in CHANGES.items():
            with Given(f"a table with a {change} that is not merged, {kind}"):
                table = create_table(
                    "updated",
                    columns=COLUMNS,
                    partition_by="",
                    settings={**FORMATS[kind], **UPDATABLE},
                )
                table.node.query(f"INSERT INTO {table} VALUES (1, 11), (2, 12)")
                table.node.query(statement.format(table=table))
                assert contents(table) == expected, error()

            for copied, copy in COPIES.items():
                with When(f"I copy it by {copied}"):
                    if (rows := contents(copy(table))) != expected:
                        violations[f"{kind}, {change}, {copied}"] = rows

            with And("the update is merged, and the table is copied again"):
                table.node.query(f"OPTIMIZE TABLE {table} FINAL")
                copies = [contents(copy(table)) for copy in COPIES.values()]

            with Then("the copies have the rows of the table"):
                assert copies == [expected, expected], error()

    with Then(GIVEN_BACK):
        assert_no_violations(violations)
