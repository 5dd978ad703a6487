"""Patterns in hive-partitioned paths: what they match, and the keys that the server asked the store for.

The store's own word is not enough about names with special characters: it takes a backslash for a slash.
A proxy before it records the names as they were sent, and another store keeps every name as it is.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass

from helpers.cluster.client.failures import QueryFailed
from helpers.faults.exact_store import ExactStore
from helpers.faults.s3_proxy import RequestKind, S3FaultProxy
from steps.hive_partitioning.objects import Lake, new_lake
from steps.hive_partitioning.queries import from_s3

VISITS = {  # 14 variants
    "date=2022-01-01/region=EU/a.tsv": 1,
    "date=2022-01-02/region=US/b.tsv": 2,
    "date=2022-01-10/region=EU/c.tsv": 3,
    "day=1/a.tsv": 4,
    "day=2/a.tsv": 5,
    "day=3/a.tsv": 6,
    "day=10/a.tsv": 7,
    "day=01/a.tsv": 8,
    "day=/a.tsv": 9,
    "day=ü/a.tsv": 10,
    "day=-1/a.tsv": 11,
    "day=0/a.tsv": 12,
    "flat.tsv": 13,
    "day=1/b.tsv": 14,
}


@dataclass(frozen=True)
class Match:
    """What a pattern led to: the paths of the rows, or the code of the refusal; and the names asked for."""

    paths: list[str]
    code: int | None
    asked: list[str]

    def __str__(self) -> str:
        outcome = f"refused with code {self.code}" if self.code else _listed(self.paths)
        # Where files were read their names were asked for; it is of interest where none was.
        return outcome if self.paths else f"{outcome}, asked for {_listed(self.asked)}"


@contextmanager
def wild_lake(objects: Mapping[str, int] = VISITS) -> Iterator[tuple[Lake, S3FaultProxy]]:
    """A lake with these objects, and a proxy before it."""
    lake = new_lake(objects={path: f"{number}\n" for path, number in objects.items()})
    with S3FaultProxy(lake.store.url) as proxy:
        yield lake, proxy


@contextmanager
def exact_lake(objects: Mapping[str, int]) -> Iterator[tuple[Lake, ExactStore]]:
    """The same in a store that keeps names as they are; nothing is in the lake's own."""
    lake = new_lake()
    with ExactStore(near=lake.store.url) as exact:
        for path, number in objects.items():
            exact.objects[f"{lake.bucket}/{lake.filename(path)}"] = b"%d\n" % number
        yield lake, exact


def match(
    lake: Lake, proxy: S3FaultProxy | ExactStore, pattern: str, objects: Mapping[str, int]
) -> Match:
    """Read what a pattern matches."""
    before = len(proxy.requests)
    numbers = {number: path for path, number in objects.items()}
    source = from_s3(lake, pattern, url=lake.url(pattern, proxy.url))
    code, paths = None, []
    try:
        for number, path in lake.node.query(
            f"SELECT id, _path FROM {source} SETTINGS max_threads = 1"
        ):
            shown = path.removeprefix(f"{lake.bucket}/{lake.folder}/")
            # The row and the path beside it have to be of one object.
            paths.append(shown if shown == numbers[number] else f"{shown} with row {number}")
    except QueryFailed as refused:
        code = refused.code
    asked = {
        request.key.removeprefix(f"{lake.bucket}/{lake.folder}/")
        for request in proxy.requests[before:]
        if request.kind in (RequestKind.GET, RequestKind.HEAD)
    }
    return Match(sorted(paths), code, sorted(asked))


def mismatches(
    lake: Lake,
    proxy: S3FaultProxy | ExactStore,
    patterns: Mapping[str, tuple[str, ...]],
    objects: Mapping[str, int] = VISITS,
) -> dict[str, str]:
    """The patterns that match something else than they should, with what that is."""
    found = {pattern: match(lake, proxy, pattern, objects) for pattern in patterns}
    return {
        pattern: str(matched)
        for pattern, matched in found.items()
        if not matched.paths == matched.asked == sorted(patterns[pattern])
    }


def not_refused(
    lake: Lake, proxy: S3FaultProxy, patterns: tuple[str, ...], objects: Mapping[str, int] = VISITS
) -> dict[str, str]:
    """The patterns that have to be refused and are not, with what they match."""
    found = {pattern: match(lake, proxy, pattern, objects) for pattern in patterns}
    return {pattern: str(matched) for pattern, matched in found.items() if matched.code is None}


def _listed(names: list[str]) -> str:
    return ", ".join(names) or "nothing"
