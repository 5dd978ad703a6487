"""ClickHouse and Spark on the same hive-partitioned data; the rows that both read are compared.

PySpark is imported inside of the scenarios only: loading it takes longer than most scenarios.
"""

import datetime
from collections import Counter

from testflows.asserts import error
from testflows.core import And, Given, Requirements, TestScenario, Then, When

from helpers.scenario.context import this
from helpers.scenario.marks import needs_spark
from requirements.srs045_hive_partitioning import (
    RQ_HivePartitioning_Interoperation_Reads,
    RQ_HivePartitioning_Interoperation_Writes,
)
from steps.hive_partitioning.objects import new_lake
from steps.hive_partitioning.queries import from_s3
from steps.hive_partitioning.writes import hive_table

COLUMNS = (
    "id UInt32, year UInt16, day Date, city String, amount Decimal(18, 2), name Nullable(String), "
    "flag Bool, at DateTime64(3, 'UTC')"
)
IN_SPARK = (
    "id bigint, amount decimal(18,2), name string, flag boolean, at timestamp, "
    "year int, day date, city string"
)
CITIES = ("Köln", "São Paulo", "a-b_c.d", "007", "東京")
MADE = (
    "SELECT number, 2000 + number % 3, toDate('2024-02-28') + number % 4, "
    f"{list(CITIES)}[number % 5 + 1], number / 8, if(number % 7 = 0, NULL, concat('n', number)), "
    "number % 2 = 0, toDateTime64('2024-01-01 00:00:00.001', 3, 'UTC') + number FROM numbers(600)"
)
CHANGED = 17
# The least and the greatest that ClickHouse has, those around the beginning of time, and a leap day.
DATES = (  # 5 variants
    datetime.date(1900, 1, 1),
    datetime.date(1969, 12, 31),
    datetime.date(1970, 1, 1),
    datetime.date(2024, 2, 29),
    datetime.date(2299, 12, 31),
)


@TestScenario
@Requirements(RQ_HivePartitioning_Interoperation_Writes("1.0"))
@needs_spark(seconds=600)
def spark_reads_what_clickhouse_wrote(self):
    """Spark finds every row that was inserted, with the values of its directories."""
    from steps.spark.hive_exchange import difference, differing_ids, spark_rows
    from steps.spark.session import spark_in_background

    spark_in_background()
    with Given("rows in a table, and the same rows written to a hive-partitioned one"):
        lake = new_lake()
        source = f"{this().database}.source"
        lake.node.query(f"CREATE TABLE {source} ({COLUMNS}) ENGINE = MergeTree ORDER BY id")
        lake.node.query(f"INSERT INTO {source} {MADE}")
        table = hive_table(
            lake, columns=COLUMNS, partition_by="(year, day, city)", format="Parquet"
        )
        lake.node.query(f"INSERT INTO {table} SELECT * FROM {source}")

    with When("Spark reads the objects"):
        rows = spark_rows(lake, table.name, IN_SPARK).cache()

    with Then("it finds the rows of the first table"):
        found = difference(lake, rows, f"SELECT * FROM {source}")
        assert found is None, error(str(found))
        assert len(lake.paths(f"{table.name}/")) == 60, error()

    with And("where one value is expected otherwise, the comparison names its row and no other"):
        other = f"SELECT * REPLACE (if(id = {CHANGED}, 'other', name) AS name) FROM {source}"
        assert differing_ids(lake, rows, other) == [CHANGED], error()


@TestScenario
@Requirements(RQ_HivePartitioning_Interoperation_Reads("1.0"))
@needs_spark(seconds=600)
def clickhouse_reads_what_spark_wrote(self):
    """Generated data sets, some partitions large and some small, many small files, keys in mixed order,
    dates: ClickHouse returns every row."""
    from pipelines.generate.data_set import DataSet
    from steps.spark.hive_exchange import (
        difference,
        differing_ids,
        from_store,
        generated_rows,
        write_generated,
        write_natively,
    )
    from steps.spark.session import dataframe

    with Given("a skewed data set of small files, written by Spark"):
        lake = new_lake()
        data = DataSet(1_200, seed=this().seed, partitions=12, skew=1.2, rows_per_file=40)
        write_generated(lake, "visits", data)
        files = [path for path in lake.paths("visits/") if path.endswith(".parquet")]
        assert len(files) == len(data.files()) > 2 * 12, error()
        sizes = Counter(path.rpartition("/")[0] for path in files).values()
        assert len(sizes) == 12 and max(sizes) >= 8 * min(sizes), error()

    with Then("ClickHouse returns what was generated"):
        expected = generated_rows(data)
        found = difference(lake, expected, from_store(lake, "visits"))
        assert found is None, error(str(found))

    with And("where a row is left out, the comparison names it and no other"):
        without = f"{from_store(lake, 'visits')} WHERE id != {CHANGED}"
        assert differing_ids(lake, expected, without) == [CHANGED], error()

    with When(
        "Spark writes one half of a data set by year and month, and the other by month and year"
    ):
        rows = generated_rows(DataSet(200, seed=this().seed, partitions=5))
        write_natively(lake, "mixed", rows.where("id % 2 = 0"), ["year", "month"])
        write_natively(lake, "mixed", rows.where("id % 2 = 1"), ["month", "year"])
        assert lake.paths("mixed/year=") and lake.paths("mixed/month="), error()

    with Then("ClickHouse returns both halves"):
        found = difference(lake, rows, from_store(lake, "mixed"))
        assert found is None, error(str(found))

    with When("Spark writes rows by their dates"):
        dates = dataframe(list(enumerate(DATES)), "id int, day date").cache()
        write_natively(lake, "dates", dates, ["day"])
        directories = {path.split("/")[1] for path in lake.paths("dates/")}
        assert directories == {f"day={date}" for date in DATES}, error()

    with Then("ClickHouse returns each row with its date"):
        source = from_s3(
            lake, "dates/**.parquet", structure="id Int32, day Date32", format="Parquet"
        )
        found = difference(lake, dates, f"SELECT id, day FROM {source}")
        assert found is None, error(str(found))
