"""The data sources driven as Spark drives them, without Spark: fast, and errors come as they are."""

from __future__ import annotations

from contextlib import suppress
from threading import Timer
from typing import Any

import pyarrow as pa
from pyspark.sql.datasource import DataSource
from pyspark.sql.pandas.types import from_arrow_schema
from pyspark.sql.types import StructType

from pipelines.clickhouse.arrow import arrow_schema
from pipelines.errors import PipelineError


def read(source: DataSource) -> pa.Table:
    """What all tasks of a read bring."""
    schema = source.schema()
    reader = source.reader(schema)
    batches = [batch for partition in reader.partitions() for batch in reader.read(partition)]
    return pa.Table.from_batches(batches, arrow_schema(schema))


def write(
    source: DataSource,
    *tasks: pa.Table,
    schema: StructType | None = None,
    overwrite: bool = False,
) -> None:
    """A write with a table of rows for every task; a failed task fails the write, as in Spark."""
    writer = source.writer(schema or from_arrow_schema(tasks[0].schema), overwrite)
    messages: list[Any] = []
    try:
        for rows in tasks:
            messages.append(writer.write(iter(rows.to_batches(max_chunksize=1000))))
        writer.commit(messages)
    except BaseException:
        writer.abort([*messages, None])
        raise


def abort_during_write(writer: Any, rows: pa.Table) -> None:
    """Abort a write of two tasks while one of them is about to begin."""

    def write_late() -> None:
        with suppress(PipelineError):  # swept away under its hands
            writer.write(iter(rows.to_batches()))

    task = Timer(0.7, write_late)
    task.start()
    writer.abort([None, None])
    task.join()
