"""What has to be left of a history of a ReplacingMergeTree table, computed by Spark.

Importing this module imports PySpark: scenarios do so inside of the function that needs it.
"""

from __future__ import annotations

from functools import reduce

from pyspark.sql import DataFrame
from pyspark.sql import functions as f

from pipelines import oracle
from steps.replacing import merge
from steps.replacing_history import SPARK_COLUMNS, History, Kind
from steps.spark import assert_equals_expected, dataframe


def inserted(history: History) -> DataFrame:
    """The rows that still count: what a cleanup removed is forgotten, whatever comes later."""
    chapters = [dataframe(rows, SPARK_COLUMNS) for rows in history.chapters]

    def then(known: DataFrame, more: DataFrame) -> DataFrame:
        return survivors(history.kind, known).unionByName(more)

    return reduce(then, chapters)


def survivors(kind: Kind, rows: DataFrame, *, keep_deleted: bool = False) -> DataFrame:
    """Those of the rows that survive in a table of this kind."""
    return oracle.replacing_final(
        rows.withColumn("rank", f.col("seq")),
        kind.unique_by,
        sequence="rank",
        version=kind.version,
        is_deleted=kind.is_deleted,
        keep_deleted=keep_deleted,
    )


def assert_final(history: History, rows: DataFrame | None = None) -> None:
    """SELECT … FINAL returns what survives of the rows, by default of those that were inserted."""
    rows = inserted(history) if rows is None else rows
    assert_equals_expected(
        history.table, survivors(history.kind, rows), final=True, key=history.kind.unique_by
    )


def assert_merged(history: History, rows: DataFrame | None = None) -> None:
    """A merge leaves the same, and deletion rows with it."""
    rows = inserted(history) if rows is None else rows
    merge(history.table)
    assert_equals_expected(
        history.table,
        survivors(history.kind, rows, keep_deleted=True),
        key=history.kind.unique_by,
    )
