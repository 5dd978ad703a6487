"""Names of parts: partition, blocks, level, mutation version."""

import re
from collections.abc import Callable, Mapping

from testflows.asserts import error
from testflows.core import And, Given, Requirements, TestScenario, Then, When

from requirements.srs102_table_parts import (
    RQ_SRS_102_ClickHouse_TableParts_Name,
    RQ_SRS_102_ClickHouse_TableParts_Name_InsertLevel,
    RQ_SRS_102_ClickHouse_TableParts_Name_MergeLevel,
)
from steps.table_parts.part_life import (
    FORMATS,
    KEPT,
    PartRecord,
    active_parts,
    mutate,
    part_records,
    supersede,
    table_of_parts,
)
from steps.tables import NO_MERGES, Table, contents, create_table, insert

DAYS = "p UInt64, d Date, s String, i UInt64, value UInt64"
HASH = "[0-9a-f]{32}"
# Partition keys and the ids of the partitions that the rows belong to, as patterns.
PARTITION_IDS = {  # 6 variants
    "": ["all"],
    "p": ["1", "2"],
    "d": ["20240229", "20240301"],
    "toYYYYMM(d)": ["202402", "202403"],
    "(p, toYYYYMM(d))": ["1-202402", "2-202403"],
    "s": [HASH, HASH],
}
ROWS = [(1, "2024-02-29", "north", 1, 10), (2, "2024-03-01", "south", 2, 20)]
# How rows get into a table: as values, by a query, for several partitions, into a wide part.
INSERTS = {  # 3 variants
    "values": "INSERT INTO {table} SELECT * FROM VALUES('p UInt64, i UInt64, o String', (1, 1, 'x'))",
    "a query": "INSERT INTO {table} SELECT 1, number, 'x' FROM numbers(100)",
    "several partitions": "INSERT INTO {table} SELECT number % 3, number, 'x' FROM numbers(100)",
}


def misnamed(parts: Mapping[str, PartRecord], suffix: str = "") -> list[str]:
    """Parts whose name, or whose folder's name, is another one than its components give."""
    wrong = []
    for part in parts.values():
        name = "_".join(map(str, part.place)) + suffix.format(version=part.data_version)
        if not part.name == part.folder.name == name:
            wrong.append(f"{part.name} in {part.folder.name}, not {name}")
    return wrong


def wrong_names(key: str, ids: list[str]) -> list[str]:
    """What is wrong with the names of parts that are inserted, merged and mutated."""
    table = create_table("named", columns=DAYS, partition_by=key, settings={**NO_MERGES, **KEPT})
    values = ", ".join(map(str, ROWS))
    for _ in range(2):
        table.node.query(f"INSERT INTO {table} SELECT * FROM VALUES('{DAYS}', {values})")
    inserted = active_parts(table)
    wrong = [f"insert: {name}" for name in misnamed(inserted)]
    merged = supersede(table, "a merge")
    wrong += [f"merge: {name}" for name in misnamed(merged)]
    mutate(table, "UPDATE value = value + 1 WHERE 1")
    mutated = active_parts(table)
    wrong += [f"mutation: {name}" for name in misnamed(mutated, suffix="_{version}")]
    blocks = sorted(part.min_block for part in inserted.values())
    if blocks != [*range(1, 2 * len(ids) + 1)]:
        wrong.append(f"inserted parts {sorted(inserted)}")
    if [part.level for part in merged.values()] != [1] * len(ids):
        wrong.append(f"merged parts {sorted(merged)}")
    if any(part.data_version <= part.max_block for part in mutated.values()):
        wrong.append(f"mutated parts {sorted(mutated)}")
    partitions = sorted(part.partition_id for part in mutated.values())
    if len(partitions) != len(ids) or not all(map(re.fullmatch, ids, partitions)):
        wrong.append(f"partition ids {partitions}")
    return wrong


@TestScenario
@Requirements(RQ_SRS_102_ClickHouse_TableParts_Name("1.0"))
def names_are_made_of_their_components(self):
    """For every partition key: parts inserted, merged and mutated are named by their components."""
    violations = {}
    for key, ids in PARTITION_IDS.items():
        with When(
            f"a table partitioned by {key or 'nothing'} has inserted, merged and mutated parts"
        ):
            violations[key] = wrong_names(key, ids)

    with Then("every name is made of partition, blocks, level and, if mutated, the version"):
        assert violations == {key: [] for key in PARTITION_IDS}, error()


@TestScenario
@Requirements(RQ_SRS_102_ClickHouse_TableParts_Name_InsertLevel("1.0"))
def inserted_parts_have_level_zero(self):
    """However rows come into a plain MergeTree table, their parts have level 0."""
    with When("I insert in every way into a table for compact parts and one for wide parts"):
        tables = {
            kind: create_table("plain", settings={**NO_MERGES, **formats})
            for kind, formats in FORMATS.items()
        }
        for table in tables.values():
            for sql in INSERTS.values():
                table.node.query(sql.format(table=table))
            insert(table, [(1, 1, "over the native protocol")])

    with Then("all parts have level 0"):
        for kind, table in tables.items():
            parts = active_parts(table).values()
            assert [(part.level, part.kind) for part in parts] == [(0, kind)] * 6, error()
            rows = sorted(part.rows for part in parts)
            assert rows == [1, 1, 33, 33, 34, 100], error()

    with And("an engine that merges the rows of an insert while writing them starts at level 1"):
        replacing = create_table("replacing", engine="ReplacingMergeTree")
        insert(replacing, [(1, 1, "first"), (1, 1, "second")])
        assert list(active_parts(replacing)) == ["1_1_1_1"], error()


def insert_row(table: Table) -> None:
    insert(table, [(0, 100, "row"), (1, 101, "row")])


def insert_and_mutate(table: Table) -> None:
    insert_row(table)
    before = active_parts(table)
    mutate(table, "UPDATE owner = 'changed' WHERE i > 100")
    after = active_parts(table)
    assert after.keys().isdisjoint(before), "there was no mutation"
    places = sorted(part.place for part in before.values())
    assert sorted(part.place for part in after.values()) == places, "it was no mutation"


# What comes before a merge.
BEFORE_MERGES: Mapping[str, Callable[[Table], object]] = {  # 4 variants
    "level 0 alone": lambda table: None,
    "level 1 with level 0": insert_row,
    "one part alone": lambda table: None,
    "after a mutation": insert_and_mutate,
}


def wrong_merge(table: Table) -> list[str]:
    """Merged parts that have other blocks or another level than their sources give."""
    sources = active_parts(table)
    merged = supersede(table, "a merge")
    wrong = []
    for part in merged.values():
        made_of = [
            source for source in sources.values() if source.partition_id == part.partition_id
        ]
        expected = (
            min(source.min_block for source in made_of),
            max(source.max_block for source in made_of),
            max(source.level for source in made_of) + 1,
            sum(source.rows for source in made_of),
        )
        if (part.min_block, part.max_block, part.level, part.rows) != expected:
            wrong.append(f"{part.name} of {[source.name for source in made_of]}")
    if [part.partition_id for part in merged.values()] != ["0", "1"]:
        wrong.append(f"{sorted(sources)} became {sorted(merged)}")
    return wrong


@TestScenario
@Requirements(RQ_SRS_102_ClickHouse_TableParts_Name_MergeLevel("1.0"))
def merged_parts_span_their_sources(self):
    """A merged part has all blocks of its sources and one level more than the highest of them."""
    with Given("two partitions that take turns, so that their blocks have gaps"):
        table = table_of_parts("merged", [[(number % 2, number, "row")] for number in range(6)])

    with When("I merge again and again"):
        violations = []
        for before, happen in BEFORE_MERGES.items():
            happen(table)
            violations += [f"{before}: {wrong}" for wrong in wrong_merge(table)]

    with Then("ranges and levels are those of the sources, the level one more"):
        assert violations == [], error()

    with And("the level has grown with each merge, and no row was lost"):
        levels = [part.level for part in part_records(table).values() if part.partition_id == "0"]
        assert sorted(levels) == [0] * 6 + [1, 2, 3, 3, 4], error()
        rows = [(n % 2, n, "row") for n in range(6)]
        rows += [(0, 100, "row")] * 2 + [(1, 101, "changed")] * 2
        assert contents(table) == sorted(rows), error()
