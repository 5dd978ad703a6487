"""What a merge costs and what it saves."""

from testflows.asserts import error
from testflows.core import And, Given, Requirements, TestScenario, Then, When

from requirements.srs101_replacing_merge_tree import (
    RQ_SRS_101_ClickHouse_ReplacingMergeTree_Merge_OptimizeRewrites,
    RQ_SRS_101_ClickHouse_ReplacingMergeTree_Merge_Space,
)
from steps.replacing_merge_tree.tables import merge, replacing_table
from steps.table_parts.part_events import part_events
from steps.table_parts.part_life import active_parts
from steps.tables import Table

ROWS, COPIES = 20_000, 4


def stored_amount(table: Table) -> tuple[int, int]:
    """Rows and bytes of the active parts."""
    ((rows, size),) = table.node.query(
        "SELECT sum(rows), sum(bytes_on_disk) FROM system.parts WHERE active "
        f"AND database = '{table.database}' AND table = '{table.name}'"
    )
    return rows, size


def filled(copies: int) -> Table:
    """A table with so many parts of the same keys, whose values cannot be compressed."""
    table = replacing_table(columns="key UInt64, value String")
    for _ in range(copies):
        table.node.query(
            f"INSERT INTO {table} SELECT number, randomPrintableASCII(20) FROM numbers({ROWS})",
            settings={"max_insert_block_size": ROWS},
        )
    assert len(active_parts(table)) == copies, error()
    return table


@TestScenario
@Requirements(RQ_SRS_101_ClickHouse_ReplacingMergeTree_Merge_OptimizeRewrites("1.0"))
def optimize_rewrites_everything(self):
    """OPTIMIZE FINAL of a table without duplicates reads and writes all of its rows, each time again."""
    with Given("a table of one part without duplicates"):
        table = filled(1)

    with When("I merge it twice"):
        names: list[str] = []
        for _ in range(2):
            merge(table)
            names += active_parts(table)

    with Then("all rows were read and written each time"):
        assert len(set(names)) == 2, error()
        merges = part_events(table, "MergeParts", "read_rows", "rows")
        assert merges == dict.fromkeys(names, (ROWS, ROWS)), error()


@TestScenario
@Requirements(RQ_SRS_101_ClickHouse_ReplacingMergeTree_Merge_Space("1.0"))
def merge_saves_space(self):
    """After a merge of four versions of each row the table has a quarter of the rows, and less bytes."""
    with Given("a table with several versions of each row"):
        table = filled(COPIES)
        rows, size = stored_amount(table)
        assert rows == COPIES * ROWS, error()

    with When("they are merged"):
        merge(table)

    with Then("the rows of one version are left"):
        left, smaller = stored_amount(table)
        assert left == ROWS, error()

    with And("they take as much less space"):
        assert 0 < smaller < 2 * size / COPIES, error()
