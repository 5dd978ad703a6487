"""Packed parts: small parts can be one file."""

import itertools
from typing import Any

from testflows.asserts import error
from testflows.core import And, Requirements, TestScenario, Then, When

from helpers.scenario.marks import equivalent
from requirements.srs102_table_parts import RQ_SRS_102_ClickHouse_TableParts_Format_Packed
from steps.table_parts.part_files import copy_to_detached
from steps.table_parts.part_life import FORMATS, active_parts, by_name, merge
from steps.tables import NO_MERGES, Table, contents, create_table, insert

ROW_BYTES = 16
# Thresholds, and whether parts of 9 rows, of 10 rows, and of 10 rows merged of two are packed.
THRESHOLDS = {
    "min_rows_for_full_part_storage = 10": [True, False, False],
    f"min_bytes_for_full_part_storage = {10 * ROW_BYTES}": [True, False, False],
    "min_level_for_full_part_storage = 1": [True, True, False],
    "min_rows_for_full_part_storage = 0": [False, False, False],
}
# What attaching leaves in a part's folder beside its files.
ATTACHED = "invalidated_system_columns.txt"
INSERTS = ([9], [10], [5, 5])  # 3 variants


def stored(table: Table) -> list[tuple[str, list[str]]]:
    """How each active part is stored, as the server says and as the disk shows it."""
    storage = by_name(
        table.node.query(
            "SELECT name, part_storage_type FROM system.parts WHERE active "
            f"AND database = '{table.database}' AND table = '{table.name}' ORDER BY name"
        )
    )
    return [
        (storage[name][0], sorted(file.name for file in part.folder.iterdir()))
        for name, part in active_parts(table).items()
    ]


def created(**settings: Any) -> Table:
    return create_table("packed", columns="p UInt64, i UInt64", settings={**NO_MERGES, **settings})


def packed_parts(threshold: str, kind: str) -> list[bool]:
    """Whether the parts of each series of inserts, merged if they are several, are packed."""
    setting, value = threshold.split(" = ")
    table = created(**{setting: int(value)}, **FORMATS[kind])
    for partition, sizes in enumerate(INSERTS):
        for start, rows in enumerate(sizes):
            insert(table, [(partition, start * 100 + number) for number in range(rows)])
    merge(table, partition=2)
    parts = [(part.rows, part.level, part.kind) for part in active_parts(table).values()]
    assert parts == [(9, 0, kind), (10, 0, kind), (10, 1, kind)], error()
    packed = []
    for storage, files in stored(table):
        assert (storage == "Packed") == (files == ["data.packed"]), f"{storage}: {files}"
        assert (storage == "Full") == ("checksums.txt" in files), f"{storage}: {files}"
        packed.append(storage == "Packed")
    expected = [(0, number) for number in range(9)] + [(1, number) for number in range(10)]
    expected += [(2, start + number) for start in (0, 100) for number in range(5)]
    assert contents(table) == expected, error()
    return packed


@TestScenario
@equivalent(
    mutant="omit[FINAL]",
    statement="PARTITION 2 FINAL",
    reason="OPTIMIZE of a partition with several parts merges all of them, with FINAL or without",
)
@Requirements(RQ_SRS_102_ClickHouse_TableParts_Format_Packed("1.0"))
def small_parts_are_packed(self):
    """Around each threshold parts are packed or not, in both formats, and can be read and attached."""
    with When("parts are inserted and merged with each of the thresholds"):
        cells = list(itertools.product(THRESHOLDS, FORMATS))
        packed = {cell: packed_parts(*cell) for cell in cells}

    with Then("those below it are one file, the others are not"):
        assert packed == {cell: THRESHOLDS[cell[0]] for cell in cells}, error()

    with And("a copy of the one file is attached to another table"):
        source, copy = created(min_rows_for_full_part_storage=10), created()
        insert(source, [(1, number) for number in range(5)])
        assert stored(source) == [("Packed", ["data.packed"])], error()
        (part,) = active_parts(source).values()
        copy_to_detached(part.folder, copy)
        copy.node.query(f"ALTER TABLE {copy} ATTACH PART '{part.name}'")
        assert contents(copy) == [(1, number) for number in range(5)], error()
        assert stored(copy) == [("Packed", ["data.packed", ATTACHED])], error()
