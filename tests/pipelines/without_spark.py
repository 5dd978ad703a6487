"""The data sources driven as Spark drives them, without Spark: fast, and errors come as they are."""

from __future__ import annotations

from typing import Any

import pyarrow as pa
from pyspark.sql.datasource import DataSource
from pyspark.sql.types import StructType

from pipelines.arrow import arrow_schema, spark_schema


def read(source: DataSource) -> pa.Table:
    """What all tasks of a read bring."""
    schema = source.schema()
    reader = source.reader(schema)
    batches = [batch for one in reader.partitions() for batch in reader.read(one)]
    return pa.Table.from_batches(batches, arrow_schema(schema))


def write(
    source: DataSource,
    *tasks: pa.Table,
    schema: StructType | None = None,
    overwrite: bool = False,
) -> None:
    """A write with a table of rows for every task; a failed task fails the write, as in Spark."""
    writer = source.writer(schema or spark_schema(tasks[0].schema, "rows"), overwrite)
    messages: list[Any] = []
    try:
        for rows in tasks:
            messages.append(writer.write(iter(rows.to_batches(max_chunksize=1000))))
        writer.commit(messages)
    except BaseException:
        writer.abort([*messages, None])
        raise
