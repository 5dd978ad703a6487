"""Formats of parts: wide ones have files for each column, compact ones have one for all."""

from testflows.asserts import error
from testflows.core import And, Given, Requirements, TestScenario, Then, When

from helpers.marks import deviates
from requirements.srs102_table_parts import (
    RQ_SRS_102_ClickHouse_TableParts_Format_Compact,
    RQ_SRS_102_ClickHouse_TableParts_Format_Wide,
)
from steps.damage import damage
from steps.part_life import FORMATS, PartRecord, active_parts
from steps.refusals import attempt_over_http, listed
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


def unreadable_columns(table: Table) -> set[str]:
    """The columns that cannot be read to their end."""
    names = table.node.column(
        f"SELECT name FROM system.columns WHERE database = '{table.database}' "
        f"AND table = '{table.name}'"
    )
    # The server remembers marks and blocks that it has read before.
    for cache in ("MARK CACHE", "UNCOMPRESSED CACHE"):
        table.node.query(f"SYSTEM DROP {cache}")
    return {
        name
        for name in names
        if not attempt_over_http(
            table.node, f"SELECT sum(cityHash64(`{name}`)) FROM {table}"
        ).accepted
    }


def users_of_each_file(table: Table, part: PartRecord) -> dict[str, set[str]]:
    """For each data file the columns that cannot be read when it is garbled."""
    users = {}
    for file in sorted(part.folder.glob("*.bin")):
        sound = file.read_bytes()
        damage(file, "garbled")
        users[file.name] = unreadable_columns(table)
        file.write_bytes(sound)
    assert unreadable_columns(table) == set(), "the fixture is wrong: a file was not mended"
    return users


@TestScenario
@Requirements(RQ_SRS_102_ClickHouse_TableParts_Format_Wide("1.0"))
def each_column_has_its_own_files(self):
    """Each data file of a wide part belongs to one column, and each column has at least one."""
    with Given("a wide part with columns of many types"):
        table, part = part_of_kind("Wide", COLUMNS, ROW)

    with When("I garble one data file after the other"):
        users = users_of_each_file(table, part)

    with Then("each time one column cannot be read, the others can"):
        shared = {name: columns for name, columns in users.items() if len(columns) != 1}
        assert shared == {}, error()

    with And("every column has a file"):
        assert {column for columns in users.values() for column in columns} == {*COLUMNS}, error()

    with And("there is no file for all of them"):
        assert "data.bin" not in users, error()


@TestScenario
@Requirements(RQ_SRS_102_ClickHouse_TableParts_Format_Wide("1.0"))
@deviates(
    step="no file serves two columns",
    effect="shared files: n.size0.bin serves n.a, n.b",
    reason="the arrays of a Nested structure have equal lengths, which are stored once for all of them",
)
def columns_of_a_nested_structure_have_their_own_files(self):
    """The columns of a Nested structure have files of their own as well."""
    with Given("a wide part with a Nested structure, which is a column for each of its members"):
        table, part = part_of_kind("Wide", NESTED, "number, [1, 2], [3, 4]")

    with When("I garble one data file after the other"):
        users = users_of_each_file(table, part)

    with Then("no file serves two columns"):
        shared = [
            f"{name} serves {', '.join(sorted(columns))}"
            for name, columns in users.items()
            if len(columns) != 1
        ]
        assert not shared, listed("shared files", shared)


@TestScenario
@Requirements(RQ_SRS_102_ClickHouse_TableParts_Format_Compact("1.0"))
def all_columns_are_in_one_file(self):
    """A compact part has one data file, and without it no column can be read."""
    with Given("a compact part with columns of many types"):
        table, part = part_of_kind("Compact", COLUMNS, ROW)

    with When("I garble its data files"):
        users = users_of_each_file(table, part)

    with Then("data.bin is the only one, and all columns are in it"):
        assert users == {"data.bin": set(COLUMNS)}, error()
