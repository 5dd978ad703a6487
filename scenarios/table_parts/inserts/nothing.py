"""Inserts that make no part: without rows, against a constraint, for too many partitions."""

from testflows.asserts import error
from testflows.core import And, Given, Requirements, TestScenario, Then, When

from requirements.srs102_table_parts import (
    RQ_SRS_102_ClickHouse_TableParts_Insert_Failed,
    RQ_SRS_102_ClickHouse_TableParts_Insert_NoRows,
    RQ_SRS_102_ClickHouse_TableParts_Insert_TooManyPartitions,
)
from steps.refusals import Refusal, wrong_refusal, wrong_refusals
from steps.statement_log import finished_statements
from steps.table_parts.part_files import table_folder
from steps.table_parts.part_life import active_parts, part_records
from steps.tables import COLUMNS, Table, contents, create_table, fill

TOO_MANY_PARTS, VIOLATED_CONSTRAINT = 252, 469
# A block that breaks the constraint, in whichever partition; none of its rows may arrive.
BROKEN_BLOCKS = {  # 3 variants
    "one row of three": "(1, 10, 'new'), (1, 0, 'new'), (1, 11, 'new')",
    "every row": "(1, 0, 'new'), (1, 0, 'new')",
    "a row of another partition": "(1, 10, 'new'), (2, 0, 'new'), (3, 11, 'new')",
}
# How many partitions a block may have by default, and settings that make blocks of as many rows.
DEFAULT = 100
BLOCKS = {"max_block_size": DEFAULT, "min_insert_block_size_rows": DEFAULT}
LIMITS: dict[int, dict[str, int]] = {  # 3 variants
    1: {"max_partitions_per_insert_block": 1},
    3: {"max_partitions_per_insert_block": 3},
    DEFAULT: {},
}


def folders(table: Table) -> set[str]:
    """What lies in the table's folder: parts, and what might be left of them."""
    return {entry.name for entry in table_folder(table).iterdir()}


def inserts_without_rows(table: Table) -> int:
    """How many INSERTs into the table the server has executed without writing a row."""
    ((number,),) = finished_statements(
        table.node,
        "countIf(written_rows = 0)",
        f"query_kind = 'Insert' AND startsWith(query, 'INSERT INTO {table} ')",
    )
    return int(number)


@TestScenario
@Requirements(RQ_SRS_102_ClickHouse_TableParts_Insert_NoRows("1.0"))
def insert_without_rows(self):
    """However an INSERT delivers no rows, the table gets no part from it."""
    with Given("a table with some parts and one without any"):
        filled, empty = (create_table(name, partition_by="") for name in ("filled", "empty"))
        fill(filled, parts=2)

    with When("I insert nothing, in every way"):
        seen = []
        for table in (filled, empty):
            before = part_records(table), folders(table)
            node = table.node
            node.query(f"INSERT INTO {table} SELECT 1, number, '' FROM numbers(9) WHERE number > 9")
            node.query(f"INSERT INTO {table} SELECT * FROM {table} WHERE i = 1000001")
            node.query(f"INSERT INTO {table} VALUES", data=[])
            node.http(f"INSERT INTO {table} FORMAT CSV", body=b"")
            node.http(f"INSERT INTO {table} FORMAT JSONEachRow", body=b"\n")
            seen.append((before, (part_records(table), folders(table))))

    with Then("the server has executed all of it"):
        for table in (filled, empty):
            assert inserts_without_rows(table) == 5, error()

    with And("the parts are those that were there"):
        for before, after in seen:
            assert after == before, error()

    with And("one row is enough for a part"):
        empty.node.http(f"INSERT INTO {empty} FORMAT CSV", body=b"1,1,row\n")
        assert len(active_parts(empty)) == 1, error()


@TestScenario
@Requirements(RQ_SRS_102_ClickHouse_TableParts_Insert_Failed("1.0"))
def block_against_a_constraint(self):
    """A block with a row that violates a constraint leaves nothing, in any of its partitions."""
    with Given("a table with a constraint and rows that fulfil it"):
        columns = f"{COLUMNS}, CONSTRAINT above_zero CHECK i > 0"
        table = create_table("positive", columns=columns)
        table.node.query(f"INSERT INTO {table} VALUES (1, 1, 'old'), (2, 2, 'old')")
        before = part_records(table), folders(table)
        assert list(before[0]) == ["1_1_1_0", "2_2_2_0"], error()

    with When("I insert blocks that violate it"):
        values = f"INSERT INTO {table} SELECT * FROM VALUES('{COLUMNS}', "
        blocks = {
            name: Refusal(f"{values}{rows})", VIOLATED_CONSTRAINT, "above_zero")
            for name, rows in BROKEN_BLOCKS.items()
        }
        wrong = wrong_refusals(table, blocks)

    with Then("each is refused and leaves rows and parts alone"):
        assert wrong == {}, error()

    with And("no folder of a part is left of them"):
        assert (part_records(table), folders(table)) == before, error()


@TestScenario
@Requirements(RQ_SRS_102_ClickHouse_TableParts_Insert_TooManyPartitions("1.0"))
def block_for_too_many_partitions(self):
    """A block may have as many partitions as max_partitions_per_insert_block says, and not one more."""
    with Given("a table with a row"):
        table = create_table("table", columns="i UInt64", partition_by="i")
        table.node.query(f"INSERT INTO {table} VALUES (1000)")

    def inserting(partitions: int) -> str:
        return f"INSERT INTO {table} SELECT number FROM numbers({partitions})"

    with When("I insert one partition too many, for several limits"):
        outcomes = {
            limit: wrong_refusal(
                table,
                inserting(limit + 1),
                code=TOO_MANY_PARTS,
                text="Too many partitions for single INSERT block",
                settings=settings,
            )
            for limit, settings in LIMITS.items()
        }

    with Then("each is refused and leaves rows and parts alone"):
        wrong = {limit: outcome for limit, outcome in outcomes.items() if outcome}
        assert wrong == {}, error()

    with And("so many as are allowed are inserted"):
        table.node.query(inserting(DEFAULT))
        assert contents(table) == [*((number,) for number in range(DEFAULT)), (1000,)], error()

    with And("the limit is one of a block, not of the INSERT"):
        table.node.query(inserting(2 * DEFAULT), settings=BLOCKS)
        assert len(active_parts(table)) == 1 + 3 * DEFAULT, error()
