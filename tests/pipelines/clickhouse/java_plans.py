"""Whether Spark reads a DataFrame of ClickHouse inside of Java, by its plan."""

from __future__ import annotations

from pyspark.sql import DataFrame


def plan(frame: DataFrame) -> str:
    return str(frame._jdf.queryExecution().toString())


def is_in_java(frame: DataFrame) -> bool:
    return "BatchScan" in plan(frame) and "MapInArrow" not in plan(frame)
