"""DataFrames of the rows that a reader reads, and the session that Spark uses for a thread."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any, Protocol

import pyarrow as pa
from pyspark.sql import DataFrame, SparkSession
from pyspark.sql.types import StructType

from pipelines.spark.errors import clear_errors


class Reader(Protocol):
    """A data source's reader: what each task has to do, and how a task does it."""

    schema: StructType

    def partitions(self) -> list[Any]: ...

    def read(self, partition: Any) -> Iterator[pa.RecordBatch]: ...


def dataframe_of(session: SparkSession, reader: Reader) -> DataFrame:
    """The rows of a reader as a DataFrame, one task for each of its partitions.

    `spark.read.format` reads the same rows, more slowly: Spark plans such a read in processes of its
    own and updates the metrics of Python data sources every hundred rows.
    """
    partitions = reader.partitions()

    def read(batches: Iterable[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        for batch in batches:
            for number in batch.column(0).to_pylist():
                yield from reader.read(partitions[number])

    with clear_errors():
        count = len(partitions)
        numbers = session.range(0, count, 1, max(count, 1)).toDF("partition")._jdf
        # Spark knows the size of a range and would take what is read for as small: a join would
        # broadcast it. The size of an RDD is unknown to Spark.
        unsized = session._jsparkSession.createDataFrame(numbers.toJavaRDD(), numbers.schema())
        return DataFrame(unsized, session).mapInArrow(read, reader.schema)


def set_active_session(session: SparkSession) -> None:
    """Make it the session of this thread, where `df.write` looks for data sources.

    Spark keeps the active session per thread, and ours is started in a thread of its own.
    """
    SparkSession._get_j_spark_session_class(session._jvm).setActiveSession(session._jsparkSession)
