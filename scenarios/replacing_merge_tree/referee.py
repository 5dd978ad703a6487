"""Random histories, with Spark as the referee of what has to be left of them.

PySpark is imported inside of the scenarios only: loading it takes longer than most scenarios.
"""

from testflows.asserts import error
from testflows.core import And, Given, Requirements, TestScenario, Then, When

from helpers.cluster.capabilities import Capability
from helpers.context import this
from helpers.marks import needs, time_limit
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
from steps.partitions import replace_partition
from steps.replacing import stored
from steps.replacing_history import ACROSS, KINDS, PARTITIONS, History, assert_telling

DEEDS = 9


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
    RQ_SRS_101_ClickHouse_ReplacingMergeTree_Restart("1.0"),
)
@needs(Capability.SPARK, Capability.PROCESS_CONTROL)
@time_limit(600)
def random_histories(self):
    """After any number of inserts, merges, cleanups and restarts, in any order, FINAL returns and
    merges leave the rows that Spark finds in the list of all inserts."""
    from steps.replacing_referee import assert_final, assert_merged
    from steps.spark import spark_in_background

    spark_in_background()
    for kind in KINDS:
        with Given(f"a table of the kind: {kind.name}"):
            history = History(kind)

        with When("it has lived through random deeds"):
            history.live(DEEDS)
            assert_telling([row for rows in history.chapters for row in rows])

        with Then(f"{kind.name}: FINAL returns what Spark says", description=str(history.deeds)):
            assert_final(history)

        with And(f"{kind.name}: a merge leaves what Spark says"):
            assert_merged(history)


@TestScenario
@Requirements(RQ_SRS_101_ClickHouse_ReplacingMergeTree_Partitions_Merge("1.0"))
@needs(Capability.SPARK, Capability.PROCESS_CONTROL)
@time_limit(600)
def keys_in_several_partitions(self):
    """Merges leave a row for each key of each partition, as Spark finds them."""
    from steps.replacing_referee import assert_merged

    with Given("a table whose keys lie in several partitions"):
        history = History(ACROSS)

    with When("it has lived through random deeds"):
        history.live(DEEDS)
        spread = {row[:2] for row in history.rows}
        assert len(spread) > len({key for _, key in spread}), error()

    with Then("a merge leaves what Spark says"):
        assert_merged(history)


@TestScenario
@Requirements(RQ_SRS_101_ClickHouse_ReplacingMergeTree_Partitions_ReplacePartition("1.0"))
@needs(Capability.SPARK, Capability.PROCESS_CONTROL)
@time_limit(600)
def replaced_partitions(self):
    """A partition replaced from a table of another engine, and what came before and after it, are
    compared as Spark does: all rows of the source count, and none of those they replaced."""
    from pipelines import oracle
    from steps.replacing_referee import assert_final, assert_merged, inserted

    for kind in (one for one in KINDS if one.partition_by):
        with Given(f"{kind.name}: a table with a past, and a source with duplicates"):
            destination = History(kind)
            source = History(kind, "MergeTree", destination.numbers)
            destination.live(3)
            for _ in range(3):
                source.insert()
            assert_telling(source.rows)
            assert len(stored(source.table)) == len(source.rows), error()

        with When("I replace a partition and go on inserting"):
            partition = this().random.randrange(PARTITIONS)
            replaced = oracle.replace_partition(
                inserted(destination), inserted(source), f"p = {partition}"
            )
            replace_partition(destination.table, source=source.table, partition=partition)
            destination.chapters = [[]]
            destination.insert()
            rows = replaced.unionByName(inserted(destination))

        with Then(f"{kind.name}: FINAL returns what Spark says"):
            assert_final(destination, rows)

        with And(f"{kind.name}: a merge leaves what Spark says"):
            assert_merged(destination, rows)
