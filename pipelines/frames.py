"""DataFrames of what a reader reads."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any, Protocol

import pyarrow as pa
from pyspark.sql import DataFrame, SparkSession
from pyspark.sql.types import StructType

from pipelines.errors import clear_errors


class Reader(Protocol):
    """A data source's reader: what each task has to do, and how a task does it."""

    schema: StructType

    def partitions(self) -> list[Any]: ...

    def read(self, partition: Any) -> Iterator[pa.RecordBatch]: ...


def frame_of(session: SparkSession, reader: Reader) -> DataFrame:
    """The rows of a reader as a DataFrame, one task for each of its partitions.

    `spark.read.format` brings the same rows, more slowly: Spark plans such a read in processes of their
    own and updates the metrics of Python data sources every hundred rows.
    """
    shares = reader.partitions()

    def read(batches: Iterable[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        for batch in batches:
            for number in batch.column(0).to_pylist():
                yield from reader.read(shares[number])

    with clear_errors():
        numbers = session.range(0, len(shares), 1, max(len(shares), 1)).toDF("share")._jdf
        # Of a range Spark knows the size, and would take what is read for as small: a join would
        # send all of it to everybody. Of an RDD it knows nothing.
        unsized = session._jsparkSession.createDataFrame(numbers.toJavaRDD(), numbers.schema())
        return DataFrame(unsized, session).mapInArrow(read, reader.schema)
