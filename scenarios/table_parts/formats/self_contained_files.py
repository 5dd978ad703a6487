"""What a part's folder has to say about the part: its lists, its index, its partition."""

from collections.abc import Callable, Iterator
from typing import Any

from testflows.asserts import error
from testflows.core import And, Requirements, TestScenario, Then, When

from helpers.cluster.capabilities import Capability
from requirements.srs102_table_parts import (
    RQ_SRS_102_ClickHouse_TableParts_SelfContained_Metadata,
    RQ_SRS_102_ClickHouse_TableParts_SelfContained_Partition,
)
from steps.table_parts.compressed_files import decompressed, listed_files
from steps.table_parts.part_files import columns_text, numbers_of
from steps.table_parts.part_life import (
    FORMATS,
    KEPT,
    PartRecord,
    active_parts,
    merge,
    mutate,
    part_records,
    rows_by_part,
    sorted_rows,
)
from steps.tables import NO_MERGES, Table, create_table

NEEDS = (Capability.PYARROW,)

COLUMNS = {
    "p": "UInt64",
    "d": "Date",
    "i": "UInt64",
    "text": "String",
    "many": "Array(UInt8)",
}  # 5 variants
DECLARED = ", ".join(f"{name} {type_}" for name, type_ in COLUMNS.items())
# How the primary index is stored, compressed by default; none where there is no sorting key.
INDEXES: dict[str, dict[str, Any]] = {  # 3 variants
    "primary.idx": {"compress_primary_key": 0},
    "primary.cidx": {},
    "": {},
}
# checksums.txt lists all files but these.
UNLISTED = {
    "checksums.txt",
    "columns.txt",
    "columns_substreams.txt",
    "default_compression_codec.txt",
    "metadata_version.txt",
}
FIRST_DAY = 19781  # 2024-02-28, in days
# Partition keys: the columns they are made of, each with the bytes of a value.
KEYS = {  # 5 variants
    "p": {"p": 8},
    "d": {"d": 2},
    "toYYYYMM(d)": {"d": 2},
    "intDiv(i, 100)": {"i": 8},
    "(p, toYYYYMM(d))": {"p": 8, "d": 2},
}
# What is read of a row, by name.
NAMES = ("p", "d", "i", "month")
READ = "p, toUInt64(d), i, toUInt64(toYYYYMM(d))"
# What partition.dat holds, from a row of the part: the values of the key, one behind the other.
VALUES: dict[str, Callable[[dict[str, int]], bytes]] = {
    "p": lambda row: row["p"].to_bytes(8, "little"),
    "d": lambda row: row["d"].to_bytes(2, "little"),
    "toYYYYMM(d)": lambda row: row["month"].to_bytes(4, "little"),
    "intDiv(i, 100)": lambda row: (row["i"] // 100).to_bytes(8, "little"),
    "(p, toYYYYMM(d))": lambda row: (
        row["p"].to_bytes(8, "little") + row["month"].to_bytes(4, "little")
    ),
}
CHANGES = (
    "UPDATE text = 'changed' WHERE i % 2",
    "DELETE WHERE i IN (0, 89, 100) OR i % 7 = 1",
)  # 2 variants


def inserted(partition_by: str, order_by: str = "i", **settings: Any) -> Table:
    """A table with two inserted parts in each partition; it keeps all its parts."""
    table = create_table(
        "lived",
        columns=DECLARED,
        partition_by=partition_by,
        order_by=order_by,
        settings={**NO_MERGES, **KEPT, **settings},
    )
    for start in (0, 100):
        table.node.query(
            f"INSERT INTO {table} SELECT number % 3, toDate({FIRST_DAY} + number % 3), number, "
            f"toString(number), [1, 2] FROM numbers({start}, 90)"
        )
    stored = sum(part.rows for part in active_parts(table).values())
    assert stored == 180, f"{table} has {stored} rows"
    return table


def numbers_left(part: PartRecord, deleted: bool) -> list[int]:
    """The numbers that a part of a table that is partitioned by p has, as it was inserted or merged."""
    inserted = [*range(90)] if part.min_block <= 3 else []
    inserted += range(100, 190) if part.max_block > 3 else []
    return [
        number
        for number in inserted
        if str(number % 3) == part.partition_id and not (deleted and is_deleted(number))
    ]


def is_deleted(number: int) -> bool:
    """Whether the second of the changes deletes the row with this number."""
    return number in (0, 89, 100) or number % 7 == 1


def wrong_metadata(part: PartRecord, index: str, keys: list[int]) -> Iterator[str]:
    """What is not true in the files of a part with rows of these keys."""
    folder = part.folder
    sizes = {file.name: file.stat().st_size for file in folder.iterdir()}
    if (folder / "count.txt").read_text() != str(len(keys)):
        yield f"count.txt has {(folder / 'count.txt').read_text()!r}, not {len(keys)}"
    if (folder / "columns.txt").read_text() != columns_text(COLUMNS):
        yield f"columns.txt has {(folder / 'columns.txt').read_text()!r}"
    listed = listed_files(folder / "checksums.txt")
    if listed != {name: size for name, size in sizes.items() if name not in UNLISTED}:
        yield f"checksums.txt lists {listed}, there are {sizes}"
    if {name for name in sizes if name.startswith("primary")} != {index} - {""}:
        yield f"the index is in {sizes.keys()}, not in {index}"
    if index:
        content = decompressed if index == "primary.cidx" else lambda file: file.read_bytes()
        entries = numbers_of(content(folder / index))
        if entries != [keys[0], keys[-1]]:
            yield f"{index} has {entries}"


def wrong_parts(kind: str, index: str) -> Iterator[str]:
    """What is wrong with inserted, merged and mutated parts of this format."""
    settings = {**FORMATS[kind], **INDEXES[index]}
    table = inserted("p", order_by="i" if index else "tuple()", **settings)
    stages: dict[str, Callable[[], object]] = {
        "inserted": lambda: None,
        "merged": lambda: merge(table),
        **{change: lambda change=change: mutate(table, change) for change in CHANGES},  # type: ignore[misc]
    }
    seen: set[str] = set()
    for stage, happen in stages.items():
        happen()
        parts = active_parts(table)
        keys = {name: numbers_left(part, stage == CHANGES[1]) for name, part in parts.items()}
        read = {name: [row[0] for row in rows] for name, rows in rows_by_part(table, "i").items()}
        if read != keys:
            yield f"{stage}: other rows than expected"
        if not seen.isdisjoint(parts) or {part.kind for part in parts.values()} != {kind}:
            yield f"{stage}: {sorted(parts)} are not new {kind} parts"
        seen |= parts.keys()
        for name, part in parts.items():
            differences = wrong_metadata(part, index, keys[name])
            yield from (f"{stage}: {name}: {wrong}" for wrong in differences)
    if len(seen) != 6 + 3 * 3:
        yield f"there were only the parts {sorted(seen)}"


@TestScenario
@Requirements(RQ_SRS_102_ClickHouse_TableParts_SelfContained_Metadata("1.1"))
def metadata_files(self):
    """Inserted, merged and mutated parts of both formats have their files, and these are true."""
    with When(
        "parts are written, in both formats, with a primary index of each kind and without one"
    ):
        violations = [
            f"{kind}, {index or 'no index'}: {wrong}"
            for kind in FORMATS
            for index in INDEXES
            for wrong in wrong_parts(kind, index)
        ]

    with Then("every part has the files, and what they say is true"):
        assert violations == [], error()


# The rows that are left after the changes: p, d, i and the month of d.
LEFT = sorted(
    (number % 3, FIRST_DAY + number % 3, number, 202403 if number % 3 == 2 else 202402)
    for number in (*range(90), *range(100, 190))
    if not is_deleted(number)
)


def wrong_partition_files(key: str) -> Iterator[str]:
    """What is not true in partition.dat and in the minmax files of a table with this partition key."""
    table = inserted(key)
    merge(table)
    for change in CHANGES:
        mutate(table, change)
    read = rows_by_part(table, READ)
    parts = active_parts(table)
    if len(parts) < 2 or read.keys() != parts.keys():
        yield f"rows of {sorted(read)}, parts are {sorted(parts)}"
    if any(part.level != 1 or part.data_version <= part.max_block for part in parts.values()):
        yield f"not all of {sorted(parts)} were merged and mutated"
    if sorted_rows(read) != LEFT:
        yield f"other rows than expected: {sorted_rows(read)}"
    for name, part in parts.items():
        rows = [dict(zip(NAMES, row, strict=True)) for row in read[name]]
        yield from wrong_partition_of(part, key, rows)


def wrong_partition_of(part: PartRecord, key: str, rows: list[dict[str, int]]) -> Iterator[str]:
    """What a part with these rows says otherwise of its partition and its ranges."""
    value = (part.folder / "partition.dat").read_bytes()
    if {VALUES[key](row) for row in rows} != {value}:
        yield f"{part.name} has {value!r} in partition.dat"
    for column, width in KEYS[key].items():
        values = [row[column] for row in rows]
        ends = numbers_of((part.folder / f"minmax_{column}.idx").read_bytes(), width)
        if ends != [min(values), max(values)]:
            yield f"{part.name} has {ends} in minmax_{column}.idx"
    files = {file.name for file in part.folder.glob("minmax_*")}
    if files != {f"minmax_{column}.idx" for column in KEYS[key]}:
        yield f"{part.name} has {files}"


@TestScenario
@Requirements(RQ_SRS_102_ClickHouse_TableParts_SelfContained_Partition("1.0"))
def partition_files(self):
    """partition.dat has the part's partition, and the minmax files the range of each column of the key."""
    with When("tables of many partition keys have merged and mutated parts"):
        violations = {key: list(wrong_partition_files(key)) for key in KEYS}

    with Then("every part tells its partition and its ranges"):
        assert violations == {key: [] for key in KEYS}, error()

    with And("a table without partitions has no such files"):
        parts = part_records(inserted(""))
        files = {file.name for part in parts.values() for file in part.folder.iterdir()}
        assert len(parts) == 2 and "count.txt" in files, error()
        assert not {file for file in files if file.startswith(("partition", "minmax"))}, error()
