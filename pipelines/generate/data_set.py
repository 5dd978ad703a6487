"""Data sets made of nothing but a seed: hive-partitioned Parquet of any size, the same every time.

A value is a function of the seed, its column and its row's number, so it does not matter who makes
which rows, in which order and how many at once.
"""

from __future__ import annotations

import itertools
import shutil
import uuid
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
from pyspark.sql import DataFrame, SparkSession
from pyspark.sql.pandas.types import from_arrow_schema
from pyspark.sql.types import StructType

from pipelines.clickhouse.arrow import arrow_schema, conform_all
from pipelines.errors import PipelineError
from pipelines.generate import random_columns as columns
from pipelines.s3.hive_folders import folder as folder_name
from pipelines.spark.dataframes import dataframe_of
from pipelines.spark.errors import clear_errors

# Written last, as Spark does: its presence means that the data set is complete.
MARKER = "_SUCCESS"
PARTITION_BY = ("year", "month")
FIRST_YEAR, MONTHS = 2020, 12
FIRST_DAY, DAYS = 18_262, 3650  # 2020-01-01, and ten years
NAMES = 100_000
NULLABLE = ("amount", "name", "long_number", "text")
# Only these repeat themselves often enough for a dictionary to make files smaller.
REPEATING = ["name", "day"]
BATCH = 65_536


@dataclass(frozen=True)
class File:
    """The rows of one file: their partition and their numbers, from `start` to before `end`."""

    number: int
    partition: int
    start: int
    end: int

    @property
    def values(self) -> tuple[int, int]:
        """What the folders are named after."""
        year, month = divmod(self.partition, MONTHS)
        return FIRST_YEAR + year, month + 1

    @property
    def path(self) -> str:
        return f"{folder_name(PARTITION_BY, self.values)}part-{self.number:06d}.parquet"


@dataclass(frozen=True)
class DataSet:
    """What to make.

    Partitions are months. With a `skew` of s the n-th has n^s times fewer rows than the first, and
    few keys have most of the rows. `nulls` is the share of NULLs in columns that have any. `wide`
    adds long decimals, bytes, texts and lists. Few `rows_per_file` make many small files.
    """

    rows: int
    seed: int = 0
    partitions: int = 8
    skew: float = 0.0
    nulls: float = 0.1
    wide: bool = False
    rows_per_file: int = 1_000_000

    def __post_init__(self) -> None:
        for name, least in (("rows", 1), ("seed", 0), ("partitions", 1), ("rows_per_file", 1)):
            if getattr(self, name) < least:
                raise PipelineError(
                    f"The {name} of a data set start from {least}: {getattr(self, name)} is too low."
                )
        if not 0 <= self.nulls <= 1:
            raise PipelineError(f"A share of NULLs is between 0 and 1, not {self.nulls}.")
        if not 0 <= self.skew <= 10:
            raise PipelineError(f"A skew is between 0 (none) and 10, not {self.skew}.")

    def files(self) -> list[File]:
        """All files, each with rows of one partition."""
        weights = [(number + 1) ** -self.skew for number in range(self.partitions)]
        ends = [int(self.rows * held / sum(weights)) for held in itertools.accumulate(weights)]
        ends[-1] = self.rows
        files: list[File] = []
        for partition, (start, end) in enumerate(itertools.pairwise([0, *ends])):
            for first in range(start, end, self.rows_per_file):
                last = min(first + self.rows_per_file, end)
                files.append(File(len(files), partition, first, last))
        return files

    @cached_property
    def schema(self) -> pa.Schema:
        """The columns in the files; year and month are in the folders' names."""
        nothing = self._columns(np.arange(0, dtype=np.uint64))
        return pa.schema(
            [pa.field(name, array.type, name in NULLABLE) for name, array in nothing.items()]
        )

    def batches(self, file: File) -> Iterator[pa.RecordBatch]:
        """The rows of a file as they are in it."""
        for start in range(file.start, file.end, BATCH):
            numbers = np.arange(start, min(start + BATCH, file.end), dtype=np.uint64)
            arrays = list(self._columns(numbers).values())
            yield pa.RecordBatch.from_arrays(arrays, schema=self.schema)

    def whole_rows(self, file: File) -> Iterator[pa.RecordBatch]:
        """The rows of a file with the columns that its folders are named after."""
        for batch in self.batches(file):
            for name, value in zip(PARTITION_BY, file.values, strict=True):
                column = pa.repeat(pa.scalar(value, pa.int32()), batch.num_rows)
                batch = batch.append_column(pa.field(name, pa.int32(), False), column)
            yield batch

    @property
    def spark_schema(self) -> StructType:
        """All columns as Spark has them."""
        by_folder = [pa.field(name, pa.int32()) for name in PARTITION_BY]
        return from_arrow_schema(pa.schema([*self.schema, *by_folder]))

    def _columns(self, rows: columns.Words) -> dict[str, pa.Array]:
        def bits(column: str) -> columns.Words:
            return columns.bits(rows, self.seed, column)

        def missing(column: str) -> columns.Flags:
            return columns.share(bits(f"{column} is NULL"), self.nulls)

        days = bits("day") % np.uint64(DAYS) + np.uint64(FIRST_DAY)
        amounts = columns.signed(bits("amount"), 40)
        held = {
            "id": pa.array(rows.view(np.int64)),
            "key": pa.array(self._keys(bits("key"), bits("key's size"))),
            "amount": columns.decimals(amounts, None, 18, 2, missing("amount")),
            "price": pa.array((bits("price") >> np.uint64(11)) * 2.0**-53),
            "name": columns.names(bits("name"), NAMES, missing("name")),
            "at": columns.instants(days, bits("at")),
            "day": pa.array(days.astype(np.int32)).cast(pa.date32()),
            "flag": pa.array((bits("flag") & np.uint64(1)).astype(np.bool_)),
        }
        if self.wide:
            low = bits("long_number").view(np.int64)
            high = columns.signed(bits("long_number's high half"), 61)
            held["long_number"] = columns.decimals(low, high, 38, 10, missing("long_number"))
            held["bytes"] = columns.sixteen_bytes(bits("bytes"), bits("more bytes"))
            held["text"] = columns.texts(bits("text"), missing("text"))
            held["items"] = columns.lists(bits("items"), bits("how many items"))
        return held

    def _keys(self, words: columns.Words, sizes: columns.Words) -> columns.Numbers:
        if self.skew:  # each length is as frequent, and there are few short numbers
            return (words >> (np.uint64(1) + sizes % np.uint64(63))).view(np.int64)
        return (words % np.uint64(self.rows)).view(np.int64)


def generated(session: SparkSession, data_set: DataSet) -> DataFrame:
    """The rows of a data set in Spark, made where they are used."""
    return dataframe_of(session, _Reader(data_set))


def write_to_folder(session: SparkSession, data_set: DataSet, folder: Path) -> None:
    """Write a data set to a folder that Spark's workers share: all of it, or nothing."""
    if folder.exists() and any(folder.iterdir()):
        raise PipelineError(f"{folder} is not empty: remove it, or choose another folder.")
    new = folder.with_name(f".{folder.name}-{uuid.uuid4().hex[:12]}")

    def write(file: File) -> None:
        target = new / file.path
        target.parent.mkdir(parents=True, exist_ok=True)
        with pq.ParquetWriter(
            target, data_set.schema, compression="zstd", use_dictionary=REPEATING
        ) as writer:
            for batch in data_set.batches(file):
                writer.write_batch(batch)

    try:
        new.mkdir(parents=True)
        _for_each_file(session, data_set, write)
        (new / MARKER).touch()
        new.replace(folder)
    except OSError as error:
        raise PipelineError(f"{folder} cannot be written: {error.strerror}.") from None
    finally:
        shutil.rmtree(new, ignore_errors=True)


def _for_each_file(session: SparkSession, data_set: DataSet, do: Callable[[File], None]) -> None:
    """Do it in Spark's workers."""
    files = data_set.files()
    with clear_errors():
        context = session.sparkContext
        # Neighbours in size and place go to different tasks.
        tasks = min(len(files), 4 * context.defaultParallelism)
        shares = [files[number::tasks] for number in range(tasks)]
        context.parallelize(shares, tasks).flatMap(iter).foreach(do)


class _Reader:
    """A data set as Spark reads it, file by file."""

    def __init__(self, data_set: DataSet) -> None:
        self._made, self.schema = data_set, data_set.spark_schema

    def partitions(self) -> list[File]:
        return self._made.files()

    def read(self, partition: File) -> Iterator[pa.RecordBatch]:
        rows = self._made.whole_rows(partition)
        return conform_all(rows, arrow_schema(self.schema), "the data set")
