"""Hive-partitioned data between ClickHouse and Spark: each reads what the other wrote.

Spark reads with its own Parquet code and its own rules for names of directories, from a folder to which the
objects are copied as they are. Importing this module imports PySpark.
"""

from __future__ import annotations

import tempfile
from pathlib import Path
from typing import Any

import pyarrow as pa
from pyspark.errors import PySparkException
from pyspark.sql import DataFrame

from helpers.scenario.context import this
from pipelines.clickhouse import rows as clickhouse_rows
from pipelines.compare import oracle
from pipelines.compare.difference import Difference
from pipelines.generate.data_set import DataSet, write_to_folder
from steps.hive_partitioning.objects import Lake
from steps.hive_partitioning.queries import from_s3
from steps.spark.local_files import local_file_options
from steps.spark.session import server, spark

TASKS = 2
# Spark would list each directory by a task of its own, and read some thirty files by each.
FEW_TASKS = {  # 2 variants
    "spark.sql.sources.parallelPartitionDiscovery.parallelism": str(TASKS),
    "spark.sql.files.openCostInBytes": "0",
}
# Spark writes times as INT96 unless told otherwise, a type without a precision.
NO_INT96 = ("spark.sql.parquet.outputTimestampType", "TIMESTAMP_MICROS")
GENERATED = "id, key, amount, price, name, at, day, flag"
BY_MONTH = "CAST(year AS Int32) AS year, CAST(month AS Int32) AS month"


def rows_or_refusal(lake: Lake, path: str, schema: str) -> list[tuple[Any, ...]] | str:
    """What Spark reads of the objects below a path, sorted, or why it does not."""
    try:
        return sorted(tuple(row) for row in spark_rows(lake, path, schema).collect())
    except PySparkException as refused:
        return f"refused: {refused.getCondition() or refused}"


def spark_rows(lake: Lake, path: str, schema: str, format: str = "parquet") -> DataFrame:
    """What Spark reads of the objects below a path; the schema names the columns of the directories too."""
    folder = Path(tempfile.mkdtemp(prefix="hive-", dir=_scratch()))
    lake.copy_to(folder, path)
    session = spark()
    for name, value in FEW_TASKS.items():
        session.conf.set(name, value)
    return session.read.schema(schema).format(format).load(str(folder))


def write_natively(
    lake: Lake, path: str, frame: DataFrame, by: list[str], format: str = "parquet"
) -> None:
    """Let Spark write rows to a folder, a file a directory, and add its files to the store."""
    folder = Path(tempfile.mkdtemp(prefix="hive-", dir=_scratch())) / "written"
    spark().conf.set(*NO_INT96)
    writer = frame.repartition(TASKS, *by).write.options(**local_file_options(spark()))
    writer.partitionBy(*by).format(format).save(str(folder))
    lake.put_folder(path, folder, f"*.{format}")
    assert lake.paths(f"{path}/"), "the fixture is wrong: Spark wrote no file"


def write_generated(lake: Lake, path: str, data: DataSet) -> None:
    """Put a generated data set into the store; Spark's workers make its files."""
    folder = Path(tempfile.mkdtemp(prefix="hive-", dir=_scratch())) / "written"
    write_to_folder(spark(), data, folder)
    lake.put_folder(path, folder, "*.parquet")


def generated_rows(data: DataSet) -> DataFrame:
    """All rows of a data set, made here and not in a task for each file."""
    batches = [batch for file in data.files() for batch in data.whole_rows(file)]
    return spark().createDataFrame(pa.Table.from_batches(batches)).coalesce(2).cache()


def from_store(lake: Lake, path: str) -> str:
    """The query that reads a generated data set from the store."""
    source = from_s3(lake, f"{path}/**.parquet", structure="", format="Parquet")
    return f"SELECT {GENERATED}, {BY_MONTH} FROM {source}"


def difference(lake: Lake, expected: DataFrame, query: str) -> Difference | None:
    """What distinguishes the answer of a query from what is expected of it, told by the oracle."""
    actual = clickhouse_rows.query(server(lake.node), query)
    return oracle.compare(expected, actual, key=("id",))


def differing_ids(lake: Lake, expected: DataFrame, query: str) -> list[int]:
    """The ids of the rows in which the answer of a query is not what is expected."""
    differing = difference(lake, expected, query)
    return [row.row["id"] for row in differing.rows] if differing else []


def _scratch() -> Path:
    """A folder that Spark's workers see under the same path, wherever they run."""
    folder = this().cluster.folder / "exchange"
    folder.mkdir(exist_ok=True)
    return folder
