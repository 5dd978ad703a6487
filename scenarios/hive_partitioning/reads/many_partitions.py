"""More partitions than a store lists on a page: inserts that make them, and queries that read few of them.

Thousands of them are between ClickHouse and Spark: spark_many_partitions.py.
"""

from testflows.asserts import error
from testflows.core import And, Given, Requirements, TestScenario, Then, When

from helpers.cluster.capabilities import Capability
from helpers.scenario.context import this
from helpers.scenario.marks import equivalent, time_limit
from helpers.scenario.obligations import covers
from helpers.scenario.violations import assert_no_violations
from requirements.srs045_hive_partitioning import (
    RQ_HivePartitioning_Generic_Pruning,
    RQ_HivePartitioning_Writes_PartitionsParts,
)
from steps.hive_partitioning.objects import new_lake
from steps.hive_partitioning.queries import from_s3, readings
from steps.hive_partitioning.writes import MANY_OBJECTS, NEW_NAMES, WITHOUT_THREADS, hive_table

NEEDS = (Capability.OBJECT_STORE,)
# A page of a listing has a thousand names.
PARTITIONS, INSERTS = 1_200, 2
TOO_MANY_PARTS = 252
# So many objects, on a machine that may have a lot of other work.
INSERT_SECONDS = 200.0
# A MergeTree table takes no insert with more partitions.
SETTINGS = {"max_partitions_per_insert_block": 100, **MANY_OBJECTS}
# Conditions, and the partitions that they leave.
CONDITIONS = {  # 3 variants
    "k BETWEEN 990 AND 1010": range(990, 1011),
    "k IN (0, 1199, 1200)": (0, 1199),
    "k % 100 = 7 AND x > 0": range(7, PARTITIONS, 100),
}


def value(k: int) -> int:
    """What the row of a partition has in its file."""
    return 7 * k + 1


@TestScenario
@Requirements(
    RQ_HivePartitioning_Writes_PartitionsParts("1.0"), RQ_HivePartitioning_Generic_Pruning("1.0")
)
@time_limit(600)
@WITHOUT_THREADS
@NEW_NAMES
@equivalent(
    mutant="omit[max_partitions_per_insert_block]",
    statement="hive_",
    reason="this table has no such limit; the control shows that another one has",
)
def more_than_a_page(self):
    """Inserts of many partitions write all of them, and conditions find few among them."""
    with Given("a table, and one of another engine with the same columns"):
        lake = new_lake()
        table = hive_table(lake, columns="k UInt32, x UInt32", partition_by="k", format="TSV")
        other = f"{this().database}.other"
        lake.node.query(
            f"CREATE TABLE {other} (k UInt32, x UInt32) ENGINE = MergeTree PARTITION BY k ORDER BY k"
        )

    with When(f"I insert {PARTITIONS} partitions, by {INSERTS} inserts at once"):
        rows = f"SELECT {INSERTS} * number + {{}} AS k, 7 * k + 1 FROM numbers({PARTITIONS // INSERTS})"
        inserts = [
            lake.node.background(f"INSERT INTO {table} {rows.format(first)}", settings=SETTINGS)
            for first in range(INSERTS)
        ]
        for insert in inserts:
            insert.wait(INSERT_SECONDS)

    with Then("each partition has a directory with one object"):
        directories = [path.rpartition("/")[0] for path in lake.paths(f"{table.name}/")]
        named = sorted(f"{table.name}/k={k}" for k in range(PARTITIONS))
        assert sorted(directories) == named, error()

    with And("a limit to the partitions of an insert, which another engine has, was none"):
        lake.node.fails(
            f"INSERT INTO {other} {rows.format(0)}",
            code=TOO_MANY_PARTS,
            text="Too many partitions",
            settings=SETTINGS,
        )

    with When("I read by conditions that leave few partitions"):
        queries = [f"SELECT k, x FROM {table} WHERE {condition}" for condition in CONDITIONS]
        found = readings(lake.node, queries)

    with Then("each reads their files and no other, and returns their rows"):
        covers("no file of it is read")
        expected = {
            condition: ([(k, value(k)) for k in left], len(left))
            for condition, left in CONDITIONS.items()
        }
        assert_no_violations(
            {
                condition: f"{len(reading.rows)} rows of {reading.files} files"
                for condition, reading in zip(CONDITIONS, found, strict=True)
                if (reading.rows, reading.files) != expected[condition]
            }
        )

    with And("without a condition there are all of them"):
        names = from_s3(lake, f"{table.name}/**.tsv", format="One", structure="")
        counted = lake.node.query(
            f"SELECT count(), uniqExact(k), min(k), max(k), sum(k) FROM {names}"
        )
        total = sum(range(PARTITIONS))
        assert counted == [(PARTITIONS, PARTITIONS, 0, PARTITIONS - 1, total)], error()
