"""The commit file of an exported part: written last, it says which file belongs to it and what is in it."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Collection, Iterable, Iterator
from dataclasses import asdict, dataclass, field, replace
from typing import Any

from pipelines.compare.fingerprint import Fingerprint
from pipelines.errors import PipelineError
from pipelines.export.errors import Duplicated
from pipelines.export.source import Identity, Part, ServerTable
from pipelines.export.transfer.contents import read_hashes
from pipelines.export.transfer.parquet_join import footer_of, rows_in
from pipelines.export.transfer.retries import retried
from pipelines.s3.store import AlreadyThere, Pending, Place, Store

PREFIX = "_commit_"
EXTENSION = ".parquet"
# Metadata of an object: the export that wrote it.
EXPORT = "export"
META = "x-amz-meta-"
# Part, checksum and source; names of schema 1 have no source.
STEM = re.compile(r"(?P<part>.+)_(?P<checksum>[0-9a-f]{32})(?:_(?P<source>[0-9a-f]{16}))?")
# Partition, first and last block, level, and the version of a part that a mutation made.
PART_NAME = re.compile(r"([^_]+)_(\d+)_(\d+)_(\d+)(?:_(\d+))?")


# Fields that schema 3 has and older ones have not.
LATER = ("sample", "files", "pending", "replaces")


@dataclass(frozen=True)
class Bytes:
    """A stretch of a file and its hash."""

    size: int
    sha256: str


@dataclass(frozen=True)
class DataFile:
    """A file of an exported part, and what is in it."""

    key: str
    rows: int
    size: int
    pieces: list[Bytes]


@dataclass(frozen=True)
class Commit:
    """An exported part; `snapshot` tells what else decided about its rows.

    `source` is None in a commit file of schema 1: it names database and table, but not the server.
    `sample` has the hashes of some of its rows. A part in several files has them in `files`; then `key` is
    what their names begin with. `pending` are uploads that are decided on and not completed yet, and
    `replaces` the keys that are removed before that.
    """

    export: str
    database: str
    table: str
    part: str
    checksum: str
    key: str
    rows: int
    size: int
    pieces: list[Bytes]
    fingerprint: Fingerprint | None
    snapshot: str
    columns: dict[str, str] = field(default_factory=dict)
    source: Identity | None = None
    sample: list[int] = field(default_factory=list)
    files: list[DataFile] = field(default_factory=list)
    pending: list[Pending] = field(default_factory=list)
    replaces: list[str] = field(default_factory=list)
    # Where its commit file was read; not part of its content.
    file: str = ""

    @property
    def data_files(self) -> list[DataFile]:
        """All of its files."""
        return self.files or [DataFile(self.key, self.rows, self.size, self.pieces)]

    @property
    def keys(self) -> list[str]:
        return [file.key for file in self.data_files]

    @property
    def shown(self) -> str:
        """Its file, or all of them as ClickHouse's own readers take them."""
        base = self.key.removesuffix(EXTENSION)
        return f"{base}.{{1..{len(self.files)}}}{EXTENSION}" if self.files else self.key

    def is_there(self, beside: Collection[str]) -> bool:
        """Whether all of its files are among these keys."""
        return all(key in beside for key in self.keys)

    @property
    def owner(self) -> str:
        """The source in words."""
        return f"{self.database}.{self.table} ({self.source or 'server not recorded'})"

    def encoded(self) -> bytes:
        fields = asdict(self)
        del fields["file"]
        if self.source is None:
            for name in ("source", *LATER):
                del fields[name]
        return json.dumps({"schema": 3 if self.source else 1, **fields}, indent=1).encode()

    @classmethod
    def decoded(cls, content: bytes, name: str) -> Commit:
        try:
            read = json.loads(content)
            schema = read.pop("schema")
            later = [name for name in LATER if name in read]
            if schema not in (1, 2, 3) or ("source" in read) != (schema > 1) or "file" in read:
                raise ValueError
            if later and schema < 3:
                raise ValueError
            if schema > 1:
                read["source"] = Identity(**read["source"])
            read["pieces"] = [Bytes(**piece) for piece in read["pieces"]]
            read["files"] = [_data_file(file) for file in read.get("files", ())]
            read["pending"] = [_pending(upload) for upload in read.get("pending", ())]
            if read["fingerprint"] is not None:
                read["fingerprint"] = Fingerprint(**read["fingerprint"])
            return cls(**read)
        except (ValueError, KeyError, TypeError):
            raise PipelineError(
                f"{name} should be the commit file of an export, and is not."
            ) from None

    def covers_rows_of(self, table: ServerTable, part: Part) -> bool:
        """Whether it has rows of this part under another name, by a merge or a mutation.

        A part of a replicated table has the same rows on all replicas, but not always the same checksum.
        """
        if self.source != table.identity:
            return False
        twin = self.part == part.name and self.checksum != part.checksum
        return overlaps(self.part, part) or (table.identity.replicated and twin)

    def may_cover_rows_of(self, table: ServerTable, part: Part) -> bool:
        """Whether it has rows of this part if it is of this table, which its commit file does not say."""
        if self.source is not None or (self.database, self.table) != (table.database, table.name):
            return False
        same = self.checksum == part.checksum or table.identity.replicated
        return overlaps(self.part, part) or (self.part == part.name and same)


def _data_file(read: dict[str, Any]) -> DataFile:
    return DataFile(**{**read, "pieces": [Bytes(**piece) for piece in read["pieces"]]})


def _pending(read: dict[str, Any]) -> Pending:
    return Pending(**{**read, "tags": tuple(read["tags"]), "numbers": tuple(read["numbers"])})


def overlaps(name: str, part: Part) -> bool:
    """Whether a part of that name, if it is one of the same table, has rows of this one."""
    blocks = PART_NAME.fullmatch(name)
    if blocks is None or name == part.name or blocks[1] != part.partition_id:
        return False
    return int(blocks[2]) <= part.max_block and part.min_block <= int(blocks[3])


def blocks_of(part: Part) -> tuple[int, int, int]:
    """Sorts parts with the same rows: the one that was merged or mutated last is the greatest."""
    name = PART_NAME.fullmatch(part.name)
    level, version = (int(name[4]), int(name[5] or 0)) if name else (0, 0)
    return part.max_block - part.min_block, level, version


def stem_of(part: Part, source: Identity) -> str:
    """The name of this part of this table: two servers may have equal parts."""
    return f"{unnamed(part)}_{source.digest}"


def unnamed(part: Part) -> str:
    """What exports of schema 1 named a file of this part after."""
    return f"{part.name}_{part.checksum}"


def commit_key(key: str, stem: str = "") -> str:
    """The key of the commit file of a file, which lies beside it and is named after the part."""
    folder, slash, name = key.rpartition("/")
    return f"{folder}{slash}{PREFIX}{stem or name.removesuffix(EXTENSION)}"


def write_commit(store: Store, bucket: str, commit: Commit) -> None:
    """Write a commit file; a file without one is complete, and the next export adds it."""
    retried(lambda: store.put(bucket, commit.file, commit.encoded()))


def commits_below(store: Store, place: Place) -> Iterator[Commit]:
    """The commit files below a place."""
    return read_commits(store, place.bucket, [key for key, _ in store.objects(place)])


def read_commits(
    store: Store,
    bucket: str,
    keys: Iterable[str],
    wanted: Callable[[str], bool] = lambda stem: True,
) -> Iterator[Commit]:
    """Those of these objects that are commit files, of files with wanted names."""
    for key in keys:
        name = key.rpartition("/")[2]
        if name.startswith(PREFIX) and wanted(name.removeprefix(PREFIX)):
            content = store.get(bucket, key)
            if content is not None:  # else it was removed meanwhile
                yield replace(Commit.decoded(content, f"s3://{bucket}/{key}"), file=key)


def may_concern(stem: str, table: ServerTable, part: Part) -> bool:
    """Whether the commit file of that name has to be read, to see if it has rows of this part."""
    name = STEM.fullmatch(stem)
    if name is None or name["source"] not in (None, table.identity.digest):
        return False
    same = name["checksum"] == part.checksum and name["source"]
    return overlaps(name["part"], part) or (name["part"] == part.name and not same)


def violations(store: Store, bucket: str, commit: Commit) -> list[str]:
    """In what the files differ from what their commit file says: hashes, size and rows."""
    if commit.pending:
        return [
            f"{commit.file} names files that are not completed: repeat the export of {commit.part}"
        ]
    found = [text for file in commit.data_files for text in _differences(store, bucket, file)]
    if (rows := sum(file.rows for file in commit.data_files)) != commit.rows:
        found.append(f"{commit.file} names files of {rows} rows, {commit.rows} were committed")
    return found


def _differences(store: Store, bucket: str, file: DataFile) -> list[str]:
    try:
        sizes = [piece.size for piece in file.pieces]
        hashes, size, end = read_hashes(store, bucket, file.key, sizes)
    except PipelineError as error:
        return [str(error)]
    found = []
    if size != file.size:
        found.append(f"{file.key} has {size} bytes, {file.size} were committed")
    if hashes != [piece.sha256 for piece in file.pieces]:
        found.append(f"{file.key} has other bytes than were committed")
    footer = footer_of(end)
    rows = rows_in(footer) if footer else None
    if rows != file.rows:
        found.append(f"{file.key} has {rows} rows, {file.rows} were committed")
    return found


def finish_pending(store: Store, bucket: str, commit: Commit) -> Commit:
    """Complete the files of a commit that was written and whose process was killed before their end.

    Nothing is read from the source again. A commit without such files stays as it is.
    """
    if not commit.pending:
        return commit
    left = [pending for pending in commit.pending if not _is_completed(store, commit, pending)]
    if left:
        store.remove(bucket, [key for key in commit.replaces if key not in commit.keys])
    for pending in left:
        complete(store, commit, pending)
    done = replace(commit, pending=[], replaces=[])
    write_commit(store, bucket, done)
    return done


def complete(store: Store, commit: Commit, pending: Pending) -> None:
    """Let a file appear. Where the answer is lost, the store is asked what happened."""

    def once() -> None:
        try:
            store.complete(pending, replace=pending.key in commit.replaces)
        except AlreadyThere:
            if not _is_completed(store, commit, pending):
                raise Duplicated(
                    f"s3://{pending.bucket}/{pending.key} appeared during the export."
                ) from None
        except PipelineError as error:
            if not _is_completed(store, commit, pending):
                raise error

    retried(once)


def _is_completed(store: Store, commit: Commit, pending: Pending) -> bool:
    found = store.metadata(pending.bucket, pending.key)
    return found is not None and found[1].get(META + EXPORT) == commit.export
