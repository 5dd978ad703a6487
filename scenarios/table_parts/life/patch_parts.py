"""Patch parts: what a lightweight UPDATE writes, and how it is named."""

import re

from testflows.asserts import error
from testflows.core import And, Given, Requirements, TestScenario, Then, When

from requirements.srs102_table_parts import RQ_SRS_102_ClickHouse_TableParts_Name_Patch
from steps.table_parts.part_life import (
    KEPT,
    PartRecord,
    active_parts,
    inactive_parts,
    merge,
    part_records,
)
from steps.tables import NO_MERGES, Table, contents, create_table, insert

WITH_PATCHES = {
    **NO_MERGES,
    **KEPT,
    "enable_block_number_column": 1,
    "enable_block_offset_column": 1,
}
COLUMNS = "p UInt64, i UInt64, owner String, value UInt64"
PATCH = re.compile(r"patch-([0-9a-f]{32})-(\d+)_(\d+)_(\d+)_(\d+)_(\d+)")
# Updates one after the other: the statement, and the rows that it changes, by partition.
UPDATES = {  # 3 variants
    "SET owner = 'new' WHERE i < 4": {"0": 2, "1": 2},
    "SET owner = 'newer' WHERE i = 4": {"0": 1},
    "SET value = 7 WHERE i = 5": {"1": 1},
}


def patches(table: Table) -> dict[str, PartRecord]:
    return part_records(table, " AND active AND startsWith(name, 'patch-')")


def wrong_name(part: PartRecord) -> str:
    """What is wrong with the name of a patch part; '' if nothing is."""
    named = PATCH.fullmatch(part.name)
    if named is None:
        return f"{part.name} is no name of a patch"
    kind, partition, *numbers = named.groups()
    components = [part.min_block, part.max_block, part.level, part.data_version]
    if [int(number) for number in numbers] != components:
        return f"{part.name} has the components {components}"
    if part.partition_id != f"patch-{kind}-{partition}" or part.folder.name != part.name:
        return f"{part.name} is of {part.partition_id} and in {part.folder.name}"
    return "" if part.min_block == part.max_block and part.level == 0 else f"{part.name} is merged"


@TestScenario
@Requirements(RQ_SRS_102_ClickHouse_TableParts_Name_Patch("1.0"))
def patches_are_named_by_columns_and_partition(self):
    """Each UPDATE makes a patch for each partition it changes, with one hash for the same columns."""
    with Given("a table of two partitions that can be patched"):
        table = create_table("patched", columns=COLUMNS, settings=WITH_PATCHES)
        insert(table, [(number % 2, number, "old", 1) for number in range(10)])
        (first, second) = active_parts(table)

    made: list[dict[str, PartRecord]] = []
    for update in UPDATES:
        with When(f"I update {update}"):
            before = patches(table)
            table.node.query(f"UPDATE {table} {update}")
            after = patches(table)
            assert before.items() <= after.items(), error()
            made.append({name: part for name, part in after.items() if name not in before})

    with Then("each has made a patch for each partition, of as many rows as it changes"):
        rows = [
            sorted((part.partition_id.split("-")[2], part.rows) for part in new.values())
            for new in made
        ]
        assert rows == [sorted(changed.items()) for changed in UPDATES.values()], error()

    with And("the names are made of hash, partition, blocks, level and version"):
        wrong = [wrong_name(part) for new in made for part in new.values()]
        assert wrong == [""] * 4, error()

    with And("patches of the same columns have the same hash, those of others another one"):
        hashes = [{part.partition_id.split("-")[1] for part in new.values()} for new in made]
        assert hashes[0] == hashes[1] != hashes[2] and len(hashes[0] | hashes[2]) == 2, error()

    with And("later patches have later versions, and the patched parts are as they were"):
        versions = [max(part.data_version for part in new.values()) for new in made]
        assert versions == sorted(set(versions)), error()
        parts = {first, second}.union(*made)
        assert active_parts(table).keys() == parts, error()

    expected = [
        (i % 2, i, "new" if i < 4 else "newer" if i == 4 else "old", 7 if i == 5 else 1)
        for i in range(10)
    ]
    with And("a SELECT reads the parts with their patches"):
        assert contents(table) == sorted(expected), error()

    with And("a merge writes the patched rows into a part of its own name"):
        merge(table)
        assert inactive_parts(table).keys() >= {first, second}, error()
        table.node.query(f"ALTER TABLE {table} DROP PARTITION 0")
        assert contents(table) == sorted(row for row in expected if row[0] == 1), error()
