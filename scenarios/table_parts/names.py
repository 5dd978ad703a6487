"""Names of parts: partition, blocks, level, mutation version."""

import re

from testflows.asserts import error
from testflows.core import And, Given, Requirements, TestScenario, Then, When

from requirements.srs102_table_parts import (
    RQ_SRS_102_ClickHouse_TableParts_Name,
    RQ_SRS_102_ClickHouse_TableParts_Name_InsertLevel,
    RQ_SRS_102_ClickHouse_TableParts_Name_MergeLevel,
)
from steps.part_life import FORMATS, KEPT, PartRecord, active_parts, merge, mutate, part_records
from steps.tables import NO_MERGES, Table, create_table, insert

DAYS = "p UInt64, d Date, s String, i UInt64"
HASH = "[0-9a-f]{32}"
# Partition keys and the ids of the partitions that the rows belong to, as patterns.
PARTITION_IDS = {
    "": ["all"],
    "p": ["1", "2"],
    "d": ["20240229", "20240301"],
    "toYYYYMM(d)": ["202402", "202403"],
    "(p, toYYYYMM(d))": ["1-202402", "2-202403"],
    "s": [HASH, HASH],
}
ROWS = [(1, "2024-02-29", "north", 1), (2, "2024-03-01", "south", 2)]
# How rows get into a table: as values, by a query, for several partitions, into a wide part.
INSERTS = {
    "values": "INSERT INTO {table} SELECT * FROM VALUES('p UInt64, i UInt64, o String', (1, 1, 'x'))",
    "a query": "INSERT INTO {table} SELECT 1, number, 'x' FROM numbers(100)",
    "several partitions": "INSERT INTO {table} SELECT number % 3, number, 'x' FROM numbers(100)",
}


def composed(part: PartRecord, *, mutated: bool) -> str:
    """The name as it follows from the other columns of system.parts."""
    name = f"{part.partition_id}_{part.min_block}_{part.max_block}_{part.level}"
    return f"{name}_{part.data_version}" if mutated else name


def misnamed(table: Table, *, mutated: bool) -> list[str]:
    """Active parts whose name, or whose folder's name, is another one than it has to be."""
    return [
        f"{part.name} in {part.folder.name}, not {composed(part, mutated=mutated)}"
        for part in active_parts(table).values()
        if not part.name == part.folder.name == composed(part, mutated=mutated)
    ]


@TestScenario
@Requirements(RQ_SRS_102_ClickHouse_TableParts_Name("1.0"))
def names_are_made_of_their_components(self):
    """For every partition key: parts inserted, merged and mutated are named by their components."""
    violations = []
    for key, ids in PARTITION_IDS.items():
        with When(f"a table partitioned by {key or 'nothing'} lives"):
            table = create_table(
                "named", columns=DAYS, partition_by=key, settings={**NO_MERGES, **KEPT}
            )
            for what, mutated in (("insert", False), ("merge", False), ("mutation", True)):
                if what == "insert":
                    for _ in range(2):
                        values = ", ".join(map(str, ROWS))
                        table.node.query(
                            f"INSERT INTO {table} SELECT * FROM VALUES('{DAYS}', {values})"
                        )
                elif what == "merge":
                    merge(table)
                else:
                    mutate(table, "DELETE WHERE i = 0")
                violations += [
                    f"{key}, {what}: {wrong}" for wrong in misnamed(table, mutated=mutated)
                ]
            found = sorted({part.partition_id for part in active_parts(table).values()})
            if len(found) != len(ids) or not all(map(re.fullmatch, ids, found)):
                violations.append(f"{key}: partition ids {found}")

    with Then("every name is made of partition, blocks, level and, if mutated, the version"):
        assert violations == [], error()


@TestScenario
@Requirements(RQ_SRS_102_ClickHouse_TableParts_Name_InsertLevel("1.0"))
def inserted_parts_have_level_zero(self):
    """However rows come into a plain MergeTree table, their parts have level 0."""
    with Given("a table for compact parts and one for wide parts"):
        tables = [
            create_table("plain"),
            create_table("plain", settings={**NO_MERGES, **FORMATS["Wide"]}),
        ]

    with When("I insert into them in every way"):
        for table in tables:
            for sql in INSERTS.values():
                table.node.query(sql.format(table=table))
            insert(table, [(1, 1, "over the native protocol")])

    with Then("all parts have level 0"):
        for table in tables:
            parts = active_parts(table)
            assert len(parts) == 6, error()
            assert {part.level for part in parts.values()} == {0}, error()

    with And("an engine that merges the rows of an insert while writing them starts at level 1"):
        replacing = create_table("replacing", engine="ReplacingMergeTree")
        insert(replacing, [(1, 1, "first"), (1, 1, "second")])
        assert [part.level for part in active_parts(replacing).values()] == [1], error()


@TestScenario
@Requirements(RQ_SRS_102_ClickHouse_TableParts_Name_MergeLevel("1.0"))
def merged_parts_span_their_sources(self):
    """A merged part has all blocks of its sources and one level more than the highest of them."""
    with Given("two partitions that take turns, so that their blocks have gaps"):
        table = create_table("merged", settings={**NO_MERGES, **KEPT})
        for number in range(6):
            insert(table, [(number % 2, number, "row")])

    violations = []
    for turn in ("level 0 alone", "level 1 with level 0", "one part alone", "after a mutation"):
        with When(f"I merge: {turn}"):
            if turn in ("level 1 with level 0", "after a mutation"):
                insert(table, [(0, 100, "row"), (1, 101, "row")])
            if turn == "after a mutation":
                mutate(table, "UPDATE owner = 'changed' WHERE i > 100")
            sources = active_parts(table)
            merge(table)
            merged = active_parts(table)
            for part in merged.values():
                made_of = [one for one in sources.values() if one.partition_id == part.partition_id]
                expected = (
                    min(one.min_block for one in made_of),
                    max(one.max_block for one in made_of),
                    max(one.level for one in made_of) + 1,
                )
                if (part.min_block, part.max_block, part.level) != expected:
                    violations.append(f"{turn}: {part.name} of {[one.name for one in made_of]}")
            if len(merged) != 2 or not merged.keys().isdisjoint(sources):
                violations.append(f"{turn}: {sorted(sources)} became {sorted(merged)}")

    with Then("ranges and levels are those of the sources, the level one more"):
        assert violations == [], error()

    with And("the level has grown with each merge"):
        levels = {part.level for part in part_records(table).values()}
        assert levels == {0, 1, 2, 3, 4}, error()
