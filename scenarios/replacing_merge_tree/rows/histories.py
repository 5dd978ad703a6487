"""Random histories of many tables: after each operation FINAL returns what a model of the rules says."""

from testflows.asserts import error
from testflows.core import And, Given, Requirements, TestScenario, Then, When

from helpers.cluster.capabilities import Capability
from helpers.scenario.context import this
from helpers.scenario.marks import needs, time_limit
from helpers.scenario.violations import assert_no_violations
from requirements.srs101_replacing_merge_tree import (
    RQ_SRS_101_ClickHouse_ReplacingMergeTree_Cleanup,
    RQ_SRS_101_ClickHouse_ReplacingMergeTree_Final,
    RQ_SRS_101_ClickHouse_ReplacingMergeTree_IsDeleted_Final,
    RQ_SRS_101_ClickHouse_ReplacingMergeTree_IsDeleted_Merge,
    RQ_SRS_101_ClickHouse_ReplacingMergeTree_Merge_OptimizeFinal,
    RQ_SRS_101_ClickHouse_ReplacingMergeTree_Partitions_Merge,
    RQ_SRS_101_ClickHouse_ReplacingMergeTree_Partitions_ReplacePartition,
    RQ_SRS_101_ClickHouse_ReplacingMergeTree_Restart,
    RQ_SRS_101_ClickHouse_ReplacingMergeTree_Selection_LastInsert,
    RQ_SRS_101_ClickHouse_ReplacingMergeTree_Version_Equal,
    RQ_SRS_101_ClickHouse_ReplacingMergeTree_Version_Maximum,
)
from steps.replacing_merge_tree.history_batch import READING, HistoryBatch
from steps.restarts import RESTARTS, restarts_since

COPIES, OPERATIONS = 7, 9


@TestScenario
@Requirements(
    RQ_SRS_101_ClickHouse_ReplacingMergeTree_Final("1.0"),
    RQ_SRS_101_ClickHouse_ReplacingMergeTree_Selection_LastInsert("1.0"),
    RQ_SRS_101_ClickHouse_ReplacingMergeTree_Version_Maximum("1.0"),
    RQ_SRS_101_ClickHouse_ReplacingMergeTree_Version_Equal("1.0"),
    RQ_SRS_101_ClickHouse_ReplacingMergeTree_IsDeleted_Final("1.0"),
    RQ_SRS_101_ClickHouse_ReplacingMergeTree_IsDeleted_Merge("1.0"),
    RQ_SRS_101_ClickHouse_ReplacingMergeTree_Cleanup("1.0"),
    RQ_SRS_101_ClickHouse_ReplacingMergeTree_Merge_OptimizeFinal("1.0"),
    RQ_SRS_101_ClickHouse_ReplacingMergeTree_Partitions_Merge("1.0"),
    RQ_SRS_101_ClickHouse_ReplacingMergeTree_Partitions_ReplacePartition("1.0"),
    RQ_SRS_101_ClickHouse_ReplacingMergeTree_Restart("1.0"),
)
@needs(Capability.PROCESS_CONTROL)
@time_limit(300)
def rows_of_the_model_survive(self):
    """After inserts, merges, cleanups, replaced partitions and restarts, in any order, the rows that
    are stored and those that FINAL returns are the rows of a model of the engine."""
    violations: dict[str, object] = {}
    with Given("empty tables of every kind, and operations that put every rule to the test"):
        batch = HistoryBatch(COPIES, OPERATIONS)
        # A restart comes between two operations, and there is something to lose by then.
        rounds = this().random.sample(range(2, OPERATIONS), len(RESTARTS))
        restarts = dict(zip(rounds, RESTARTS.values(), strict=True))
        position = this().node().log_position()

    for number in range(OPERATIONS):
        with When(f"operation {number + 1} is executed in each table"):
            if number in restarts:
                restarts[number](this().node())
            batch.execute(number)
            violations |= batch.violations(f"operation {number + 1}")

    with When("every table is merged"):
        batch.merge()
        violations |= batch.violations("merged")

    with Then("each time the rows are those of the model"):
        assert_no_violations(violations)
        looks = [*(f"operation {number + 1}" for number in range(OPERATIONS)), "merged"]
        assert list(batch.looks) == looks, error()
        assert all(reading in batch.looks.values() for reading in READING), error()

    with And("the server was shut down once and killed once meanwhile"):
        ends = restarts_since(this().node(), position)
        assert sorted(ends) == ["a crash", "a restart"], error()
