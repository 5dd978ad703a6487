"""Indexes and statistics are in the part: they are there when it is attached elsewhere."""

import itertools
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path

from testflows.asserts import error
from testflows.core import And, Given, Requirements, TestScenario, Then, When

from requirements.srs102_table_parts import (
    RQ_SRS_102_ClickHouse_TableParts_SelfContained_PrimaryIndex,
    RQ_SRS_102_ClickHouse_TableParts_SelfContained_SkipIndexes,
    RQ_SRS_102_ClickHouse_TableParts_SelfContained_Statistics,
)
from steps.table_parts.part_files import copy_to_detached
from steps.table_parts.part_life import (
    FORMATS,
    KEPT,
    active_parts,
    merge,
    mutate,
    part_records,
    rows_by_part,
)
from steps.tables import NO_MERGES, Table, create_table

GRANULARITIES = (1, 7, 8, 10, 8192)  # 5 variants
ROWS = 100
# The keys of each part, before and after the parts are merged.
KEYS = {  # 2 variants
    "inserted": {"all_1_1_0": [*range(ROWS)], "all_2_2_0": [*range(50, ROWS)]},
    "merged": {"all_1_2_1": sorted([*range(ROWS), *range(50, ROWS)])},
}
INDEXED = "i UInt64, j UInt64, word String"
INSERT = "SELECT number, number * 2, concat('word ', toString(number)) FROM numbers"
# Indexes, and for each a condition that only one granule of ten can fulfil.
SKIP_INDEXES = {  # 3 variants
    "INDEX range j TYPE minmax": "j = 42",
    "INDEX members word TYPE set(0)": "word = 'word 42'",
    "INDEX bloom word TYPE bloom_filter(0.001)": "word = 'word 42'",
}


def first_keys(kind: str, keys: list[int], granularity: int) -> list[int]:
    """The first key of each granule; what is left for the last one of a compact part has to be half of it."""
    left = len(keys) % granularity
    first = keys[::granularity]
    joined = kind == "Compact" and len(first) > 1 and 0 < left * 2 < granularity
    return first[:-1] if joined else first


def has_entries(file: Path, expected: list[int]) -> bool:
    """Whether an index file has these keys, and nothing else."""
    content = file.read_bytes()
    return content == b"".join(key.to_bytes(8, "little") for key in expected)


def wrong_primary_index(kind: str, granularity: int) -> Iterator[str]:
    """What is wrong with the indexes of inserted and merged parts."""
    settings = {
        **NO_MERGES,
        **KEPT,
        **FORMATS[kind],
        "index_granularity": granularity,
        "compress_primary_key": 0,
    }
    table = create_table("sparse", columns=INDEXED, partition_by="", settings=settings)
    for start in (0, 50):
        table.node.query(f"INSERT INTO {table} {INSERT}({start}, {ROWS - start}) ORDER BY rand()")
    for stage, keys_of_parts in KEYS.items():
        if stage == "merged":
            merge(table)
        rows = {name: [(key,) for key in keys] for name, keys in keys_of_parts.items()}
        parts = active_parts(table)
        if rows_by_part(table, "i") != rows or parts.keys() != rows.keys():
            yield f"{kind}, {granularity}, {stage}: {sorted(parts)} have other rows"
        for name, keys in keys_of_parts.items():
            expected = [*first_keys(kind, keys, granularity), keys[-1]]
            file = parts[name].folder / "primary.idx"
            if not has_entries(file, expected) or parts[name].kind != kind:
                yield f"{kind}, {granularity}, {stage}: {name} has another index"


@TestScenario
@Requirements(RQ_SRS_102_ClickHouse_TableParts_SelfContained_PrimaryIndex("1.0"))
def primary_index_is_sparse(self):
    """The index file has the first key of each granule and the last key, in the order of the rows."""
    with When("parts of both formats are inserted and merged with granules of several sizes"):
        violations = [
            wrong
            for kind in FORMATS
            for granularity in GRANULARITIES
            for wrong in wrong_primary_index(kind, granularity)
        ]

    with Then("every index has the keys that it should have, and no others"):
        assert violations == [], error()


def granules_read(table: Table, condition: str) -> list[str]:
    """What the plan of a SELECT with this condition says of indexes and the granules that they leave."""
    return table.node.column(
        "SELECT trim(explain) FROM "
        f"(EXPLAIN indexes = 1 SELECT * FROM {table} WHERE {condition}) "
        "WHERE match(explain, '^ +(Name|Granules):')"
    )


def granules_left(index: str, count: int) -> list[str]:
    """The same where the primary index leaves all ten granules and this one so many of them."""
    return ["Granules: 10/10", f"Name: {index}", f"Granules: {count}/10"]


def indexed_table(name: str, declared: str) -> Table:
    columns = f"{INDEXED}, {declared}" if declared else INDEXED
    settings = {**NO_MERGES, **KEPT, "index_granularity": 10}
    return create_table(name, columns=columns, partition_by="", settings=settings)


# What writes the data of an index that was added later into a part that was there.
WRITTEN_LATER: Mapping[str, Callable[[Table, str], None]] = {
    "MATERIALIZE INDEX": lambda table, name: mutate(table, f"MATERIALIZE INDEX {name}"),
    "a merge": lambda table, name: merge(table),
}


def wrong_skip_index(declared: str, condition: str, how: str) -> Iterator[str]:
    """What is wrong with a skip index before it is in a part, when it is, and in a copy of the part."""
    name = declared.split()[1]
    table, copy = indexed_table("indexed", ""), indexed_table("copy", declared)
    table.node.query(f"INSERT INTO {table} {INSERT}({ROWS})")
    table.node.query(f"ALTER TABLE {table} ADD {declared}")
    (old,) = active_parts(table).values()
    read = granules_read(table, condition)
    if read != granules_left(name, 10):
        yield f"{name} is used before it is there: {read}"
    WRITTEN_LATER[how](table, name)
    (new,) = active_parts(table).values()
    files = [len(list(part.folder.glob("skp_idx*"))) for part in (old, new)]
    if files[0] or not files[1]:
        yield f"{name}: {files} files in the parts before and after"
    read = granules_read(table, condition)
    if read != granules_left(name, 1):
        yield f"{name} leaves {read}"
    copy_to_detached(new.folder, copy)
    copy.node.query(f"ALTER TABLE {copy} ATTACH PART '{new.name}'")
    read = granules_read(copy, condition)
    if read != granules_left(name, 1):
        yield f"{name} leaves in another table {read}"
    for where in (table, copy):
        rows = where.node.query(f"SELECT * FROM {where} WHERE {condition}")
        if rows != ([(21, 42, "word 21")] if condition.startswith("j") else [(42, 84, "word 42")]):
            yield f"{name}: {where} answers {rows}"


def wrong_inserted_index(declared: str, condition: str) -> Iterator[str]:
    """What is wrong with a skip index that the table has when a part is inserted."""
    table = indexed_table("inserted", declared)
    table.node.query(f"INSERT INTO {table} {INSERT}({ROWS})")
    read = granules_read(table, condition)
    if read != granules_left(declared.split()[1], 1):
        yield f"{declared} leaves in an inserted part {read}"


@TestScenario
@Requirements(RQ_SRS_102_ClickHouse_TableParts_SelfContained_SkipIndexes("1.0"))
def skip_indexes_are_in_the_part(self):
    """A skip index is used where the part has its data, also in another table, and nowhere else."""
    with When("indexes are added, written, and their parts attached to another table"):
        cells = list(itertools.product(SKIP_INDEXES, WRITTEN_LATER))
        violations = {
            (declared, how): list(wrong_skip_index(declared, SKIP_INDEXES[declared], how))
            for declared, how in cells
        }

    with Then("each is in the part's folder, and used wherever the part is"):
        assert violations == {cell: [] for cell in cells}, error()

    with And("an inserted part has them at once"):
        inserted = {
            declared: list(wrong_inserted_index(declared, condition))
            for declared, condition in SKIP_INDEXES.items()
        }
        assert inserted == {declared: [] for declared in SKIP_INDEXES}, error()


def statistics(table: Table) -> list[tuple[str, str, int, str | None, str | None]]:
    """Part, column, whether it has statistics, and the smallest and greatest value in them."""
    return table.node.query(
        "SELECT name, column, notEmpty(statistics), estimates.min, estimates.max "
        f"FROM system.parts_columns WHERE database = '{table.database}' AND table = '{table.name}' "
        "ORDER BY name, column"
    )


@TestScenario
@Requirements(RQ_SRS_102_ClickHouse_TableParts_SelfContained_Statistics("1.0"))
def statistics_are_in_the_part(self):
    """Parts of merges have the statistics of their columns, those of inserts if they are asked to."""
    with Given("a table whose columns have statistics"):
        columns = "i UInt64 STATISTICS(tdigest), j UInt64 STATISTICS(tdigest)"
        table = create_table(
            "measured", columns=columns, partition_by="", settings={**NO_MERGES, **KEPT}
        )
        insert = f"INSERT INTO {table} SELECT number, number * 2 FROM numbers"

    with When("I insert without statistics and with them, and merge"):
        for start, materialize in ((0, 0), (50, 1)):
            table.node.query(
                f"{insert}({start}, 50)",
                settings={"materialize_statistics_on_insert": materialize},
            )
        merge(table)

    with Then("the parts have them or not, and they are true"):
        assert statistics(table) == [
            ("all_1_1_0", "i", 0, None, None),
            ("all_1_1_0", "j", 0, None, None),
            ("all_1_2_1", "i", 1, "0", "99"),
            ("all_1_2_1", "j", 1, "0", "198"),
            ("all_2_2_0", "i", 1, "50", "99"),
            ("all_2_2_0", "j", 1, "100", "198"),
        ], error()

    with And("they are files of the parts, of the merged one and of its sources"):
        files = {
            name: (part.active, len(list(part.folder.glob("statistics*"))))
            for name, part in part_records(table).items()
        }
        assert files == {"all_1_1_0": (0, 0), "all_2_2_0": (0, 1), "all_1_2_1": (1, 1)}, error()
