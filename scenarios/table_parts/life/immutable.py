"""A part never changes: what happens to a table happens in new parts."""

import re
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from testflows.asserts import error
from testflows.core import And, Given, Requirements, TestScenario, Then, When

from helpers.cluster.client.interception import action
from requirements.srs102_table_parts import RQ_SRS_102_ClickHouse_TableParts_Immutable
from steps.background_changes import until_done
from steps.table_parts.part_files import FileState, changes, files_of
from steps.table_parts.part_life import FORMATS, KEPT, active_parts, part_hashes, part_records
from steps.tables import NO_MERGES, Table, contents, create_table

COLUMNS = "p UInt64, i UInt64, owner String, value UInt64, INDEX small i TYPE minmax GRANULARITY 1"
INSERT = (
    "INSERT INTO {table} SELECT number % 2, number, concat('row ', toString(number)), number "
    "FROM numbers(30)"
)
# The parts that are there at first; then what happens, by which statement, and which parts are active
# afterwards. After each there is a look at every part that was there before.
FIRST = ["0_1_1_0", "1_2_2_0"]
LIFE = {  # 17 variants
    "rows are inserted": (INSERT, [*FIRST, "0_3_3_0", "1_4_4_0"]),
    "rows are inserted into one partition": (
        "INSERT INTO {table} VALUES (1, 100, 'late', 100)",
        [*FIRST, "0_3_3_0", "1_4_4_0", "1_5_5_0"],
    ),
    "a partition is merged": (
        "OPTIMIZE TABLE {table} PARTITION 1 FINAL",
        ["0_1_1_0", "0_3_3_0", "1_2_5_1"],
    ),
    "all is merged": ("OPTIMIZE TABLE {table} FINAL", ["0_1_3_1", "1_2_5_2"]),
    "rows are updated": (
        "ALTER TABLE {table} UPDATE owner = concat(owner, '!') WHERE i % 3 = 0",
        ["0_1_3_1_6", "1_2_5_2_6"],
    ),
    "one partition's rows are updated": (
        "ALTER TABLE {table} UPDATE value = value + 1000 IN PARTITION 1 WHERE 1",
        ["0_1_3_1_7", "1_2_5_2_7"],
    ),
    "rows are deleted": (
        "ALTER TABLE {table} DELETE WHERE i % 5 = 1",
        ["0_1_3_1_8", "1_2_5_2_8"],
    ),
    "rows are masked": ("DELETE FROM {table} WHERE i = 3", ["0_1_3_1_9", "1_2_5_2_9"]),
    "a column is added": (
        "ALTER TABLE {table} ADD COLUMN extra UInt64 DEFAULT i + 1",
        ["0_1_3_1_9", "1_2_5_2_9"],
    ),
    "a column is materialized": (
        "ALTER TABLE {table} MATERIALIZE COLUMN extra",
        ["0_1_3_1_10", "1_2_5_2_10"],
    ),
    "an index is added": (
        "ALTER TABLE {table} ADD INDEX late owner TYPE minmax GRANULARITY 1",
        ["0_1_3_1_10", "1_2_5_2_10"],
    ),
    "an index is materialized": (
        "ALTER TABLE {table} MATERIALIZE INDEX late",
        ["0_1_3_1_11", "1_2_5_2_11"],
    ),
    "a column's type is changed": (
        "ALTER TABLE {table} MODIFY COLUMN value String",
        ["0_1_3_1_12", "1_2_5_2_12"],
    ),
    "a column is renamed": (
        "ALTER TABLE {table} RENAME COLUMN value TO renamed",
        ["0_1_3_1_13", "1_2_5_2_13"],
    ),
    "a column is dropped": (
        "ALTER TABLE {table} DROP COLUMN extra",
        ["0_1_3_1_14", "1_2_5_2_14"],
    ),
    "no row fits a mutation": (
        "ALTER TABLE {table} DELETE WHERE i = 1000000",
        ["0_1_3_1_15", "1_2_5_2_15"],
    ),
    "all is merged again": ("OPTIMIZE TABLE {table} FINAL", ["0_1_3_2_15", "1_2_5_3_15"]),
}
# What the active parts store from then on and did not before, or do not any more: columns and indexes.
STORED = {
    "rows are masked": {"`_row_exists` UInt8"},
    "a column is materialized": {"`extra` UInt64"},
    "an index is materialized": {"skp_idx_late"},
    "a column's type is changed": {"`value` UInt64", "`value` String"},
    "a column is renamed": {"`value` String", "`renamed` String"},
    "a column is dropped": {"`extra` UInt64"},
    "all is merged again": {"`_row_exists` UInt8"},
}
INDEX = re.compile("skp_idx_[a-z]+")
INSERTED = [
    *((n % 2, n, f"row {n}", n) for n in [*range(30)] * 2),
    (1, 100, "late", 100),
]  # 2 variants
# What is left of them, in the columns p, i, owner and renamed.
LEFT = sorted(
    (p, i, owner if i % 3 else f"{owner}!", str(value + 1000 * p))
    for p, i, owner, value in INSERTED
    if i % 5 != 1 and i != 3
)


class PartState(NamedTuple):
    """What the server says of a part, and what its files are."""

    active: int
    kind: str
    hash: str
    files: dict[str, FileState]


Snapshot = dict[str, PartState]


def snapshot(table: Table) -> Snapshot:
    """All parts, active or not."""
    records, hashes = part_records(table), part_hashes(table)
    assert records.keys() == hashes.keys(), f"{sorted(records)} are not {sorted(hashes)}"
    return {
        name: PartState(part.active, part.kind, hashes[name], files_of(part.folder))
        for name, part in records.items()
    }


@action
def touch(file: Path) -> None:
    """A file has another time, or is there."""
    file.touch()


def active(state: Snapshot) -> list[str]:
    return [name for name, part in state.items() if part.active]


def stored(table: Table) -> set[str]:
    """The columns and skip indexes that active parts have on disk, whatever the table's definition says."""
    found: set[str] = set()
    for part in active_parts(table).values():
        found.update((part.folder / "columns.txt").read_text().splitlines()[2:])
        for file in part.folder.glob("skp_idx*"):
            # A file for each index, or one of all of them with their names in it.
            found.update(INDEX.findall(file.name + file.read_bytes().decode("latin-1")))
    return found


def differences(before: Snapshot, after: Snapshot) -> list[str]:
    """What has happened to parts that were there before."""
    wrong = [f"{name} is gone" for name in before.keys() - after.keys()]
    for name in before.keys() & after.keys():
        if after[name].hash != before[name].hash:
            wrong.append(f"{name} has another hash")
        touched = changes(before[name].files, after[name].files)
        wrong += [f"{name}/{file} has changed" for file in touched]
    return wrong


def life(table: Table, kind: str) -> Iterator[str]:
    """Let everything happen to the table; what is wrong with it or with the parts that were there."""
    before, had = snapshot(table), stored(table)
    if active(before) != FIRST:
        yield f"at first there are {sorted(before)}"
    for what, (sql, expected) in LIFE.items():
        statement = sql.format(table=table)
        table.node.query(statement, settings=until_done(statement))
        after, has = snapshot(table), stored(table)
        # What was asked for has happened, in parts that were not there before.
        if active(after) != sorted(expected):
            yield f"{what}: active are {active(after)}"
        if had ^ has != STORED.get(what, set()):
            yield f"{what}: it changes that {sorted(had ^ has)} are stored"
        yield from (f"{what}: {difference}" for difference in differences(before, after))
        before, had = after, has
    yield from (f"{name} is not {kind}" for name, part in before.items() if part.kind != kind)


@TestScenario
@Requirements(RQ_SRS_102_ClickHouse_TableParts_Immutable("1.0"))
def files_of_parts_never_change(self):
    """Inserts, merges, every kind of mutation and reads touch no file of a part that is there."""
    with Given("a table of each format that keeps the superseded parts"):
        tables = {
            kind: create_table("kept", columns=COLUMNS, settings={**NO_MERGES, **KEPT, **formats})
            for kind, formats in FORMATS.items()
        }
        for table in tables.values():
            table.node.query(INSERT.format(table=table))

    with When("everything happens to them that can happen"):
        violations = {kind: list(life(table, kind)) for kind, table in tables.items()}

    with Then("no file of any part has been written to, replaced, added or removed"):
        assert violations == {kind: [] for kind in FORMATS}, error()

    with And("the rows are what is left of them"):
        for table in tables.values():
            assert contents(table) == LEFT, error()

    with And("a file that is touched, gone or new would have been noticed"):
        for table in tables.values():
            before = snapshot(table)
            records = part_records(table)
            assert records.keys() == before.keys(), error()
            name, part = next(iter(records.items()))
            touched, gone, new = ("count.txt", "columns.txt", "another.txt")
            touch(part.folder / touched)
            (part.folder / gone).unlink()
            touch(part.folder / new)
            expected = sorted(f"{name}/{file} has changed" for file in (touched, gone, new))
            assert sorted(differences(before, snapshot(table))) == expected, error()
            assert differences(before, {}) != [], error()
            other = {**before, name: before[name]._replace(hash="another")}
            assert differences(before, other) == [f"{name} has another hash"], error()
