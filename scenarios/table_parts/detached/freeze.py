"""Snapshots: what FREEZE keeps is what the table had, whatever happens to the table."""

from pathlib import Path

from testflows.asserts import error
from testflows.core import And, Examples, Given, Requirements, Scenario, TestOutline, Then, When

from helpers.scenario.context import this
from requirements.srs102_table_parts import RQ_SRS_102_ClickHouse_TableParts_Freeze
from steps.table_parts.part_files import FileState, copy_to_detached, files_of, table_folder
from steps.table_parts.part_life import (
    FORMATS,
    KEPT,
    active_parts,
    detached_parts,
    merge,
    supersede,
)
from steps.tables import NO_MERGES, Table, contents, create_table, drop_table, fill

# Commands, and the partitions that each of them keeps.
COMMANDS = {"FREEZE": ("1_", "2_"), "FREEZE PARTITION 1": ("1_",)}  # 2 variants
OF_THE_TABLE = "metadata_version.txt"
Snapshot = dict[str, dict[str, FileState]]


def frozen(table: Table, name: str) -> dict[str, Path]:
    """The folders of the parts that the table has in a snapshot of this name."""
    home = table_folder(table)
    disk = home.parents[2]
    folder = disk / "shadow" / name / home.relative_to(disk)
    return {part.name: part for part in folder.iterdir()} if folder.exists() else {}


def files(folders: dict[str, Path]) -> Snapshot:
    """The files of these parts, but the one that tells the version of the table."""
    return {
        name: {file: state for file, state in files_of(folder).items() if file != OF_THE_TABLE}
        for name, folder in folders.items()
    }


def attached_copy(folders: dict[str, Path], kind: str) -> Table:
    """A table of nothing but copies of these parts."""
    table = create_table("restored", settings={**NO_MERGES, **FORMATS[kind]})
    for folder in folders.values():
        copy_to_detached(folder, table)
    assert detached_parts(table) == dict.fromkeys(sorted(folders), ""), error()
    for name in sorted(folders):
        table.node.query(f"ALTER TABLE {table} ATTACH PART '{name}'")
    return table


@TestOutline(Scenario)
@Requirements(RQ_SRS_102_ClickHouse_TableParts_Freeze("1.0"))
@Examples("kind", [(kind,) for kind in FORMATS])
def snapshot_keeps_the_active_parts(self, kind):
    """A snapshot has the active parts of that time, file for file, and gives their rows back."""
    with Given(f"a table of {kind} parts with superseded ones among them"):
        table = create_table("frozen", settings={**NO_MERGES, **KEPT, **FORMATS[kind]})
        rows = fill(table, [1, 2], parts=2)
        merge(table, partition=2)
        parts = active_parts(table)
        assert list(parts) == ["1_1_1_0", "1_2_2_0", "2_3_4_1"], error()
        assert {part.kind for part in parts.values()} == {kind}, error()

    with When("I freeze it, as a whole and one partition"):
        folders = {}
        for command in COMMANDS:
            name = this().unique("snapshot")
            table.node.query(f"ALTER TABLE {table} {command} WITH NAME '{name}'")
            folders[name] = frozen(table, name)
        before = [files(folder) for folder in folders.values()]

    with Then("each snapshot has the active parts that it is to have, and shares their files"):
        for snapshot, prefixes in zip(before, COMMANDS.values(), strict=True):
            meant = {name: part.folder for name, part in parts.items() if name.startswith(prefixes)}
            assert snapshot == files(meant), error()

    with And("keeps them though the table's parts are merged, mutated and dropped"):
        supersede(table, "a merge")
        supersede(table, "a mutation")
        table.node.query(f"ALTER TABLE {table} DROP PARTITION 1")
        assert contents(table) == [(p, i, "b") for p, i, _ in rows if p == 2], error()
        assert [files(folder) for folder in folders.values()] == before, error()

    with And("gives back the rows of that time"):
        for folder, prefixes in zip(folders.values(), COMMANDS.values(), strict=True):
            expected = [row for row in rows if f"{row[0]}_" in prefixes]
            assert contents(attached_copy(folder, kind)) == expected, error()

    with And("is gone when it is removed by UNFREEZE, one partition after the other"):
        whole, single = folders
        table.node.query(f"ALTER TABLE {table} UNFREEZE PARTITION 2 WITH NAME '{whole}'")
        assert {name[:2] for name in frozen(table, whole)} == {"1_"}, error()
        for name in (whole, single):
            assert frozen(table, name), error()
            table.node.query(f"ALTER TABLE {table} UNFREEZE WITH NAME '{name}'")
            assert frozen(table, name) == {}, error()
        drop_table(table)
