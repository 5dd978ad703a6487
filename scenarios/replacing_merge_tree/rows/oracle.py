"""Random histories, with Spark as an independent judge of what has to be left of them.

PySpark is imported inside of the scenario only: loading it takes longer than most scenarios.
"""

from testflows.core import Given, Requirements, TestScenario, Then, When

from helpers.cluster.capabilities import Capability
from helpers.scenario.marks import needs, time_limit
from helpers.scenario.violations import assert_no_violations
from requirements.srs101_replacing_merge_tree import (
    RQ_SRS_101_ClickHouse_ReplacingMergeTree_Cleanup,
    RQ_SRS_101_ClickHouse_ReplacingMergeTree_IsDeleted_Final,
    RQ_SRS_101_ClickHouse_ReplacingMergeTree_Partitions_Merge,
    RQ_SRS_101_ClickHouse_ReplacingMergeTree_Partitions_ReplacePartition,
    RQ_SRS_101_ClickHouse_ReplacingMergeTree_Version_Maximum,
)
from steps.replacing_merge_tree.history_batch import HistoryBatch

COPIES, OPERATIONS = 1, 9


@TestScenario
@Requirements(
    RQ_SRS_101_ClickHouse_ReplacingMergeTree_Version_Maximum("1.0"),
    RQ_SRS_101_ClickHouse_ReplacingMergeTree_IsDeleted_Final("1.0"),
    RQ_SRS_101_ClickHouse_ReplacingMergeTree_Cleanup("1.0"),
    RQ_SRS_101_ClickHouse_ReplacingMergeTree_Partitions_Merge("1.0"),
    RQ_SRS_101_ClickHouse_ReplacingMergeTree_Partitions_ReplacePartition("1.0"),
)
@needs(Capability.SPARK)
@time_limit(300)
def spark_agrees(self):
    """What FINAL returns and what a merge leaves is what Spark finds in the list of all inserts."""
    from steps.replacing_merge_tree.spark_oracle import (
        final_differences,
        merged_differences,
    )
    from steps.spark.session import spark_in_background

    spark_in_background()
    with Given("tables of every kind after random operations"):
        batch = HistoryBatch(COPIES, OPERATIONS)
        for number in range(OPERATIONS):
            batch.execute(number)

    with Then("FINAL returns what Spark says, and the model does"):
        assert_no_violations(batch.named(final_differences(batch)))
        assert_no_violations(batch.violations("after all operations"))

    with When("every table is merged"):
        batch.merge()

    with Then("the rows that Spark keeps are left, deletion rows among them"):
        assert_no_violations(batch.named(merged_differences(batch)))
        assert_no_violations(batch.violations("merged"))
