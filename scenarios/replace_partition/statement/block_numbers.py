"""Block numbers that rows of a replaced partition have in the destination."""

from testflows.asserts import error
from testflows.core import And, Examples, Given, Requirements, Scenario, TestOutline, Then, When

from helpers.cluster.client.session import Row
from requirements.srs032_replace_partition import (
    RQ_SRS_032_ClickHouse_Alter_Table_ReplacePartition_BlockNumbers,
)
from steps.partitions import replace_partition
from steps.tables import NO_MERGES, Table, create_table

NUMBERED = {"enable_block_number_column": 1, "enable_block_offset_column": 1}


def numbered_rows(table: Table) -> list[Row]:
    """Number and offset of each row of partition 1, the range of its part's name, and the row."""
    return table.node.query(
        "SELECT _block_number, _block_offset, toUInt64(splitByChar('_', _part)[2]), "
        f"toUInt64(splitByChar('_', _part)[3]), i, owner FROM {table} WHERE p = 1 ORDER BY i"
    )


@TestOutline(Scenario)
@Requirements(RQ_SRS_032_ClickHouse_Alter_Table_ReplacePartition_BlockNumbers("1.0"))
@Examples("source_of parts", [("three parts", 3), ("one merged part", 1)])
def block_numbers_of_the_destination(self, source_of, parts):
    """Rows get numbers of the destination, also where the source's part has stored ones."""
    with Given(f"a source of {source_of} with numbers"):
        source, destination = (
            create_table(name, settings={**NO_MERGES, **NUMBERED})
            for name in ("source", "destination")
        )
        for number in range(1, 4):
            for table in (source, destination):
                table.node.query(
                    f"INSERT INTO {table} VALUES (1, {number}, '{table.name}'), (2, 9, 'other')"
                )
        node = destination.node
        if parts == 1:
            node.query(f"OPTIMIZE TABLE {source} FINAL")
        ours, theirs = numbered_rows(source), numbered_rows(destination)
        for table, rows in ((source, ours), (destination, theirs)):
            expected = [(number, table.name) for number in range(1, 4)]
            assert [row[4:] for row in rows] == expected, error()
        assert len({row[2:4] for row in ours}) == parts, error()
        assert len({row[0] for row in ours}) == 3, error()

    with When("I replace the partition"):
        replace_partition(destination, source=source, partition=1)
        now = numbered_rows(destination)

    with Then("it has the rows of the source"):
        assert [row[4:] for row in now] == [row[4:] for row in ours], error()

    with And("their numbers lie within their parts and are greater than those before"):
        assert all(first <= number <= last for number, _, first, last, *_ in now), error()
        assert min(row[0] for row in now) > max(row[0] for row in [*ours, *theirs]), error()
        assert len({row[:2] for row in now}) == len(now), error()

    with And("a merge with new rows keeps the numbers of all"):
        node.query(f"INSERT INTO {destination} VALUES (1, 100, 'new')")
        before = numbered_rows(destination)
        expected = [*(row[4:] for row in ours), (100, "new")]
        assert [row[4:] for row in before] == expected, error()
        node.query(f"OPTIMIZE TABLE {destination} FINAL")
        after = numbered_rows(destination)
        assert len({row[2:4] for row in after}) == 1, error()
        assert [(*row[:2], *row[4:]) for row in after] == [
            (*row[:2], *row[4:]) for row in before
        ], error()

    with And("the source has its own still"):
        assert numbered_rows(source) == ours, error()
