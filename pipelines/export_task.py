"""The export of one part: look what is there, read and upload, check, complete, commit."""

from __future__ import annotations

import hashlib
import math
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from dataclasses import dataclass, replace

from pyspark.sql import SparkSession

from pipelines import fingerprint
from pipelines.clickhouse_rows import ClickHouseRows
from pipelines.clickhouse_server import Server
from pipelines.errors import PipelineError
from pipelines.export_commit import Bytes, Commit, commit_key, commits_below, overlaps, read_hashes
from pipelines.export_errors import Duplicated, ExportRefused, SourceChanged
from pipelines.export_lock import ExportLock
from pipelines.export_log import Record
from pipelines.export_options import ERROR, OVERWRITE, Options
from pipelines.export_plan import Plan, PlannedPart
from pipelines.export_progress import Monitor
from pipelines.export_source import find_parts, snapshot
from pipelines.export_upload import MOST_PARTS, Piece, Segment, retrying, upload_segment
from pipelines.fingerprint import Fingerprint
from pipelines.parquet_join import footer_of, join, rows_in
from pipelines.s3 import AlreadyThere, Pending, Place
from pipelines.spark_errors import clear_errors
from pipelines.types import literal
from pipelines.write_cleanup import clean_up_after

# What an object says of itself, so that a killed export can be told from somebody else's file.
EXPORT, SNAPSHOT = "export", "snapshot"
META = "x-amz-meta-"


@dataclass
class PartExport:
    """One part on its way; `slots` is how many tasks Spark runs at a time."""

    session: SparkSession
    server: Server
    plan: Plan
    planned: PlannedPart
    options: Options
    record: Record
    monitor: Monitor
    slots: int

    def existing(self) -> bool:
        """Whether the part was exported before and is to be left as it is."""
        store, bucket = self.plan.destination.store, self._bucket
        found = store.metadata(bucket, self.planned.key)
        committed = store.get(bucket, commit_key(self.planned.key))
        if self.options.if_exists == OVERWRITE:
            return False
        self._refuse_merged()
        if found is None:
            return False
        if committed is None and found[1].get(META + SNAPSHOT) == self.plan.snapshot.digest:
            # A killed export got as far as this file, which is complete: only its commit is missing.
            self._commit_found(found[1][META + EXPORT], found[0])
            return True
        if self.options.if_exists == ERROR or committed is None:
            raise Duplicated(
                f"s3://{bucket}/{self.planned.key} is there already"
                + ("." if committed else ", and no commit file beside it says what it is.")
            )
        return True

    def run(self, lock: ExportLock) -> Commit:
        """Read, upload and commit; whatever fails leaves nothing."""
        store = self.plan.destination.store
        self._sweep()
        metadata = {EXPORT: self.record.export_id, SNAPSHOT: self.plan.snapshot.digest}
        for attempt in retrying():
            with attempt:
                upload = store.begin(self._bucket, self.planned.key, metadata)
        pieces: list[Piece] | None = None
        try:
            with ThreadPoolExecutor(1) as pool:
                # The server computes what the rows must be while others fetch them.
                expected = pool.submit(self._expected)
                pieces = self._upload(upload)
                rows = sum(piece.rows for piece in pieces)
                counted, held = expected.result()
            self._account(pieces, rows)
            if rows != counted:
                raise SourceChanged(
                    f"{self.planned.part.name} had {counted} rows and {rows} were read: a merge or a "
                    "mutation came between. Nothing was written; export it again."
                )
            pending, layout = self._finish(upload, pieces)
            self._check_unchanged()
            lock.check()
            commit = self._commit(layout, rows, held)
            self._complete(pending)
            self._write(commit)
        except BaseException:
            with suppress(PipelineError):
                store.abandon(upload)
            if pieces is None:
                # Tasks of a job that failed may go on for a moment.
                clean_up_after((), self._sweep_quietly)
            self._remove_mine()
            raise
        return commit

    def _segments(self, upload: Pending) -> list[Segment]:
        """Ranges of the part's rows, one for each task."""
        part, options = self.planned.part, self.options
        count = max(1, min(math.ceil(part.rows / options.rows_per_task), 64))
        step = max(1, math.ceil(part.rows / count))
        settings = {**self.plan.encoding, **self.plan.snapshot.settings, **options.settings}
        segments = []
        for number in range(count):
            within = (
                f" AND _part_offset >= {number * step} AND _part_offset < {(number + 1) * step}"
            )
            sql = f"{self.planned.select}{within if count > 1 else ''} FORMAT Parquet"
            segments.append(
                Segment(
                    self.server,
                    self.server.prepare(sql, settings),
                    self.plan.destination.store,
                    upload,
                    1 + number * (MOST_PARTS - 1) // count,
                    (MOST_PARTS - 1) // count,
                    options.bandwidth / min(count, self.slots),
                )
            )
        self.monitor.reading(self.record, [segment.statement.query_id for segment in segments])
        return segments

    def _upload(self, upload: Pending) -> list[Piece]:
        segments = self._segments(upload)
        with clear_errors():
            spread = self.session.sparkContext.parallelize(segments, len(segments))
            return list(spread.map(upload_segment).collect())

    def _expected(self) -> tuple[int, Fingerprint | None]:
        """How many rows a reader of the part sees, and their fingerprint if their types have one."""
        extra = self.plan.snapshot.settings
        settings = ", ".join(f"{name} = {value}" for name, value in extra.items())
        source = f"({self.planned.select}{' SETTINGS ' + settings if settings else ''})"
        rows = None
        if self.options.fingerprint:
            with suppress(PipelineError):  # a type that has none
                rows = ClickHouseRows(self.server, str(self.plan.source), source, self.plan.columns)
        if rows:
            found = fingerprint.of_clickhouse(rows)
            return found.rows, found
        ((count,),) = self.server.rows(f"SELECT toString(count()) FROM {source}")
        return int(count), None

    def _finish(self, upload: Pending, pieces: Sequence[Piece]) -> tuple[Pending, list[Bytes]]:
        """Upload the end of the file: what was too small for a part, and the footer of all."""
        ordered = [piece for piece in pieces if piece.numbers]
        ordered += [piece for piece in pieces if not piece.numbers]
        end = join([(piece.footer, piece.size) for piece in ordered])
        last = b"".join(piece.inline for piece in ordered) + end
        for attempt in retrying():
            with attempt:
                tag = self.plan.destination.store.upload_part(upload, MOST_PARTS, last)
        pending = replace(
            upload,
            numbers=(*(number for piece in ordered for number in piece.numbers), MOST_PARTS),
            tags=(*(tag for piece in ordered for tag in piece.tags), tag),
        )
        layout = [Bytes(piece.size, piece.sha256) for piece in ordered if piece.size]
        return pending, [*layout, Bytes(len(end), hashlib.sha256(end).hexdigest())]

    def _check_unchanged(self) -> None:
        """The part and all that decides about its rows are what they were when the export began."""
        part, source = self.planned.part, self.plan.source
        now = find_parts(self.server, source, f"name = {literal(part.name)}")
        same = [(active.checksum, active.rows) for active in now] == [(part.checksum, part.rows)]
        if not same or snapshot(self.server, source) != self.plan.snapshot:
            raise SourceChanged(
                f"{part.name} of {source} changed while it was exported, by a merge, a mutation or an "
                "ALTER. Nothing was written; export what is there now."
            )

    def _complete(self, pending: Pending) -> None:
        """Let the file appear. Where the answer is lost, the store is asked what happened."""
        store, replaces = self.plan.destination.store, self.options.if_exists == OVERWRITE
        if replaces:
            self._remove_merged()
        for attempt in retrying():
            with attempt:
                try:
                    store.complete(pending, replace=replaces)
                except AlreadyThere:
                    if not self._is_mine():
                        raise Duplicated(
                            f"s3://{pending.bucket}/{pending.key} appeared during the export."
                        ) from None
                except PipelineError as error:
                    if not self._is_mine():
                        raise error

    def _remove_mine(self) -> None:
        """A file that appeared and could not be committed is taken away again, if it replaced none."""
        with suppress(PipelineError):
            if self.options.if_exists != OVERWRITE and self._is_mine():
                self.plan.destination.store.remove(self._bucket, [self.planned.key])

    def _is_mine(self) -> bool:
        found = self.plan.destination.store.metadata(self._bucket, self.planned.key)
        return found is not None and found[1].get(META + EXPORT) == self.record.export_id

    def _commit(self, pieces: list[Bytes], rows: int, held: Fingerprint | None) -> Commit:
        return Commit(
            export=self.record.export_id,
            database=self.plan.source.database,
            table=self.plan.source.name,
            part=self.planned.part.name,
            checksum=self.planned.part.checksum,
            key=self.planned.key,
            rows=rows,
            size=sum(piece.size for piece in pieces),
            pieces=pieces,
            fingerprint=held,
            snapshot=self.plan.snapshot.digest,
            columns=dict(self.plan.columns),
        )

    def _write(self, commit: Commit) -> None:
        """Write the commit file; without it the file is complete, and the next export adds it."""
        for attempt in retrying():
            with attempt:
                self.plan.destination.store.put(
                    self._bucket, commit_key(commit.key), commit.encoded()
                )

    def _commit_found(self, export_id: str, size: int) -> None:
        """Write the commit file of a file that a killed export left complete."""
        store = self.plan.destination.store
        (sha256,), _, end = read_hashes(store, self._bucket, self.planned.key, [size])
        footer = footer_of(end)
        counted, held = self._expected()
        if footer is None or rows_in(footer) != counted:
            raise ExportRefused(
                "BAD_ARGUMENTS",
                f"s3://{self._bucket}/{self.planned.key} does not have the rows of the part: overwrite it.",
            )
        commit = self._commit([Bytes(size, sha256)], counted, held)
        self._write(replace(commit, export=export_id))

    def _merged(self) -> list[Commit]:
        """Exports of parts that this one was made of, or that were made of it."""
        destination, folder = self.plan.destination, self.planned.key.rpartition("/")[0]
        place = Place(self._bucket, f"{folder}/" if folder else "")
        part = self.planned.part
        # By their names most can be passed over unread: a partition may have thousands of parts.
        commits = commits_below(destination.store, place, lambda name: overlaps(name, part))
        return [commit for commit in commits if commit.covers_rows_of(self.plan.source, part)]

    def _refuse_merged(self) -> None:
        if merged := self._merged():
            raise Duplicated(
                f"Rows of {self.planned.part.name} were exported already, as part {merged[0].part}: to "
                "replace those files by this part, overwrite."
            )

    def _remove_merged(self) -> None:
        for commit in self._merged():
            keys = [commit.key, commit_key(commit.key)]
            self.plan.destination.store.remove(self._bucket, keys)

    def _account(self, pieces: Sequence[Piece], rows: int) -> None:
        self.record.fields |= {
            "rows_read": rows,
            "bytes_written": sum(piece.size for piece in pieces),
            "throttled_bytes": sum(piece.throttled for piece in pieces),
            "throttled_microseconds": int(sum(piece.slept for piece in pieces) * 1_000_000),
        }

    def _sweep(self) -> None:
        """Abandon what killed exports of this part began to upload."""
        store = self.plan.destination.store
        for attempt in retrying():
            with attempt:
                for upload in store.uploads(Place(self._bucket, self.planned.key)):
                    with suppress(PipelineError):
                        store.abandon(upload)

    def _sweep_quietly(self) -> None:
        with suppress(PipelineError):
            self._sweep()

    @property
    def _bucket(self) -> str:
        return self.plan.destination.place.bucket
