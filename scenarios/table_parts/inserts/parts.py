"""What an insert makes: one part for each block and, within it, for each partition."""

from testflows.asserts import error
from testflows.core import And, Given, Requirements, TestScenario, Then, When

from helpers.cluster.client.session import Row
from helpers.scenario.context import this
from helpers.scenario.marks import equivalent
from requirements.srs102_table_parts import (
    RQ_SRS_102_ClickHouse_TableParts_Insert_NewPart,
    RQ_SRS_102_ClickHouse_TableParts_Insert_PartPerBlock,
    RQ_SRS_102_ClickHouse_TableParts_Insert_PartPerPartition,
)
from steps.table_parts.part_files import files_of
from steps.table_parts.part_life import active_parts, part_records, rows_by_part
from steps.tables import create_table, insert

TIMES = 5
# Two rows make a block.
TWO_ROWS = {"max_block_size": 2, "min_insert_block_size_rows": 2}


@TestScenario
@Requirements(RQ_SRS_102_ClickHouse_TableParts_Insert_NewPart("1.0"))
def insert_adds_one_part(self):
    """Each insert into a partition adds one active part with its rows and touches no other part."""
    with Given("a table of one partition"):
        table = create_table("table", partition_by="")

    violations = []
    expected: dict[str, list[Row]] = {}
    for time in range(TIMES):
        with When(f"I insert rows for the {time + 1}. time"):
            before = part_records(table)
            files = {name: files_of(part.folder) for name, part in before.items()}
            numbers = this().numbers.draw(10)
            insert(table, [(1, number, f"insert {time}") for number in numbers])

            after, read = part_records(table), rows_by_part(table)
            new = sorted(after.keys() - before.keys())
            for name in new:
                expected[name] = [(1, number, f"insert {time}") for number in sorted(numbers)]
            if len(new) != 1 or read != expected:
                violations.append(f"insert {time}: the new parts are {new}, with {read}")
            if any(not after[name].active for name in new):
                violations.append(f"insert {time}: {new} is not active")
            if {name: after.get(name) for name in before} != before:
                violations.append(f"insert {time}: the parts that were there are not as they were")
            if {name: files_of(part.folder) for name, part in before.items()} != files:
                violations.append(f"insert {time}: files of the parts that were there have changed")

    with Then("each time one active part has appeared and nothing else has changed"):
        assert violations == [], error()

    with And("there are as many parts as there were inserts"):
        assert len(active_parts(table)) == TIMES, error()


@TestScenario
@Requirements(RQ_SRS_102_ClickHouse_TableParts_Insert_PartPerPartition("1.0"))
def one_part_for_each_partition(self):
    """A block with rows of several partitions becomes one part for each of them."""
    with Given("rows of many partitions, in a random order"):
        table = create_table("table")
        rows = [(number % 13, number, "row") for number in range(100)]
        this().random.shuffle(rows)

    with When("I insert them as one block"):
        insert(table, rows)

    with Then("there is exactly one part for each partition"):
        parts = active_parts(table)
        partitions = sorted(part.partition_id for part in parts.values())
        assert partitions == sorted({str(row[0]) for row in rows}), error()

    with And("each has the rows of its partition, all of them and no others"):
        expected = {
            name: sorted(row for row in rows if str(row[0]) == part.partition_id)
            for name, part in parts.items()
        }
        assert rows_by_part(table) == expected, error()


@TestScenario
@equivalent(
    mutant="swap-values",
    statement="SELECT _part, _part_offset, *",
    reason="which block becomes which part is open: two parts of a partition with each other's rows "
    "are as good",
)
@Requirements(RQ_SRS_102_ClickHouse_TableParts_Insert_PartPerBlock("1.0"))
def each_block_makes_its_own_parts(self):
    """One INSERT of several blocks makes parts for each block, also where they share a partition."""
    with Given("a table with one partition and one with two"):
        single = create_table("single", columns="i UInt64", partition_by="")
        double = create_table("double", columns="i UInt64", partition_by="i % 2")

    with When("I insert six rows in blocks of two by one statement"):
        for table in (single, double):
            table.node.query(
                f"INSERT INTO {table} SELECT number FROM numbers(6)", settings=TWO_ROWS
            )

    with Then("each block is a part"):
        # Several threads write them, so which block becomes which part is open.
        assert sorted(rows_by_part(single).values()) == [
            [(0,), (1,)],
            [(2,), (3,)],
            [(4,), (5,)],
        ], error()

    with And("where a block has rows of two partitions it is two"):
        parts, read = active_parts(double), rows_by_part(double)
        assert read.keys() == parts.keys(), error()
        rows = sorted((int(parts[name].partition_id), rows) for name, rows in read.items())
        assert rows == [(p, [(number,)]) for p in (0, 1) for number in range(p, 6, 2)], error()

    with And("the same rows in one block are one part"):
        whole = create_table("whole", columns="i UInt64", partition_by="")
        whole.node.query(f"INSERT INTO {whole} SELECT number FROM numbers(6)")
        assert len(active_parts(whole)) == 1, error()
