"""What a part's folder has to say about the part."""

from collections.abc import Callable

from testflows.asserts import error
from testflows.core import And, Requirements, TestScenario, Then, When

from requirements.srs102_table_parts import (
    RQ_SRS_102_ClickHouse_TableParts_SelfContained_Metadata,
    RQ_SRS_102_ClickHouse_TableParts_SelfContained_Partition,
)
from steps.part_files import listed_columns, numbers_in
from steps.part_life import FORMATS, KEPT, active_parts, merge, mutate, part_records, rows_by_part
from steps.tables import NO_MERGES, Table, create_table

COLUMNS = {"p": "UInt64", "d": "Date", "i": "UInt64", "text": "String", "many": "Array(UInt8)"}
DECLARED = ", ".join(f"{name} {type_}" for name, type_ in COLUMNS.items())
INDEX_FILES = {0: "primary.idx", 1: "primary.cidx"}
CHECKSUMS = b"checksums format version: "
FIRST_DAY = 19781  # 2024-02-28, in days
# Partition keys: the columns they are made of, each with the bytes of a value.
KEYS = {
    "p": {"p": 8},
    "d": {"d": 2},
    "toYYYYMM(d)": {"d": 2},
    "intDiv(i, 100)": {"i": 8},
    "(p, toYYYYMM(d))": {"p": 8, "d": 2},
}
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


def lived(partition_by: str, **settings: int) -> Table:
    """A table with parts from inserts, a merge and mutations, all of them still on disk."""
    table = create_table(
        "lived",
        columns=DECLARED,
        partition_by=partition_by,
        settings={**NO_MERGES, **KEPT, **settings},
    )
    for start in (0, 100):
        table.node.query(
            f"INSERT INTO {table} SELECT number % 3, toDate({FIRST_DAY} + number % 3), number, "
            f"toString(number), [1, 2] FROM numbers({start}, 90)"
        )
    merge(table)
    mutate(table, "UPDATE text = 'changed' WHERE i % 2")
    mutate(table, "DELETE WHERE i IN (0, 89, 100) OR i % 7 = 1")
    return table


@TestScenario
@Requirements(RQ_SRS_102_ClickHouse_TableParts_SelfContained_Metadata("1.0"))
def metadata_files(self):
    """Inserted, merged and mutated parts of both formats have their four files, and these are true."""
    violations, origins = [], set()
    for kind, formats in FORMATS.items():
        for compressed, index in INDEX_FILES.items():
            with When(f"parts are written, {kind}, with {index}"):
                table = lived(
                    "p",
                    **formats,
                    compress_primary_key=compressed,
                )
                other = INDEX_FILES[1 - compressed]
                for part in part_records(table).values():
                    origins.add((part.kind, part.level, part.data_version > part.max_block))
                    folder, name = part.folder, f"{part.kind} {part.name} with {index}"
                    count = (folder / "count.txt").read_text()
                    if count != str(part.rows):
                        violations.append(f"{name}: {count} in count.txt, {part.rows} rows")
                    if listed_columns(folder) != COLUMNS:
                        violations.append(f"{name}: columns.txt lists {listed_columns(folder)}")
                    if not (folder / "checksums.txt").read_bytes().startswith(CHECKSUMS):
                        violations.append(f"{name}: checksums.txt does not look like one")
                    if not (folder / index).stat().st_size or (folder / other).exists():
                        violations.append(f"{name}: the index is not in {index} alone")

    with Then("every part has them"):
        assert violations == [], error()

    with And("there were inserted, merged and mutated ones of both formats"):
        lives = {(0, False), (1, False), (1, True)}
        assert origins == {(kind, *life) for kind in ("Compact", "Wide") for life in lives}, error()


@TestScenario
@Requirements(RQ_SRS_102_ClickHouse_TableParts_SelfContained_Partition("1.0"))
def partition_files(self):
    """partition.dat has the part's partition, and the minmax files the range of each column of the key."""
    violations = []
    for key, columns in KEYS.items():
        with When(f"the table is partitioned by {key}"):
            table = lived(key)
            names = "p, toUInt64(d), i, toUInt64(toYYYYMM(d))"
            read = rows_by_part(table, names)
            parts = active_parts(table)
            assert len(parts) > 1 and read.keys() == parts.keys(), error()
            for name, part in parts.items():
                rows = [dict(zip(("p", "d", "i", "month"), row, strict=True)) for row in read[name]]
                value = (part.folder / "partition.dat").read_bytes()
                if {VALUES[key](row) for row in rows} != {value}:
                    violations.append(f"{key}: {name} has {value!r} in partition.dat")
                for column, width in columns.items():
                    values = [row[column] for row in rows]
                    found = numbers_in(part.folder / f"minmax_{column}.idx", width)
                    if found != [min(values), max(values)]:
                        violations.append(f"{key}: {name} has {found} in minmax_{column}.idx")
                files = {file.name for file in part.folder.glob("minmax_*")}
                if files != {f"minmax_{column}.idx" for column in columns}:
                    violations.append(f"{key}: {name} has {files}")

    with Then("every part tells its partition and its ranges"):
        assert violations == [], error()

    with And("a table without partitions has no such files"):
        for part in part_records(lived("")).values():
            files = {file.name for file in part.folder.iterdir()}
            assert not {file for file in files if file.startswith(("partition", "minmax"))}, error()
