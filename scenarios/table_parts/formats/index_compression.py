"""The primary index is stored compressed, or as it is."""

from testflows.asserts import error
from testflows.core import And, Given, Requirements, TestScenario, Then, When

from requirements.srs102_table_parts import (
    RQ_SRS_102_ClickHouse_TableParts_SelfContained_PrimaryIndex_Compressed,
)
from steps.table_parts.part_life import active_parts
from steps.tables import NO_MERGES, create_table

ROWS, KEY_BYTES = 1000, 8
# Settings, and the file of the index.
FILES: tuple[tuple[dict[str, int], str], ...] = (
    ({}, "primary.cidx"),
    ({"compress_primary_key": 0}, "primary.idx"),
)  # 2 variants


@TestScenario
@Requirements(RQ_SRS_102_ClickHouse_TableParts_SelfContained_PrimaryIndex_Compressed("1.0"))
def primary_index_is_compressed(self):
    """The index is a compressed file, or an uncompressed one by a setting; both find the same rows."""
    sizes, found = {}, {}
    for settings, file in FILES:
        with Given(f"a part whose index has a key for each row, with the settings {settings}"):
            table = create_table(
                "indexed",
                columns="i UInt64",
                partition_by="",
                settings={**NO_MERGES, "index_granularity": 1, **settings},
            )
            table.node.query(f"INSERT INTO {table} SELECT number FROM numbers({ROWS})")

        with When("I look at its index and read by it"):
            (part,) = active_parts(table).values()
            assert [each.name for each in part.folder.glob("primary.*")] == [file], error()
            sizes[file] = (part.folder / file).stat().st_size
            found[file] = table.node.column(
                f"SELECT i FROM {table} WHERE i IN (7, 700) ORDER BY i",
                settings={"force_primary_key": 1},
            )

    with Then("the compressed file is the smaller one, the other one has all keys as they are"):
        assert sizes["primary.idx"] == (ROWS + 1) * KEY_BYTES, error()
        assert 0 < sizes["primary.cidx"] < sizes["primary.idx"], error()

    with And("both find the rows"):
        assert list(found.values()) == [[7, 700]] * len(FILES), error()
