"""A part never changes: what happens to a table happens in new parts."""

from testflows.asserts import error
from testflows.core import And, Given, Requirements, TestScenario, Then, When

from requirements.srs102_table_parts import RQ_SRS_102_ClickHouse_TableParts_Immutable
from steps.part_files import FileState, changes, files_of
from steps.part_life import FORMATS, KEPT, part_records
from steps.tables import NO_MERGES, Table, contents, create_table

COLUMNS = "p UInt64, i UInt64, owner String, value UInt64, INDEX small i TYPE minmax GRANULARITY 1"
INSERT = "INSERT INTO {table} SELECT number % 2, number, 'row', 7 FROM numbers(30)"
READ = "SELECT sum(cityHash64(*)) FROM {table}"
# Each is followed by a look at every part that was there before.
LIFE = {
    "rows are inserted": INSERT,
    "rows are inserted into one partition": "INSERT INTO {table} VALUES (1, 1, 'late', 8)",
    "the table is read": READ,
    "a partition is merged": "OPTIMIZE TABLE {table} PARTITION 1 FINAL",
    "all is merged": "OPTIMIZE TABLE {table} FINAL",
    "rows are updated": "ALTER TABLE {table} UPDATE owner = 'new' WHERE i % 3 = 0",
    "one partition's rows are updated": "ALTER TABLE {table} UPDATE value = 9 IN PARTITION 1 WHERE 1",
    "rows are deleted": "ALTER TABLE {table} DELETE WHERE i % 5 = 1",
    "rows are masked": "DELETE FROM {table} WHERE i = 3",
    "a column is added": "ALTER TABLE {table} ADD COLUMN extra UInt64 DEFAULT i + 1",
    "a column is materialized": "ALTER TABLE {table} MATERIALIZE COLUMN extra",
    "an index is materialized": "ALTER TABLE {table} MATERIALIZE INDEX small",
    "a column's type is changed": "ALTER TABLE {table} MODIFY COLUMN value String",
    "a column is renamed": "ALTER TABLE {table} RENAME COLUMN value TO renamed",
    "a column is dropped": "ALTER TABLE {table} DROP COLUMN extra",
    "no row fits a mutation": "ALTER TABLE {table} DELETE WHERE i = 1000000",
    "all is merged again": "OPTIMIZE TABLE {table} FINAL",
}
SILENT = {"the table is read", "a column is added"}

Snapshot = dict[str, tuple[str, dict[str, FileState]]]


def snapshot(table: Table) -> Snapshot:
    """All parts, active or not, with what the server says of their files and what the files are."""
    return {name: (part.hash, files_of(part.folder)) for name, part in part_records(table).items()}


def differences(before: Snapshot, after: Snapshot) -> list[str]:
    """What has happened to parts that were there before."""
    found = []
    for name, (hash_before, files) in before.items():
        if name not in after:
            found.append(f"{name} is gone")
            continue
        hash_after, files_after = after[name]
        if hash_after != hash_before:
            found.append(f"{name} has another hash")
        found += [f"{name}/{file} has changed" for file in changes(files, files_after)]
    return found


@TestScenario
@Requirements(RQ_SRS_102_ClickHouse_TableParts_Immutable("1.0"))
def files_of_parts_never_change(self):
    """Inserts, merges, every kind of mutation and reads touch no file of a part that is there."""
    violations = []
    for kind, formats in FORMATS.items():
        with Given(f"a table of {kind} parts that keeps the superseded ones"):
            table = create_table("kept", columns=COLUMNS, settings={**NO_MERGES, **KEPT, **formats})
            table.node.query(INSERT.format(table=table))
            before = first = snapshot(table)

        for what, sql in LIFE.items():
            with When(what):
                table.node.query(sql.format(table=table), settings={"mutations_sync": 2})
                after = snapshot(table)
                # What was asked for has happened, in parts that were not there before.
                if (after.keys() == before.keys()) != (what in SILENT):
                    violations.append(f"{kind}: {what}: new parts {after.keys() - before.keys()}")
                violations += [f"{kind}: {what}: {one}" for one in differences(before, after)]
                before = after

        with And("the first parts are superseded, and still what they were"):
            records = part_records(table)
            assert not any(records[name].active for name in first), error()
            violations += [f"{kind}: {one}" for one in differences(first, snapshot(table))]
            assert contents(table), error()

    with Then("no file of any part has been written to, replaced, added or removed"):
        assert violations == [], error()
