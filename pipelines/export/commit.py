"""The commit file of an exported part: written last, it says which file belongs to it and what is in it."""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import closing
from dataclasses import asdict, dataclass, field, replace

from pipelines.compare.fingerprint import Fingerprint
from pipelines.errors import PipelineError
from pipelines.export.source import Identity, Part, ServerTable
from pipelines.export.transfer.parquet_join import footer_of, rows_in
from pipelines.export.transfer.retries import retried
from pipelines.s3.store import CHUNK, Place, Store

PREFIX = "_commit_"
EXTENSION = ".parquet"
# Enough of the end of a file to have its footer in it.
KEPT = 16 * 1024 * 1024
# Part, checksum and source; names of schema 1 have no source.
STEM = re.compile(r"(?P<part>.+)_(?P<checksum>[0-9a-f]{32})(?:_(?P<source>[0-9a-f]{16}))?")
# Partition, first and last block, level, and the version of a part that a mutation made.
PART_NAME = re.compile(r"([^_]+)_(\d+)_(\d+)_(\d+)(?:_(\d+))?")


@dataclass(frozen=True)
class Bytes:
    """A stretch of a file and its hash."""

    size: int
    sha256: str


@dataclass(frozen=True)
class Commit:
    """An exported part; `snapshot` tells what else decided about its rows.

    `source` is None in a commit file of schema 1: it names database and table, but not the server.
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
    # Where its commit file was read; not part of its content.
    file: str = ""

    @property
    def owner(self) -> str:
        """The source in words."""
        return f"{self.database}.{self.table} ({self.source or 'server not recorded'})"

    def encoded(self) -> bytes:
        fields = asdict(self)
        del fields["file"]
        if self.source is None:
            del fields["source"]
        return json.dumps({"schema": 2 if self.source else 1, **fields}, indent=1).encode()

    @classmethod
    def decoded(cls, content: bytes, name: str) -> Commit:
        try:
            read = json.loads(content)
            schema = read.pop("schema")
            if schema not in (1, 2) or ("source" in read) != (schema == 2) or "file" in read:
                raise ValueError
            if schema == 2:
                read["source"] = Identity(**read["source"])
            read["pieces"] = [Bytes(**piece) for piece in read["pieces"]]
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
    """In what a file differs from what its commit file says: hashes, size and rows."""
    try:
        sizes = [piece.size for piece in commit.pieces]
        hashes, size, end = read_hashes(store, bucket, commit.key, sizes)
    except PipelineError as error:
        return [str(error)]
    found = []
    if size != commit.size:
        found.append(f"{commit.key} has {size} bytes, {commit.size} were committed")
    if hashes != [piece.sha256 for piece in commit.pieces]:
        found.append(f"{commit.key} has other bytes than were committed")
    footer = footer_of(end)
    rows = rows_in(footer) if footer else None
    if rows != commit.rows:
        found.append(f"{commit.key} has {rows} rows, {commit.rows} were committed")
    return found


def read_hashes(
    store: Store, bucket: str, key: str, sizes: Sequence[int]
) -> tuple[list[str], int, bytes]:
    """The hashes of stretches of an object, its size and its last bytes."""
    digests = [hashlib.sha256() for _ in sizes]
    left, at, size, end = list(sizes), 0, 0, bytearray()
    with store.errors(f"Reading s3://{bucket}/{key}"):
        response = store.client().get_object(bucket, key)
        with closing(response):
            for chunk in response.stream(CHUNK):
                size += len(chunk)
                end += chunk
                if len(end) > 2 * KEPT:
                    del end[:-KEPT]
                while chunk and at < len(left):
                    taken = chunk[: left[at]]
                    digests[at].update(taken)
                    left[at] -= len(taken)
                    chunk = chunk[len(taken) :]
                    at += left[at] == 0
    return [digest.hexdigest() for digest in digests], size, bytes(end)
