"""The program that makes the archive of Spark's classes: a short session, recorded by Java."""

from __future__ import annotations

import os
import sys
import threading
from pathlib import Path

import pyarrow as pa
from pyspark.sql import functions as f
from pyspark.sql.datasource import (
    DataSource,
    DataSourceArrowWriter,
    DataSourceReader,
    WriterCommitMessage,
)

from pipelines.spark import session
from pipelines.spark.class_archive import ARCHIVE, BASE

WRITE_SECONDS = 600


class Reader(DataSourceReader):
    def read(self, partition: object) -> object:
        yield pa.record_batch({"id": pa.array([1, 2, 3], pa.int64())})


class Writer(DataSourceArrowWriter):
    def write(self, iterator: object) -> object:
        return WriterCommitMessage()


class Sample(DataSource):
    """Reads and writes a few rows, since the classes for that belong in the archive."""

    @classmethod
    def name(cls) -> str:
        return "sample"

    def schema(self) -> str:
        return "id long"

    def reader(self, schema: object) -> Reader:
        return Reader()

    def writer(self, schema: object, overwrite: bool) -> Writer:
        return Writer()


def train(folder: Path) -> None:
    """A session that uses what sessions of this library use, and leaves the archive behind."""
    new = folder / f"new-{os.getpid()}.jsa"
    base = folder / BASE
    share = [f"-XX:SharedArchiveFile={base}"] if base.exists() else []
    options = [*session.FAST_START, *share, f"-XX:ArchiveClassesAtExit={new}"]
    spark = session.spark_session("local[2]", java_options=options, share_classes=False)
    spark.dataSource.register(Sample)
    rows = spark.read.format("sample").load()
    rows.withColumn("hash", f.xxhash64("id")).groupBy("id").agg(f.sum("hash")).collect()
    rows.join(spark.range(10), "id").orderBy("id").toArrow()
    rows.exceptAll(rows).count()
    rows.write.format("sample").mode("append").save()
    session.stop_session(WRITE_SECONDS)  # the archive is written at the end
    new.replace(folder / ARCHIVE)


def _end_with_parent() -> None:
    """End at once when standard input closes: whoever waits for the archive is gone."""
    while os.read(sys.stdin.fileno(), 1):
        pass
    running = session._running
    if running is not None and running.gateway is not None:
        running.gateway.proc.kill()
    os._exit(1)


if __name__ == "__main__":
    threading.Thread(target=_end_with_parent, daemon=True).start()
    train(Path(sys.argv[1]))
