"""Which parts are merged while small inserts come: enough of them, and not the large ones."""

from testflows.asserts import error
from testflows.core import And, Given, Requirements, TestScenario, Then, When

from requirements.srs102_table_parts import (
    RQ_SRS_102_ClickHouse_TableParts_Merge_NumberOfParts,
    RQ_SRS_102_ClickHouse_TableParts_Merge_SimilarSizes,
)
from steps.table_parts.part_events import part_events, statements_on
from steps.table_parts.part_life import KEPT, active_parts, in_background, tidy_node
from steps.tables import contents, create_table, insert

TOO_MANY_PARTS = 252
# Inserts are refused at this number of parts; from half of it on they wait a little.
LIMIT, INSERTS = 20, 60
LIMITS = {
    "parts_to_throw_insert": LIMIT,
    "parts_to_delay_insert": LIMIT // 2,
    "max_delay_to_insert": 1,
}
LARGE_ROWS, SMALL_PARTS = 200_000, 12


@TestScenario
@Requirements(RQ_SRS_102_ClickHouse_TableParts_Merge_NumberOfParts("1.0"))
def inserts_one_after_another(self):
    """Three times as many inserts as parts are allowed are accepted; without merges they are not."""
    with Given("a table that is merged, and one that is not"):
        merged, stopped = (
            create_table("loaded", node=tidy_node(), settings={**KEPT, **LIMITS}) for _ in range(2)
        )
        stopped.node.query(f"SYSTEM STOP MERGES {stopped}")

    with When("I insert row after row"):
        rows = [(1, number, "row") for number in range(INSERTS)]
        most = 0
        for row in rows:
            insert(merged, [row])
            most = max(most, len(active_parts(merged)))

    with Then("all rows are there, and the number of parts stayed below the limit"):
        assert contents(merged) == rows, error()
        assert 1 < most <= LIMIT, error()
        assert statements_on(merged) == [{"Create": 1, "Insert": INSERTS}], error()

    with And("without merges the limit is reached"):
        for row in rows[:LIMIT]:
            insert(stopped, [row])
        sql = f"INSERT INTO {stopped} SELECT 1, 1, 'more'"
        stopped.node.fails(sql, code=TOO_MANY_PARTS, text="Too many parts")
        assert len(active_parts(stopped)) == LIMIT, error()


@TestScenario
@Requirements(RQ_SRS_102_ClickHouse_TableParts_Merge_SimilarSizes("1.0"))
def large_part_is_left_alone(self):
    """Small parts are merged with one another, and the large part of the same partition with none."""
    with Given("a large part and many small ones"):
        table = create_table("sizes", node=tidy_node(), settings=KEPT)
        table.node.query(
            f"INSERT INTO {table} SELECT 1, number, randomPrintableASCII(20) FROM numbers({LARGE_ROWS})",
            settings={"max_insert_block_size": LARGE_ROWS, "max_block_size": LARGE_ROWS},
        )
        (large,) = active_parts(table)
        for number in range(SMALL_PARTS):
            insert(table, [(1, LARGE_ROWS + number, "small")])

    with When("the server has merged most of the small ones"):
        few = (
            f"SELECT count() <= {SMALL_PARTS // 2} FROM system.parts WHERE active "
            f"AND database = '{table.database}' AND table = '{table.name}'"
        )
        in_background(lambda: table.node.value(few), equals=1)

    with Then("no merge has taken the large one"):
        merges = part_events(table, "MergeParts", "merged_from")
        assert merges and all(large not in sources for (sources,) in merges.values()), error()
        assert large in active_parts(table), error()

    with And("all rows are there"):
        count = table.node.value(f"SELECT count() FROM {table}")
        assert count == LARGE_ROWS + SMALL_PARTS, error()
