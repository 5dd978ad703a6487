"""The export of one part: look what is there, begin an upload, check what came of it, complete, commit."""

from __future__ import annotations

import hashlib
import math
from collections.abc import Collection, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace

from pipelines.clickhouse.server import Server
from pipelines.compare.fingerprint import Fingerprint
from pipelines.errors import PipelineError
from pipelines.export.commit import (
    EXTENSION,
    Bytes,
    Commit,
    commit_key,
    may_concern,
    read_commits,
    read_hashes,
    unnamed,
)
from pipelines.export.encoding import ROW_GROUP
from pipelines.export.errors import Duplicated, ExportRefused, SourceChanged
from pipelines.export.expected import Expected, expected_rows
from pipelines.export.lock import ExportLock
from pipelines.export.log import Record
from pipelines.export.options import ERROR, OVERWRITE, Options
from pipelines.export.parquet_join import footer_of, join, rows_in
from pipelines.export.plan import Plan, PlannedPart
from pipelines.export.progress import Monitor
from pipelines.export.source import Part, Snapshot
from pipelines.export.upload import (
    CHUNKS_OF_SMALL_FOOTER,
    HELD_BACK,
    MOST_PARTS,
    SMALL_FOOTER,
    SMALLEST_PART,
    SPARK_ATTEMPTS,
    TRIES,
    Piece,
    Segment,
    retrying,
)
from pipelines.s3.store import PART, AlreadyThere, Pending, Place

# What an object says of itself, so that a killed export can be told from somebody else's file.
EXPORT, SNAPSHOT = "export", "snapshot"
META = "x-amz-meta-"
MOST_SEGMENTS = 64
MOST_ROWS_OF_SMALL = 4_000_000


# An upload with all its parts, and the commit file of what it will be.
Uploaded = tuple[Pending, Commit]


@dataclass(frozen=True)
class State:
    """What is there of the source: parts by their names, and what else decides about their rows."""

    parts: Mapping[str, Part]
    snapshot: Snapshot


def segments_of(part: Part, options: Options) -> int:
    """For how many tasks a part is split."""
    return max(1, min(math.ceil(part.rows / options.rows_per_task), MOST_SEGMENTS))


@dataclass
class PartExport:
    """One part on its way; `at_once` is how many tasks of the whole export run at a time."""

    server: Server
    plan: Plan
    planned: PlannedPart
    options: Options
    record: Record
    monitor: Monitor
    at_once: int
    upload: Pending | None = None

    def existing(self) -> bool:
        """Whether the part was exported before and is to be left as it is."""
        store, bucket, key = self.plan.destination.store, self._bucket, self.planned.key
        beside = {name for name, _ in store.objects(self._folder)}
        committed = commit_key(key) in beside
        if committed:
            self._check_mine(next(read_commits(store, bucket, [commit_key(key)]), None))
        self._refuse_unknown(beside)
        if self.options.if_exists == OVERWRITE:
            return False
        self._refuse_merged(beside)
        if older := self._older(beside):
            return self._skipped(older[0].key)
        found = store.metadata(bucket, key) if key in beside else None
        if found is None:
            return False
        if not committed and found[1].get(META + SNAPSHOT) == self.plan.snapshot.digest:
            # A killed export got as far as this file, which is complete: only its commit is missing.
            self._commit_found(found[1][META + EXPORT], found[0])
            return True
        if not committed:
            raise Duplicated(
                f"s3://{bucket}/{key} is there already, and no commit file beside it says what it is."
            )
        return self._skipped(key)

    def _skipped(self, key: str) -> bool:
        """The file is this part's: whether it is left as it is, or that is an error."""
        if self.options.if_exists == ERROR:
            raise Duplicated(f"s3://{self._bucket}/{key} is there already.")
        return True

    def begin(self) -> None:
        """Begin the upload, after what killed exports of this part left was cleared away."""
        self.sweep()
        metadata = {EXPORT: self.record.export_id, SNAPSHOT: self.plan.snapshot.digest}
        for attempt in retrying():
            with attempt:
                self.upload = self.plan.destination.store.begin(
                    self._bucket, self.planned.key, metadata
                )

    def upload_end(self, pieces: Sequence[Piece], expected: Expected) -> Uploaded:
        """Upload the end of the file, if all rows are there."""
        assert self.upload
        rows = sum(piece.rows for piece in pieces)
        counted, held = expected
        self._account(pieces, rows)
        if rows != counted:
            raise SourceChanged(
                f"{self.planned.part.name} had {counted} rows and {rows} were read: a merge or a "
                "mutation came between. Nothing was written; export it again."
            )
        pending, layout = self._finish(self.upload, pieces)
        return pending, self._commit(layout, rows, held)

    def finish(self, uploaded: Uploaded, now: State, lock: ExportLock) -> Commit:
        """Let the file appear and commit it, if the part is what it was."""
        pending, commit = uploaded
        self._check_unchanged(now)
        lock.check()
        self.record.fields["bytes_written"] = commit.size
        self._complete(pending)
        self._write(commit)
        return commit

    def clear_away(self) -> None:
        """Leave nothing of an export that failed."""
        with suppress(PipelineError):
            if self.upload:
                self.plan.destination.store.abandon(self.upload)
        self._remove_mine()

    def segments(self) -> list[Segment]:
        """Ranges of the part's rows, one for each task."""
        assert self.upload
        part, options = self.planned.part, self.options
        count = segments_of(part, options)
        step = max(1, math.ceil(part.rows / count))
        settings = {**self.plan.encoding, **self.plan.snapshot.settings, **options.settings}
        layout = self._layout(step, count, int(settings.get(ROW_GROUP, 1)))
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
                    self.upload,
                    1 + number * (MOST_PARTS - 1) // count,
                    (MOST_PARTS - 1) // count,
                    *layout,
                    count == 1,
                    options.bandwidth / self.at_once,
                )
            )
        self.monitor.reading(self.record, [segment.statement.query_id for segment in segments])
        return segments

    def _layout(self, rows: int, segments: int, group: int) -> tuple[int, int]:
        """How large the parts of the upload are, and how much of the end of a segment is held back."""
        small = rows <= MOST_ROWS_OF_SMALL
        numbers = (MOST_PARTS - 1) // segments // (SPARK_ATTEMPTS * TRIES)
        needed = math.ceil(1.5 * self.planned.part.compressed / segments / numbers)
        size = max(SMALLEST_PART if small else PART, needed)
        chunks = math.ceil(rows / max(1, group)) * len(self.plan.columns)
        if chunks > CHUNKS_OF_SMALL_FOOTER:
            return size, HELD_BACK
        # What is left in the end must be enough for a part, where other segments follow.
        return size, SMALL_FOOTER + (SMALLEST_PART if segments > 1 else 0)

    def _finish(self, upload: Pending, pieces: Sequence[Piece]) -> tuple[Pending, list[Bytes]]:
        """Upload the end of the file: what was too small for a part, and the footer of all."""
        ordered = [piece for piece in pieces if piece.numbers]
        ordered += [piece for piece in pieces if not piece.numbers]
        numbers = [number for piece in ordered for number in piece.numbers]
        tags = [tag for piece in ordered for tag in piece.tags]
        end = ordered[-1].end  # which the task has uploaded where there was but one
        if not end:
            end = join([(piece.footer, piece.size) for piece in ordered])
            last = b"".join(piece.inline for piece in ordered) + end
            numbers.append(MOST_PARTS)
            for attempt in retrying():
                with attempt:
                    tags.append(self.plan.destination.store.upload_part(upload, MOST_PARTS, last))
        layout = [Bytes(piece.size, piece.sha256) for piece in ordered if piece.size]
        layout.append(Bytes(len(end), hashlib.sha256(end).hexdigest()))
        return replace(upload, numbers=tuple(numbers), tags=tuple(tags)), layout

    def _check_unchanged(self, now: State) -> None:
        """The part and all that decides about its rows are what they were when the export began."""
        part = self.planned.part
        there = now.parts.get(part.name)
        same = there is not None and (there.checksum, there.rows) == (part.checksum, part.rows)
        if not same or now.snapshot != self.plan.snapshot:
            raise SourceChanged(
                f"{part.name} of {self.plan.source} changed while it was exported, by a merge, a "
                "mutation or an ALTER. Nothing was written; export what is there now."
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
            source=self.plan.source.identity,
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
        expected = expected_rows(self.server, self.plan, [self.planned], self.options.fingerprint)
        counted, held = expected[self.planned.part.name]
        if footer is None or rows_in(footer) != counted:
            raise ExportRefused(
                "BAD_ARGUMENTS",
                f"s3://{self._bucket}/{self.planned.key} does not have the rows of the part: overwrite it.",
            )
        commit = self._commit([Bytes(size, sha256)], counted, held)
        self._write(replace(commit, export=export_id))

    def _merged(self, beside: Collection[str]) -> list[Commit]:
        """Exports of parts that this one was made of, or that were made of it."""
        table, part = self.plan.source, self.planned.part
        return [commit for commit in self._near(beside) if commit.covers_rows_of(table, part)]

    def _near(self, beside: Collection[str]) -> list[Commit]:
        """The commit files that may be about rows of this part. By their names most can be passed over
        unread: a partition may have thousands of parts."""
        store, table, part = self.plan.destination.store, self.plan.source, self.planned.part
        return list(
            read_commits(store, self._bucket, beside, lambda stem: may_concern(stem, table, part))
        )

    def _older(self, beside: Collection[str]) -> list[Commit]:
        """Exports of this very part under the name that schema 1 gave its file."""
        part, key, source = self.planned.part, self.planned.key, self.plan.source.identity
        return [
            commit
            for commit in self._near(beside)
            if (commit.part, commit.checksum, commit.source) == (part.name, part.checksum, source)
            and commit.key != key
        ]

    def _check_mine(self, commit: Commit | None) -> None:
        """Refuse to take or to replace the file of another table that has this part's file name."""
        if commit is not None and commit.source != self.plan.source.identity:
            raise Duplicated(
                f"s3://{self._bucket}/{commit.key} has rows of another table, {commit.owner}, and not of "
                f"{self.plan.source} ({self.plan.source.identity}). Nothing was changed: export to a "
                "place of its own."
            )

    def _refuse_unknown(self, beside: Collection[str]) -> None:
        """Refuse where a file may have these rows and does not say from which server they are; `adopt`
        writes into its commit file that they are from this one."""
        table, part = self.plan.source, self.planned.part
        unknown = [commit for commit in self._near(beside) if commit.may_cover_rows_of(table, part)]
        bare = f"{self._folder.prefix}{unnamed(part)}"
        if f"{bare}{EXTENSION}" in beside and commit_key(f"{bare}{EXTENSION}") not in beside:
            raise Duplicated(
                f"s3://{self._bucket}/{bare}{EXTENSION} is there, and no commit file beside it says what "
                "it is. Nothing was changed: remove the file, or export to another place."
            )
        if unknown and not self.options.adopt:
            raise Duplicated(
                f"s3://{self._bucket}/{unknown[0].key} was exported by an older version and does not say "
                f"from which server. It may have rows of {part.name} of {table}, or of another server's "
                "table of that name. Nothing was changed: if this place has files of this server only, "
                "repeat with --adopt; else export to another place."
            )
        for commit in unknown:
            self._write(replace(commit, source=table.identity))

    def _refuse_merged(self, beside: Collection[str]) -> None:
        if merged := self._merged(beside):
            raise Duplicated(
                f"Rows of {self.planned.part.name} were exported already, as part {merged[0].part}: to "
                "replace those files by this part, overwrite."
            )

    def _remove_merged(self) -> None:
        store = self.plan.destination.store
        beside = [name for name, _ in store.objects(self._folder)]
        self._refuse_unknown(beside)
        for commit in (*self._merged(beside), *self._older(beside)):
            store.remove(self._bucket, [commit.key, commit_key(commit.key)])

    def _account(self, pieces: Sequence[Piece], rows: int) -> None:
        self.record.fields |= {
            "rows_read": rows,
            "throttled_bytes": sum(piece.throttled for piece in pieces),
            "throttled_microseconds": int(sum(piece.slept for piece in pieces) * 1_000_000),
        }

    def sweep(self) -> None:
        """Abandon what killed exports of this part began to upload."""
        store = self.plan.destination.store
        for attempt in retrying():
            with attempt:
                for upload in store.uploads(Place(self._bucket, self.planned.key)):
                    with suppress(PipelineError):
                        store.abandon(upload)

    @property
    def _folder(self) -> Place:
        """Where the file lies, and what was exported of the same partition."""
        folder = self.planned.key.rpartition("/")[0]
        return Place(self._bucket, f"{folder}/" if folder else "")

    @property
    def _bucket(self) -> str:
        return self.plan.destination.place.bucket
