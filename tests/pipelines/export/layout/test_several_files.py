"""A part as several files: one commit file names them all, and decides before the first one appears."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import pytest

from helpers.cluster.embedded.node import EmbeddedNode
from helpers.faults.s3_proxy import RequestKind, S3FaultProxy, Status
from pipelines.clickhouse.server import Server
from pipelines.export import commit as export_commit
from pipelines.export.destination import place_destination
from pipelines.export.errors import ExportRefused
from pipelines.export.monitoring.log import ExportLog
from pipelines.export.verify import verify
from pipelines.s3.store import Pending, Place, Store
from tests.pipelines.export.without_spark import export, exporter, files, parts, source_sums, sums

ROWS = 1000
SEVERAL: dict[str, Any] = {"rows_per_file": 300}


class Killed(BaseException):
    """Stands for the end of the process: nothing catches it."""


@pytest.fixture
def part(node: EmbeddedNode) -> str:
    """The only part of the table t."""
    node.query("CREATE TABLE t (p UInt8, n UInt64) ENGINE = MergeTree PARTITION BY p ORDER BY n")
    node.query(f"INSERT INTO t SELECT 1, number FROM numbers({ROWS})")
    return "1_1_1_0"


def said(store: Store, path: str) -> dict[str, Any]:
    """What the only commit file says."""
    place = Place.parse(path)
    (key,) = (key for key, _ in store.objects(place) if "/_commit_" in key)
    return dict(json.loads(store.get(place.bucket, key) or b""))


def is_sound(store: Store, path: str) -> bool:
    """Whether files and commit files agree, and nothing else is there."""
    place = Place.parse(path)
    wrong = [item for item in verify(place_destination(store, path)) if item.violations]
    locks = [key for key, _ in store.objects(place) if "_exporting_" in key]
    return not (wrong or locks or store.uploads(place))


@pytest.mark.parametrize(
    ("options", "rows"),
    [
        ({"rows_per_file": 300}, [300, 300, 300, 100]),
        ({"rows_per_file": 300, "rows_per_task": 100}, [300, 300, 300, 100]),
        ({"rows_per_file": 1}, None),
        ({"rows_per_file": 1000}, [1000]),
        ({"rows_per_file": 999}, [999, 1]),
    ],
)
def test_no_file_has_more_rows(
    server: Server, store: Store, path: str, part: str, options: dict[str, int], rows: list[int]
) -> None:
    (outcome,) = export(server, store, path, part, **options)
    assert (outcome.status, outcome.rows) == ("succeeded", ROWS), outcome.error
    commit = said(store, path)
    assert commit["rows"] == ROWS and commit["pending"] == [] == commit["replaces"]
    found = [file["rows"] for file in commit["files"]] or [ROWS]
    assert found == (rows or [1] * ROWS)
    names = [key.rpartition("/")[2] for key in files(store, path)]
    base = outcome.key.rpartition("/")[2].partition(".")[0]
    several = [f"{base}.{number}.parquet" for number in range(1, len(found) + 1)]
    assert sorted(names) == sorted(several if len(found) > 1 else [f"{base}.parquet"])
    assert sums(server, store, path) == source_sums(server) and is_sound(store, path)


def test_no_file_has_more_bytes(
    node: EmbeddedNode, server: Server, store: Store, path: str, part: str
) -> None:
    """Also where the rows of one end are much larger than those of the other, and a guess is wrong."""
    node.query("ALTER TABLE t ADD COLUMN s String")
    node.query(
        "ALTER TABLE t UPDATE s = if(n < 900, '', randomPrintableASCII(5000)) WHERE 1",
        settings={"mutations_sync": 2},
    )
    (outcome,) = export(server, store, path, bytes_per_file=100_000)
    assert outcome.status == "succeeded", outcome.error
    sizes = dict(store.objects(Place.parse(path)))
    largest = max(sizes[key] for key in files(store, path))
    assert 50_000 < largest <= 100_000 and len(files(store, path)) >= 5
    assert sums(server, store, path) == source_sums(server) and is_sound(store, path)
    (refused,) = export(server, store, f"{path}b", bytes_per_file=3000)
    assert refused.code == 36 and "and 3000 are allowed" in refused.error
    assert store.objects(Place.parse(f"{path}b")) == [] == store.uploads(Place.parse(f"{path}b"))


def test_too_many_files_are_refused(
    server: Server, store: Store, path: str, node: EmbeddedNode
) -> None:
    node.query("CREATE TABLE t (n UInt64) ENGINE = MergeTree ORDER BY n")
    node.query("INSERT INTO t SELECT number FROM numbers(1001)")
    with pytest.raises(ExportRefused, match="more than 1000 files"):
        export(server, store, path, rows_per_file=1)
    with pytest.raises(ExportRefused, match="at least one row"):
        export(server, store, path, rows_per_file=-1)


def test_an_export_that_is_repeated(
    server: Server, store: Store, path: str, part: str, node: EmbeddedNode
) -> None:
    """In one file or in several: the part is there once, and an overwrite replaces all of its files."""
    log = ExportLog(server, f"{node.database}_log")
    try:
        export(server, store, path, part, log=log, **SEVERAL)
        assert log.history(1)[0]["destination_file_path"].endswith(".{1..4}.parquet")
    finally:
        node.query(f"DROP DATABASE IF EXISTS {log.database} SYNC")
    before = store.objects(Place.parse(path))
    for options in ({}, SEVERAL, {"rows_per_file": 10}, {"since_last": True}):
        assert export(server, store, path, part, **options)[0].status == "skipped"
    assert export(server, store, path, part, if_exists="error")[0].code == 504
    assert store.objects(Place.parse(path)) == before
    for most, count in ((400, 3), (300, 4), (0, 1), (100, 10), (100, 10), (0, 1), (0, 1)):
        (outcome,) = export(server, store, path, part, if_exists="overwrite", rows_per_file=most)
        assert outcome.status == "succeeded", outcome.error
        assert len(files(store, path)) == count and is_sound(store, path)
        assert sums(server, store, path) == source_sums(server)


def test_a_merged_part_replaces_all_files(
    node: EmbeddedNode, server: Server, store: Store, path: str, part: str
) -> None:
    export(server, store, path, **SEVERAL)
    node.query("INSERT INTO t SELECT 1, 5000 + number FROM numbers(10)")
    export(server, store, path)
    node.query("OPTIMIZE TABLE t FINAL")
    assert export(server, store, path, since_last=True)[0].status == "skipped"
    assert export(server, store, path, **SEVERAL)[0].code == 504
    (outcome,) = export(server, store, path, if_exists="overwrite", **SEVERAL)
    assert outcome.status == "succeeded", outcome.error
    assert len(files(store, path)) == 4 and is_sound(store, path)
    assert sums(server, store, path) == source_sums(server)


def killed_at(number: int, after: bool) -> Callable[..., None]:
    """A completion that kills the process at the n-th file."""
    complete, count = Store.complete, [0]

    def wrapped(self: Store, pending: Pending, *, replace: bool = False) -> None:
        count[0] += 1
        if count[0] == number and not after:
            raise Killed
        complete(self, pending, replace=replace)
        if count[0] == number:
            raise Killed

    return wrapped


@pytest.mark.parametrize("earlier", [None, 0, 250])
@pytest.mark.parametrize(("number", "after"), [(1, False), (1, True), (3, False), (4, True)])
def test_what_a_killed_driver_decided_is_completed_without_the_source(
    server: Server,
    store: Store,
    path: str,
    part: str,
    monkeypatch: pytest.MonkeyPatch,
    earlier: int | None,
    number: int,
    after: bool,
) -> None:
    """Killed at a completion, also of an overwrite: the next export, of any policy, completes the rest and
    removes what it replaces, and reads nothing for it."""
    policy = "skip"
    if earlier is not None:
        export(server, store, path, part, rows_per_file=earlier)
        policy = "overwrite"
    expected = source_sums(server)
    with monkeypatch.context() as patched:
        patched.setattr(Store, "complete", killed_at(number, after))
        patched.setattr(export_commit, "retried", lambda run: run())
        # The end of a process clears nothing away; its lock is given up later.
        patched.setattr(
            "pipelines.export.part.PartExport.fail", lambda self, error: self._lock.__exit__()
        )
        with pytest.raises(Killed):
            export(server, store, path, part, if_exists=policy, **SEVERAL)
    commit = said(store, path)
    assert len(commit["pending"]) == 4
    (found, *_) = verify(place_destination(store, path))
    assert "not completed" in found.violations[0]
    (outcome,) = export(server, store, path, part)
    assert outcome.status == "skipped", outcome.error
    assert sums(server, store, path) == expected and len(files(store, path)) == 4
    assert is_sound(store, path)


def test_nothing_is_visible_before_the_commit_file(
    server: Server, store: Store, path: str, part: str
) -> None:
    """A commit file that the store refuses leaves nothing."""
    with S3FaultProxy(store.endpoint) as proxy:
        behind = Store(proxy.url, store.access_key, store.secret_key)
        with proxy.fault(RequestKind.PUT, Status(403, "AccessDenied"), times=None, key="_commit_"):
            (outcome,) = export(server, behind, path, part, **SEVERAL)
    assert outcome.status == "failed"
    assert store.objects(Place.parse(path)) == [] == store.uploads(Place.parse(path))


def test_a_completion_that_is_refused_is_made_up_for(
    server: Server, store: Store, path: str, part: str
) -> None:
    with S3FaultProxy(store.endpoint) as proxy:
        behind = Store(proxy.url, store.access_key, store.secret_key)
        with proxy.fault(RequestKind.COMPLETE_UPLOAD, Status(403, "AccessDenied"), times=None):
            (outcome,) = export(server, behind, path, part, **SEVERAL)
            assert outcome.status == "failed" and files(store, path) == []
    (outcome,) = export(server, store, path, part)
    assert outcome.status == "skipped" and is_sound(store, path)
    assert sums(server, store, path) == source_sums(server)


def test_uploads_that_the_store_has_forgotten(
    server: Server, store: Store, path: str, part: str
) -> None:
    """What was decided cannot be completed any more: an overwrite helps, and only that."""
    with S3FaultProxy(store.endpoint) as proxy:
        behind = Store(proxy.url, store.access_key, store.secret_key)
        with proxy.fault(RequestKind.COMPLETE_UPLOAD, Status(403, "AccessDenied"), times=None):
            export(server, behind, path, part, **SEVERAL)
    for upload in store.uploads(Place.parse(path)):
        store.abandon(upload)
    (outcome,) = export(server, store, path, part)
    assert outcome.code == 504 and "overwrite them" in outcome.error
    (outcome,) = export(server, store, path, part, if_exists="overwrite", **SEVERAL)
    assert outcome.status == "succeeded" and is_sound(store, path)
    assert sums(server, store, path) == source_sums(server)


def test_a_numbered_file_of_somebody_else(
    server: Server, store: Store, path: str, part: str
) -> None:
    (planned,) = exporter(server, store).plan(_request(path, part)).parts
    place, key = Place.parse(path), planned.key.replace(".parquet", ".2.parquet")
    store.put(place.bucket, key, b"somebody's")
    for policy in ("skip", "overwrite"):
        (outcome,) = export(server, store, path, part, if_exists=policy, **SEVERAL)
        assert outcome.code == 504 and "no commit file" in outcome.error
    assert store.objects(place) == [(key, 10)]


def test_a_file_that_was_removed(server: Server, store: Store, path: str, part: str) -> None:
    export(server, store, path, part, **SEVERAL)
    store.remove(Place.parse(path).bucket, files(store, path)[:1])
    (outcome,) = export(server, store, path, part)
    assert outcome.code == 504 and "not there any more" in outcome.error
    (outcome,) = export(server, store, path, part, if_exists="overwrite", **SEVERAL)
    assert outcome.status == "succeeded" and is_sound(store, path)


def test_parts_of_a_batch_with_one_and_with_several_files(
    node: EmbeddedNode, server: Server, store: Store, path: str
) -> None:
    node.query("CREATE TABLE t (p UInt8, n UInt64) ENGINE = MergeTree PARTITION BY p ORDER BY n")
    node.query("INSERT INTO t SELECT number % 3, number FROM numbers(99)")
    node.query("INSERT INTO t SELECT 9, number FROM numbers(50)")
    assert len(parts(server)) == 4
    outcomes = export(server, store, path, rows_per_file=40, rows_per_task=25)
    assert {outcome.error for outcome in outcomes} == {""}
    assert len(files(store, path)) == 5 and is_sound(store, path)
    assert sums(server, store, path) == source_sums(server)


def _request(path: str, part: str) -> Any:
    from pipelines.export.plan import Request

    return Request("t", path, part=part)
