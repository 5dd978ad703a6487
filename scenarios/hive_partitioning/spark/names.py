"""Partitions without a value and texts with special characters, judged by Spark itself: what it wrote is read
by ClickHouse, and what ClickHouse wrote is read by it.

PySpark is imported inside of the scenarios only: loading it takes longer than most scenarios.
"""

from testflows.asserts import error
from testflows.core import And, Given, Requirements, TestScenario, Then, When

from helpers.scenario.marks import deviates, needs_spark
from helpers.scenario.violations import assert_no_violations
from requirements.srs045_hive_partitioning import (
    RQ_HivePartitioning_Interoperation_Escaping,
    RQ_HivePartitioning_Interoperation_NullPartition,
    RQ_HivePartitioning_Interoperation_Writes,
)
from steps.hive_partitioning.objects import new_lake
from steps.hive_partitioning.queries import from_s3
from steps.hive_partitioning.writes import hive_table, insert_values

DEVIATIONS = "spark-names"  # the beginning of their ids

MARK = "__HIVE_DEFAULT_PARTITION__"
# Texts, and what Spark calls their directories. It makes no difference between the empty text and none.
BY_SPARK = {  # 17 variants
    None: MARK,
    "": MARK,
    "plain": "plain",
    "a b": "a b",
    "日本": "日本",
    "a+b&c;d,e": "a+b&c;d,e",
    "a:b": "a%3Ab",
    "a/b": "a%2Fb",
    "a\\b": "a%5Cb",
    "50%": "50%25",
    "a%41b": "a%2541b",
    "a=b": "a%3Db",
    "a#b": "a%23b",
    "a?b*c": "a%3Fb%2Ac",
    "[x]{y}": "%5Bx%5D%7By}",
    "'\"": "%27%22",
    "a\tb": "a%09b",
}
# Texts that ClickHouse writes.
BY_CLICKHOUSE = (  # 2 variants
    *("plain", "a b", "日本", "a+b&c;d,e", "", MARK),
    *("a:b", "50%", "a%41b", "a=b", "a#b", "[x]"),
)


@TestScenario
@Requirements(
    RQ_HivePartitioning_Interoperation_NullPartition("1.0"),
    RQ_HivePartitioning_Interoperation_Escaping("1.0"),
)
@needs_spark(seconds=600)
@deviates(
    step="ClickHouse reads what Spark reads",
    observed={
        repr(text): name
        for text, name in BY_SPARK.items()
        if text not in ("plain", "a b", "日本", "a+b&c;d,e")
    },
    reason="names of directories are taken as they are, the mark of NULL and %XX among them",
    kind="requirement",
    severity="wrong answer",
    no_sql="it takes Spark; writes-foreign-names.escaped-characters shows how such names are read",
)
def clickhouse_reads_names_of_spark(self):
    """Rows that Spark wrote with no value, or with special characters in it, have that value."""
    from steps.spark.hive_exchange import rows_or_refusal, write_natively
    from steps.spark.session import dataframe

    with Given("a row for each text, written by Spark into directories that it names"):
        lake = new_lake()
        rows = list(enumerate(BY_SPARK))
        write_natively(lake, "texts", dataframe(rows, "id int, k string"), ["k"])
        directories = {path.split("/")[1] for path in lake.paths("texts/")}
        assert directories == {f"k={name}" for name in BY_SPARK.values()}, error()

    with And("Spark reads them as they were, but for the empty text"):
        by_spark = rows_or_refusal(lake, "texts", "id int, k string")
        assert by_spark == [(number, text or None) for number, text in rows], error()

    with When("ClickHouse reads them"):
        source = from_s3(
            lake, "texts/**.parquet", structure="id Int32, k Nullable(String)", format="Parquet"
        )
        found = sorted(lake.node.query(f"SELECT id, k FROM {source}"))
        assert [row[0] for row in found] == [number for number, _ in rows], error()

    with Then("ClickHouse reads what Spark reads"):
        assert_no_violations(
            {
                repr(text): str(seen)
                for (_, text), (_, seen) in zip(rows, found, strict=True)
                if seen != (text or None)
            }
        )


@TestScenario
@Requirements(
    RQ_HivePartitioning_Interoperation_Escaping("1.0"),
    RQ_HivePartitioning_Interoperation_Writes("1.0"),
)
@needs_spark(seconds=600)
@deviates(
    step="Spark reads what was inserted",
    observed={
        "''": "refused: EMPTY_PARTITION_COLUMN_VALUE",
        f"'{MARK}'": "[(5, None)]",
        "'a%41b'": "[(8, 'aAb')]",
    },
    reason="names of directories are the texts as they are, of which Spark takes %XX for a character, the "
    "mark for NULL, and an empty one for no partition",
    kind="requirement",
    severity="wrong answer",
    no_sql="it takes Spark; writes-foreign-names.escaped-characters shows how the files are called",
)
def spark_reads_names_of_clickhouse(self):
    """Rows that were inserted with special characters in the key, or with none, have that key for Spark."""
    from steps.spark.hive_exchange import rows_or_refusal

    with Given("a table for each text, with a row of this text"):
        lake = new_lake()
        tables = {
            text: hive_table(lake, columns="k String, x Int32", partition_by="k", format="Parquet")
            for text in BY_CLICKHOUSE
        }
        for number, (text, table) in enumerate(tables.items()):
            insert_values(table, str((text, number)))

    with When("Spark reads each of them"):
        found = {
            text: rows_or_refusal(lake, table.name, "x int, k string")
            for text, table in tables.items()
        }

    with Then("Spark reads what was inserted"):
        assert_no_violations(
            {
                repr(text): str(rows)
                for number, (text, rows) in enumerate(found.items())
                if rows != [(number, text)]
            }
        )
