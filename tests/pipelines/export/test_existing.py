"""Exports that find a file where theirs is to be: whose it is decides what becomes of it."""

from __future__ import annotations

import io

import pytest

from helpers.cluster.embedded.node import EmbeddedNode
from helpers.faults.s3_proxy import RequestKind, Reset, S3FaultProxy, Status
from pipelines.clickhouse.server import Server
from pipelines.export.commit import Bytes, Commit, commit_key
from pipelines.export.part import PartExport
from pipelines.export.plan import Request
from pipelines.export.source import Identity, Part, ServerTable
from pipelines.s3.store import Place, Store
from tests.pipelines.export.without_spark import export, exporter, files, parts, source_sums, sums

SOMEBODY = b"a file of somebody else"


def key_of(server: Server, store: Store, path: str, part: str) -> str:
    (planned,) = exporter(server, store).plan(Request("t", path, part=part)).parts
    return planned.key


def test_a_file_that_nobody_committed_is_left_alone(
    server: Server, store: Store, table: str, path: str
) -> None:
    place, part = Place.parse(path), parts(server)[0]
    key = key_of(server, store, path, part)
    store.put(place.bucket, key, SOMEBODY)
    for policy in ("skip", "error"):
        (outcome,) = export(server, store, path, part, if_exists=policy)
        assert (outcome.status, outcome.code) == ("failed", 504)
        assert "no commit file next to it" in outcome.error
        assert store.objects(place) == [(key, len(SOMEBODY))]


def test_a_file_that_appears_during_the_export_is_left_alone(
    server: Server, store: Store, table: str, path: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    place, part = Place.parse(path), parts(server)[0]
    complete = PartExport._complete

    def another_first(self: PartExport) -> None:
        store.put(place.bucket, self.planned.key, SOMEBODY)
        complete(self)

    monkeypatch.setattr(PartExport, "_complete", another_first)
    (outcome,) = export(server, store, path, part)
    assert (outcome.status, outcome.code) == ("failed", 504)
    assert "appeared during the export" in outcome.error
    assert [size for _, size in store.objects(place)] == [len(SOMEBODY)]
    assert store.uploads(place) == []


def test_a_file_without_its_commit_is_committed_for_the_same_rows_only(
    node: EmbeddedNode, server: Server, store: Store, table: str, path: str
) -> None:
    place, (part, *_, other) = Place.parse(path), parts(server)
    (first,) = export(server, store, path, part)
    (second,) = export(server, store, path, other)
    headers = (store.metadata(place.bucket, first.key) or (0, {}))[1]
    metadata = {name: headers[f"x-amz-meta-{name}"] for name in ("export", "snapshot")}
    content = store.get(place.bucket, second.key) or b""
    store.remove(place.bucket, [commit_key(first.key)])
    node.query("ALTER TABLE t DELETE WHERE n = 0", settings={"mutations_sync": 0})
    (outcome,) = export(server, store, path, part)
    assert (outcome.status, outcome.code) == ("failed", 504), "a mutation came between"
    node.query("KILL MUTATION WHERE database = currentDatabase() AND table = 't'")
    assert first.rows != second.rows, "the fixture's parts have as many rows"
    store.client().put_object(
        place.bucket, first.key, io.BytesIO(content), len(content), metadata={**metadata}
    )
    (outcome,) = export(server, store, path, part)
    assert outcome.status == "failed" and "does not have the rows of the part" in outcome.error
    assert commit_key(first.key) not in files(store, path, "")


def test_a_completion_whose_answer_is_lost_twice(
    server: Server, store: Store, table: str, path: str
) -> None:
    """The store does not say what became of it either, so that it is tried again and refused."""
    part = parts(server)[0]
    with S3FaultProxy(store.endpoint) as proxy:
        behind = Store(proxy.url, store.access_key, store.secret_key)
        with (
            proxy.fault(RequestKind.COMPLETE_UPLOAD, Reset(after_reply=True), times=1),
            proxy.fault(RequestKind.HEAD, Status(), times=3) as asked,
        ):
            (outcome,) = export(server, behind, path, part)
        assert asked.hits == 3
    assert (outcome.status, outcome.error) == ("succeeded", "")
    assert sums(server, store, path) == source_sums(server, f"_part = '{part}'")


def test_an_overwrite_that_fails_leaves_a_file(
    server: Server, store: Store, table: str, path: str
) -> None:
    part = parts(server)[0]
    export(server, store, path, part)
    with S3FaultProxy(store.endpoint) as proxy:
        behind = Store(proxy.url, store.access_key, store.secret_key)
        with proxy.fault(RequestKind.PUT, Status(403, "AccessDenied"), times=None, key="_commit_"):
            (outcome,) = export(server, behind, path, part, if_exists="overwrite")
    assert outcome.status == "failed"
    assert sums(server, store, path) == source_sums(server, f"_part = '{part}'")


OURS = Identity("server", "table")


@pytest.mark.parametrize(
    ("source", "name", "checksum", "covers", "may_cover"),
    [
        (OURS, "1_1_1_0", "b", True, False),
        (OURS, "1_1_4_1", "a", False, False),
        (OURS, "1_1_4_1", "b", False, False),
        (Identity("server", "another table"), "1_1_1_0", "b", False, False),
        (Identity("another server", "table"), "1_1_1_0", "b", False, False),
        (None, "1_1_1_0", "b", False, True),
        (None, "1_1_4_1", "a", False, True),
        (None, "1_1_4_1", "b", False, False),
        (None, "1_5_5_0", "b", False, False),
    ],
)
def test_whose_rows_a_commit_file_has(
    source: Identity | None, name: str, checksum: str, covers: bool, may_cover: bool
) -> None:
    """The identity decides, not the table's name; without one nothing is known of a table of that name."""
    commit = Commit("", "d", "t", name, checksum, "", 0, 0, [Bytes(0, "")], None, "", source=source)
    part = Part("1_1_4_1", "1", 1, 4, 0, 0, 0, "a", "")
    table, renamed = (ServerTable("d", name, "MergeTree", "", "p", {}, OURS) for name in ("t", "u"))
    assert (commit.covers_rows_of(table, part), commit.covers_rows_of(renamed, part)) == (
        covers,
        covers,
    )
    assert commit.may_cover_rows_of(table, part) == may_cover
    assert not commit.may_cover_rows_of(renamed, part)
    assert Commit.decoded(commit.encoded(), "") == commit


def test_a_part_of_a_replicated_table_is_the_same_on_all_replicas() -> None:
    """Its checksum may differ, for example where replicas merge by different versions."""
    identity = Identity("", "/tables/t/1", replicated=True)
    part = Part("1_1_4_1", "1", 1, 4, 0, 0, 0, "a", "")
    table = ServerTable("d", "t", "ReplicatedMergeTree", "", "p", {}, identity)
    commits = [
        Commit("", "d", "t", name, checksum, "", 0, 0, [], None, "", source=identity)
        for name, checksum in (("1_1_4_1", "a"), ("1_1_4_1", "b"), ("1_1_1_0", "b"))
    ]
    assert [commit.covers_rows_of(table, part) for commit in commits] == [False, True, True]
