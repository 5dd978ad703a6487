"""Formats of parts: wide ones have files for each column, compact ones have one for all."""

from collections.abc import Iterable

from testflows.asserts import error
from testflows.core import And, Given, Requirements, TestScenario, Then, When

from helpers.cluster.client.failures import QueryFailed
from requirements.srs102_table_parts import (
    RQ_SRS_102_ClickHouse_TableParts_Format_Compact,
    RQ_SRS_102_ClickHouse_TableParts_Format_Wide,
)
from steps.damage import damaged
from steps.table_parts.part_life import FORMATS, PartRecord, active_parts
from steps.tables import NO_MERGES, Table, create_table

LONG = "a_name_longer_than_what_a_file_system_takes_for_one_" * 5
COLUMNS = {
    "i": "UInt64",
    "word": "String",
    "maybe": "Nullable(UInt8)",
    "many": "Array(UInt8)",
    "map": "Map(String, UInt8)",
    "pair": "Tuple(a UInt8, b String)",
    "low": "LowCardinality(String)",
    LONG: "UInt8",
}
ROW = "number, toString(number), 1, [1, 2], map('a', 1), (1, 'b'), 'low', 7"
NESTED = {"i": "UInt64", "n": "Nested(a UInt8, b UInt8)"}


def part_of_kind(kind: str, columns: dict[str, str], row: str) -> tuple[Table, PartRecord]:
    """A table with one part of this kind."""
    declared = ", ".join(f"{name} {type_}" for name, type_ in columns.items())
    table = create_table(
        kind.lower(), columns=declared, partition_by="", settings={**NO_MERGES, **FORMATS[kind]}
    )
    table.node.query(f"INSERT INTO {table} SELECT {row} FROM numbers(100)")
    (part,) = active_parts(table).values()
    assert part.kind == kind, f"the fixture is wrong: {part}"
    return table, part


def read_columns(table: Table, names: Iterable[str]) -> dict[str, bytes | None]:
    """A hash of the values of each column; None where it cannot be read to its end."""
    values: dict[str, bytes | None] = {}
    for name in names:
        try:
            values[name] = table.node.http(f"SELECT sum(cityHash64(`{name}`)) FROM {table}")
        except QueryFailed:
            values[name] = None
    return values


def users_of_each_file(table: Table, part: PartRecord, names: Iterable[str]) -> dict[str, set[str]]:
    """For each data file the columns that cannot be read when it is garbled."""
    sound, users = read_columns(table, names), {}
    for file in sorted(part.folder.glob("*.bin")):
        with damaged([file], "garbled"):
            read = read_columns(table, names)
        users[file.name] = {name for name, value in read.items() if value is None}
        readable = {name: value for name, value in read.items() if value is not None}
        assert readable.items() <= sound.items(), f"without {file.name} other values are read"
    assert None not in sound.values(), f"the fixture is wrong: {sound}"
    assert read_columns(table, names) == sound, "the fixture is wrong: a file was not mended"
    return users


@TestScenario
@Requirements(
    RQ_SRS_102_ClickHouse_TableParts_Format_Wide("1.1"),
    RQ_SRS_102_ClickHouse_TableParts_Format_Compact("1.0"),
)
def data_files_of_columns(self):
    """A data file of a wide part belongs to one column, that of a compact part to all of them."""
    with When("I garble one data file after the other of a wide and of a compact part"):
        wide, compact = (
            users_of_each_file(*part_of_kind(kind, COLUMNS, ROW), [*COLUMNS])
            for kind in ("Wide", "Compact")
        )

    with Then("without a file of the wide part one column cannot be read, the others can"):
        shared = {name: columns for name, columns in wide.items() if len(columns) != 1}
        assert shared == {}, error()

    with And("every column has a file"):
        assert {column for columns in wide.values() for column in columns} == {*COLUMNS}, error()

    with And("there is no file for all of them"):
        assert "data.bin" not in wide, error()

    with And("data.bin is the only file of the compact part, and all columns are in it"):
        assert compact == {"data.bin": {*COLUMNS}}, error()


@TestScenario
@Requirements(RQ_SRS_102_ClickHouse_TableParts_Format_Wide("1.1"))
def columns_of_a_nested_structure_have_their_own_files(self):
    """The columns of a Nested structure have files of their own as well."""
    with Given("a wide part with a Nested structure, which is a column for each of its members"):
        table, part = part_of_kind("Wide", NESTED, "number, [1, 2], [3, 4]")

    with When("I garble one data file after the other"):
        users = users_of_each_file(table, part, ["i", "n.a", "n.b"])

    with Then("every column has a file of its own"):
        alone = {name: columns for name, columns in users.items() if len(columns) == 1}
        assert alone == {"i.bin": {"i"}, "n%2Ea.bin": {"n.a"}, "n%2Eb.bin": {"n.b"}}, error()

    with And("one file serves both, that with the lengths of their arrays"):
        shared = {name: columns for name, columns in users.items() if len(columns) > 1}
        assert shared == {"n.size0.bin": {"n.a", "n.b"}}, error()
