"""The writing half of `hive_parquet`: files are uploaded unseen, then appear when all are there."""

from __future__ import annotations

import contextlib
import io
import json
import uuid
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field

import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq
from pyspark.errors import PySparkException
from pyspark.sql.datasource import DataSourceArrowWriter, WriterCommitMessage
from pyspark.sql.types import StructField, StructType

from pipelines.clickhouse.arrow import arrow_schema
from pipelines.errors import PipelineError
from pipelines.hive import layout as hive_layout
from pipelines.hive.journal import Journal
from pipelines.s3.store import Pending, Place, Store
from pipelines.s3.upload import Upload
from pipelines.spark.write_cleanup import clean_up_after

ROWS_PER_GROUP = 131_072
ROWS_HELD = 1_048_576
AT_ONCE = 8
COMPRESSIONS = ("zstd", "snappy", "gzip", "lz4", "brotli", "none")
# Written last: whoever finds it finds a complete data set.
MARKER = "_SUCCESS"


@dataclass
class Uploaded(WriterCommitMessage):
    """What one task left in the store, unseen so far."""

    files: list[Pending]


@dataclass
class _Open:
    """A file being written: rows wait until they fill a row group."""

    upload: Upload
    writer: pq.ParquetWriter
    waiting: list[pa.RecordBatch] = field(default_factory=list)
    rows: int = 0

    def flush(self) -> None:
        if self.waiting:
            self.writer.write_table(pa.Table.from_batches(self.waiting), ROWS_PER_GROUP)
        self.waiting, self.rows = [], 0


class HiveParquetWriter(DataSourceArrowWriter):
    """Tasks leave uncompleted uploads behind, and the driver completes them all, or none."""

    def __init__(
        self,
        store: Store,
        place: Place,
        schema: StructType,
        by: list[str],
        compression: str,
        overwrite: bool,
    ) -> None:
        self.store, self.place, self.by = store, place, by
        self.compression, self.overwrite = compression, overwrite
        self.job = uuid.uuid4().hex[:12]
        types = {column.name: column.dataType for column in schema.fields}
        for name in by:
            if name not in types:
                raise PipelineError(f"There is no column {name} to name folders after.")
            hive_layout.check_type(name, types[name])
        if len(by) == len(types):
            raise PipelineError("All columns name folders: at least one has to be in the files.")
        for column in schema.fields:
            _check_parquet(column)
        if compression not in COMPRESSIONS:
            raise PipelineError(
                f"The option 'compression' is one of {', '.join(COMPRESSIONS)}, not '{compression}'."
            )
        self.marker = f"{place.prefix}{MARKER}"
        self.journal = Journal(store, place, self.job)
        # Credentials and bucket are looked at before any row is.
        before = [key for key, _ in store.objects(place) if key != self.marker]
        self.replaced = before if overwrite else []

    def write(self, iterator: Iterator[pa.RecordBatch]) -> WriterCommitMessage:
        attempt = uuid.uuid4().hex[:12]
        files: dict[str, _Open] = {}
        try:
            held = 0
            for batch in iterator:
                for folder, rows in self._split(batch):
                    if folder not in files:
                        key = f"{self.place.prefix}{folder}part-{self.job}-{attempt}.parquet"
                        files[folder] = self._open(key, rows.schema)
                    file = files[folder]
                    file.waiting.append(rows)
                    file.rows += rows.num_rows
                    held += rows.num_rows
                    if file.rows >= ROWS_PER_GROUP:
                        held -= file.rows
                        file.flush()
                if held >= ROWS_HELD:
                    held = 0
                    for file in files.values():
                        file.flush()
            done = []
            for file in files.values():
                file.flush()
                file.writer.close()
                done.append(file.upload.finish())
            return Uploaded(done)
        except BaseException:
            self._each(self.store.abandon, [file.upload.pending for file in files.values()])
            raise

    def _open(self, key: str, schema: pa.Schema) -> _Open:
        upload = Upload(self.store, self.place.bucket, key)
        return _Open(upload, pq.ParquetWriter(upload, schema, compression=self.compression))

    def _split(self, batch: pa.RecordBatch) -> Iterator[tuple[str, pa.RecordBatch]]:
        """The batch's rows by folder, without the columns that name it."""
        if not self.by:
            yield "", batch
            return
        codes = pa.repeat(pa.scalar(0, pa.int64()), batch.num_rows)
        dictionaries = []
        for name in self.by:
            column = batch.column(name).dictionary_encode(null_encoding="encode")
            dictionaries.append(column.dictionary.to_pylist())
            codes = pc.add(pc.multiply(codes, len(dictionaries[-1])), column.indices)
        order = pc.array_sort_indices(codes)
        inside = batch.drop_columns(self.by).take(order)
        runs = pc.run_end_encode(codes.take(order))
        start = 0
        for end, code in zip(runs.run_ends.to_pylist(), runs.values.to_pylist(), strict=True):
            values = []
            for held in reversed(dictionaries):
                code, place = divmod(code, len(held))
                values.append(held[place])
            yield hive_layout.folder(self.by, reversed(values)), inside.slice(start, end - start)
            start = end

    def commit(self, messages: list[WriterCommitMessage | None]) -> None:
        """Let all files count at once: until the journal says so, they do not."""
        files = _files(messages)
        keys = [file.key for file in files]
        self.journal.hide(keys)
        if failed := self._each(self.store.complete, files):
            raise failed[0]
        if self.overwrite:
            self.journal.hide(self.replaced)
            self.store.remove(self.place.bucket, self.replaced)
        listed = json.dumps({"job": self.job, "files": sorted(keys)})
        self.store.put(self.place.bucket, self.marker, listed.encode())
        self._abandon_uploads()
        self.journal.remove()

    def abort(self, messages: list[WriterCommitMessage | None]) -> None:
        """Nothing of this write stays; called after a failed task and after a failed commit alike.

        Unless its files count already, in the place of others: those may be gone.
        """
        files = _files(messages)
        self._each(self.store.abandon, files)
        clean_up_after(messages, self._abandon_uploads)
        bucket, there = self.place.bucket, {key for key, _ in self.store.objects(self.place)}
        if self.replaced and self.journal.hides(self.replaced):
            return
        if left := [file.key for file in files if file.key in there]:
            self.journal.hide(left)
            self.store.remove(bucket, left)
        self.journal.remove()

    def _abandon_uploads(self) -> None:
        """Abandon the uploads of attempts that died."""
        with contextlib.suppress(PipelineError):
            left = [upload for upload in self.store.uploads(self.place) if self.job in upload.key]
            self._each(self.store.abandon, left)

    @staticmethod
    def _each(work: Callable[[Pending], None], files: Iterable[Pending]) -> list[PipelineError]:
        """Do it to every file, several at once; the errors there were."""

        def attempt(file: Pending) -> PipelineError | None:
            try:
                work(file)
            except PipelineError as error:
                return error
            return None

        with ThreadPoolExecutor(AT_ONCE) as pool:
            return [error for error in pool.map(attempt, files) if error]


def _check_parquet(column: StructField) -> None:
    """Refuse by name what no Parquet file holds."""
    try:
        pq.write_table(arrow_schema(StructType([column])).empty_table(), io.BytesIO())
    except (PySparkException, pa.ArrowException, KeyError):
        raise PipelineError(
            f"Column {column.name} of type {column.dataType.simpleString()} cannot be in a Parquet file: "
            "cast it."
        ) from None


def _files(messages: list[WriterCommitMessage | None]) -> list[Pending]:
    return [file for message in messages if isinstance(message, Uploaded) for file in message.files]
