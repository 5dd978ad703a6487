"""Duplicates that arrive in several asynchronous inserts and are written together."""

from testflows.asserts import error
from testflows.core import And, Given, Requirements, TestScenario, Then, When

from helpers.cluster.capabilities import Capability
from helpers.scenario.marks import needs
from requirements.srs101_replacing_merge_tree import (
    RQ_SRS_101_ClickHouse_ReplacingMergeTree_Insert_AsyncInsert,
)
from steps.async_inserts import assert_queued, flush_queue, insert_into_queue
from steps.replacing_merge_tree.stored_rows import part_values, stored
from steps.replacing_merge_tree.tables import replacing_table


@TestScenario
@Requirements(RQ_SRS_101_ClickHouse_ReplacingMergeTree_Insert_AsyncInsert("1.0"))
@needs(Capability.ASYNC_INSERTS)
def inserts_of_one_flush(self):
    """One flush writes one part, in which each key has the row that arrived last."""
    with Given("three inserts with common keys that wait in the queue"):
        table = replacing_table()
        for rows in ([(1, "a"), (2, "b")], [(1, "c"), (3, "d")], [(3, "e"), (4, "f")]):
            insert_into_queue(table, rows)
        assert_queued(table, inserts=3)
        assert stored(table) == [], error()

    with When("I flush the queue"):
        flush_queue(table.node)
        assert_queued(table, inserts=0)

    with Then("the last row of each key is stored"):
        assert stored(table) == [(1, "c"), (2, "b"), (3, "e"), (4, "f")], error()

    with And("all of them are in one part"):
        assert part_values(table, "rows") == [4], error()
