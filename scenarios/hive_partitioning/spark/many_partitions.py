"""Thousands of partitions between ClickHouse and Spark; the rows that both read are compared.

The files are JSON, which takes both sides half of the time that Parquet takes for files of two rows; fewer
partitions are exchanged as Parquet in writes_spark.py and spark_names.py.

The first scenario lets Spark start while ClickHouse writes. PySpark is imported inside of the scenarios only:
loading it takes longer than most scenarios.
"""

from testflows.asserts import error
from testflows.core import And, Given, Requirements, TestScenario, Then, When

from helpers.scenario.context import this
from helpers.scenario.marks import needs_spark
from helpers.scenario.violations import assert_no_violations
from requirements.srs045_hive_partitioning import (
    RQ_HivePartitioning_Interoperation_Reads,
    RQ_HivePartitioning_Interoperation_Writes,
)
from steps.hive_partitioning.objects import Lake, new_lake
from steps.hive_partitioning.pruning import Expected, wrong_readings
from steps.hive_partitioning.queries import from_s3
from steps.hive_partitioning.writes import MANY_OBJECTS, NEW_NAMES, WITHOUT_THREADS, hive_table
from steps.tables import Table

# More than the store lists in one page, and each in two halves of the rows.
PARTITIONS, ROWS = 2_000, 4_000
COLUMNS = "id Int64, x Int64, name Nullable(String), k Int32"
IN_SPARK = "id bigint, x bigint, name string, k int"
# The same in SQL of both, for rows that are numbered by `id`.
VALUES = (
    "7 * id + 1 AS x",
    "if(id % 7 = 0, NULL, concat('n', id)) AS name",
    f"CAST(id % {PARTITIONS} AS int) AS k",
)
CHANGED = 17
# Thousands of objects, on a machine that may have a lot of other work.
INSERT_SECONDS = 300.0
# Conditions on the key, and the partitions that they leave; each has a row of the first half of all rows and
# one of the second.
CONDITIONS = {  # 3 variants
    "k BETWEEN 1190 AND 1210": range(1190, 1211),
    "k IN (0, 1999, 2000)": (0, 1999),
    "k % 500 = 7 AND x > 0": range(7, PARTITIONS, 500),
}


def merge_tree(lake: Lake, rows: str) -> Table:
    """A table beside the store that holds the rows of a query."""
    table = Table(lake.node, this().database, this().unique("held"))
    lake.node.query(f"CREATE TABLE {table} ({COLUMNS}) ENGINE = MergeTree ORDER BY id")
    lake.node.query(f"INSERT INTO {table} {rows}")
    return table


@TestScenario
@Requirements(RQ_HivePartitioning_Interoperation_Writes("1.0"))
@needs_spark(seconds=600)
@WITHOUT_THREADS
@NEW_NAMES
def spark_reads_two_thousand(self):
    """Spark finds every row that ClickHouse wrote into thousands of directories."""
    from steps.spark.hive_exchange import difference, differing_ids, spark_rows
    from steps.spark.session import spark_in_background

    spark_in_background()
    with Given(f"rows in a table, and the same rows written into {PARTITIONS} partitions"):
        lake = new_lake()
        made = f"SELECT number AS id, {', '.join(VALUES)} FROM numbers({ROWS})"
        held = merge_tree(lake, made)
        table = hive_table(lake, columns=COLUMNS, partition_by="k", format="JSONEachRow")
        inserts = [
            lake.node.background(
                f"INSERT INTO {table} SELECT * FROM {held} WHERE k % 2 = {half}",
                settings=MANY_OBJECTS,
            )
            for half in range(2)
        ]
        for insert in inserts:
            insert.wait(INSERT_SECONDS)
        directories = {path.split("/")[1] for path in lake.paths(f"{table.name}/")}
        assert directories == {f"k={k}" for k in range(PARTITIONS)}, error()

    with When("Spark reads the objects"):
        rows = spark_rows(lake, table.name, IN_SPARK, format="json").cache()

    with Then("it finds the rows of the first table"):
        found = difference(lake, rows, f"SELECT * FROM {held}")
        assert found is None, error(str(found))

    with And("where one value is expected otherwise, the comparison names its row and no other"):
        other = f"SELECT * REPLACE (if(id = {CHANGED}, 'other', name) AS name) FROM {held}"
        assert differing_ids(lake, rows, other) == [CHANGED], error()


@TestScenario
@Requirements(RQ_HivePartitioning_Interoperation_Reads("1.0"))
@needs_spark(seconds=600)
def clickhouse_reads_two_thousand(self):
    """ClickHouse returns every row of thousands of directories that Spark wrote."""
    from steps.spark.hive_exchange import difference, differing_ids, write_natively
    from steps.spark.session import spark

    with Given(f"rows in {PARTITIONS} directories, written by Spark"):
        lake = new_lake()
        rows = spark().range(ROWS).selectExpr("id", *VALUES).cache()
        write_natively(lake, "many", rows, ["k"], format="json")
        directories = [path.split("/")[1] for path in lake.paths("many/")]
        assert sorted(directories) == sorted(f"k={k}" for k in range(PARTITIONS)), error()

    with When("ClickHouse reads them into a table"):
        source = from_s3(lake, "many/**.json", structure=COLUMNS, format="JSONEachRow")
        held = merge_tree(lake, f"SELECT id, x, name, k FROM {source}")

    with Then("the table has every row, with the value of its directory"):
        found = difference(lake, rows, f"SELECT * FROM {held}")
        assert found is None, error(str(found))

    with And("where a row is left out, the comparison names it and no other"):
        without = f"SELECT * FROM {held} WHERE id != {CHANGED}"
        assert differing_ids(lake, rows, without) == [CHANGED], error()

    with And("by conditions on the key it reads the files of the partitions that they leave"):
        queries = {
            f"SELECT id, k FROM {source} WHERE {condition}": Expected(
                [(id, k) for k in left for id in (k, k + PARTITIONS)], len(left)
            )
            for condition, left in CONDITIONS.items()
        }
        assert_no_violations(wrong_readings(lake.node, queries))
