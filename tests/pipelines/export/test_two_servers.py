"""Two servers with tables of the same name export to one place: each keeps its own files."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

import pytest

from helpers.cluster.embedded.cluster import EmbeddedCluster
from helpers.cluster.embedded.node import EmbeddedNode
from pipelines.clickhouse.server import Server
from pipelines.export.commit import LATER, Commit, commit_key
from pipelines.export.destination import place_destination
from pipelines.export.monitoring.log import COLUMNS, ExportLog
from pipelines.export.plan import Request
from pipelines.export.source import Identity, find_table
from pipelines.export.verify import verify
from pipelines.s3.store import Place, Store
from tests.pipelines.export.without_spark import export, exporter, files, parts, source_sums, sums

POLICIES = ("skip", "overwrite")
Pair = tuple[EmbeddedNode, EmbeddedNode]
TABLE = "CREATE TABLE t (p UInt8, n UInt64) ENGINE = MergeTree PARTITION BY p ORDER BY n"


@pytest.fixture
def pair(cluster: EmbeddedCluster, node: EmbeddedNode) -> Iterator[Pair]:
    """Two servers, each with an empty table of the same database and name."""
    second = cluster.node("second")
    second.query(f"CREATE DATABASE {node.database} ENGINE = Atomic")
    second.database = node.database
    for each in (node, second):
        each.query(TABLE)
        each.query("SYSTEM STOP MERGES t")
    try:
        yield node, second
    finally:
        second.database = ""
        second.query(f"DROP DATABASE {node.database} SYNC")


def asked(node: EmbeddedNode) -> Server:
    where = node.endpoint
    return Server(where.http_url, where.user, where.password, node.database)


def insert(node: EmbeddedNode, *numbers: int) -> None:
    """One part for each of these."""
    for number in numbers:
        node.query(f"INSERT INTO t SELECT 1, {number} + number FROM numbers(5)")


def rows(server: Server, store: Store, path: str) -> list[int]:
    """What a reader sees in the files."""
    place = Place.parse(path)
    url = f"{store.endpoint}/{place.bucket}/{place.prefix}**.parquet"
    keys = f"'{store.access_key}', '{store.secret_key}'"
    found = server.rows(
        f"SELECT toUInt32(n) FROM s3('{url}', {keys}, 'Parquet', 'n UInt64') ORDER BY n"
    )
    return [int(number) for (number,) in found]


def twice(store: Store, path: str, pair: Pair, **options: Any) -> tuple[Server, Server]:
    """Export everything from the one server and then from the other one."""
    first, second = map(asked, pair)
    for server in (first, second):
        outcomes = export(server, store, path, **options)
        assert {outcome.status for outcome in outcomes} == {"succeeded"}, outcomes
    assert [
        item.violations for item in verify(place_destination(store, path)) if item.violations
    ] == []
    return first, second


@pytest.mark.parametrize("policy", POLICIES)
def test_different_rows_in_parts_of_the_same_name(
    pair: Pair, store: Store, path: str, policy: str
) -> None:
    for node, number in zip(pair, (0, 100), strict=True):
        insert(node, number)
    first, second = map(asked, pair)
    assert parts(first) == parts(second) == ["1_1_1_0"]
    twice(store, path, pair, if_exists=policy)
    assert rows(first, store, path) == [*range(5), *range(100, 105)]


@pytest.mark.parametrize("policy", POLICIES)
@pytest.mark.parametrize("merged", [0, 1])
def test_a_part_whose_blocks_cover_those_of_the_other_server(
    pair: Pair, store: Store, path: str, policy: str, merged: int
) -> None:
    """Both ways: the merged part comes first, or last."""
    insert(pair[merged], 0, 5)
    pair[merged].query("SYSTEM START MERGES t")
    pair[merged].query("OPTIMIZE TABLE t FINAL")
    insert(pair[1 - merged], 100, 105)
    assert parts(asked(pair[merged])) == ["1_1_2_1"]
    assert parts(asked(pair[1 - merged])) == ["1_1_1_0", "1_2_2_0"]
    first, _ = twice(store, path, pair, if_exists=policy)
    assert rows(first, store, path) == [*range(10), *range(100, 110)]


@pytest.mark.parametrize("policy", POLICIES)
def test_equal_rows_are_there_once_for_each_server(
    pair: Pair, store: Store, path: str, policy: str
) -> None:
    for node in pair:
        insert(node, 0)
    first, second = twice(store, path, pair, if_exists=policy)
    assert len(files(store, path)) == 2
    assert rows(first, store, path) == sorted([*range(5)] * 2)
    before = {key: store.metadata(Place.parse(path).bucket, key) for key in files(store, path)}
    for server in (first, second):
        assert [outcome.status for outcome in export(server, store, path)] == ["skipped"]
    after = {key: store.metadata(Place.parse(path).bucket, key) for key in files(store, path)}
    assert {key: found and found[1]["etag"] for key, found in before.items()} == {
        key: found and found[1]["etag"] for key, found in after.items()
    }


def test_a_merged_part_replaces_the_files_of_its_own_server_only(
    pair: Pair, store: Store, path: str
) -> None:
    for node, number in zip(pair, (0, 100), strict=True):
        insert(node, number, number + 5)
    first, _ = twice(store, path, pair)
    pair[0].query("SYSTEM START MERGES t")
    pair[0].query("OPTIMIZE TABLE t FINAL")
    (refused,) = export(first, store, path)
    assert refused.code == 504 and "were exported already" in refused.error
    assert len(files(store, path)) == 4
    (replaced,) = export(first, store, path, if_exists="overwrite")
    assert replaced.status == "succeeded", replaced.error
    assert len(files(store, path)) == 3
    assert rows(first, store, path) == [*range(10), *range(100, 110)]


def test_a_file_whose_commit_names_another_table_is_left_alone(
    server: Server, store: Store, table: str, path: str
) -> None:
    """Also where it has the very name that the export would give its own."""
    part, place = parts(server)[0], Place.parse(path)
    (first,) = export(server, store, path, part)
    commit = read(store, path, first.key)
    commit["source"]["server"] = "another"
    store.put(place.bucket, commit_key(first.key), json.dumps(commit).encode())
    for policy in ("skip", "error", "overwrite"):
        (outcome,) = export(server, store, path, part, if_exists=policy)
        assert outcome.code == 504 and "rows of another table" in outcome.error
    assert sums(server, store, path) == source_sums(server, f"_part = '{part}'")


def test_the_identity_of_a_table(node: EmbeddedNode, server: Server, table: str) -> None:
    """An embedded server has no UUID: what stays are the table's, and for want of it host and folder."""
    before = find_table(server, node.database, "t").identity
    node.query("RENAME TABLE t TO u")
    assert find_table(server, node.database, "u").identity == before
    node.restart()
    assert find_table(server, node.database, "u").identity == before
    node.query("RENAME TABLE u TO t")
    node.query("CREATE TABLE other AS t")
    assert find_table(server, node.database, "other").identity != before
    name = f"{node.database}_of_no_uuid"
    node.query(f"CREATE TABLE default.{name} (n UInt64) ENGINE = MergeTree ORDER BY n")
    without = find_table(server, "default", name).identity
    node.query(f"DROP TABLE default.{name} SYNC")
    assert without.server and without.table.startswith("/"), without


def test_replicas_are_known_by_their_path(node: EmbeddedNode, server: Server) -> None:
    """An embedded server has no Keeper, but it knows the path."""
    node.query(
        "ATTACH TABLE r UUID '12345678-1234-1234-1234-123456789012' (n UInt64) "
        "ENGINE = ReplicatedMergeTree('/tables/r/shard1', 'replica1') ORDER BY n"
    )
    known = find_table(server, node.database, "r").identity
    node.query("DETACH TABLE r")  # to drop it, the server would wait for Keeper
    assert known == Identity("", "/tables/r/shard1", replicated=True)


def test_a_log_of_an_older_version_gets_the_column(
    node: EmbeddedNode, server: Server, store: Store, table: str, path: str
) -> None:
    log = ExportLog(server, f"{node.database}_log")
    try:
        log.create()
        node.query(f"DROP VIEW {log.database}.exports SYNC")
        node.query(f"ALTER TABLE {log.database}.log DROP COLUMN source_identity")
        columns = ", ".join(sorted({*COLUMNS} - {"source_identity", "event_time"}))
        node.query(
            f"CREATE VIEW {log.database}.exports AS SELECT {columns} FROM {log.database}.log"
        )
        assert log.history(10) == []
        (outcome,) = export(server, store, path, parts(server)[0], log=log)
        assert outcome.status == "succeeded"
        (said,) = log.history(10)
        assert said["source_identity"] == str(find_table(server, node.database, "t").identity)
    finally:
        node.query(f"DROP DATABASE IF EXISTS {log.database} SYNC")


def read(store: Store, path: str, key: str) -> dict[str, Any]:
    content = store.get(Place.parse(path).bucket, commit_key(key)) or b""
    return dict(json.loads(content))


@pytest.fixture
def older(server: Server, store: Store, table: str, path: str) -> str:
    """A part that was exported by an older version: its file and its commit file do not name a server."""
    part, place = parts(server)[0], Place.parse(path)
    (first,) = export(server, store, path, part)
    commit = read(store, path, first.key)
    name = first.key.rpartition("_")[0] + ".parquet"
    for later in ("source", *LATER):
        del commit[later]
    said = json.dumps({**commit, "schema": 1, "key": name}).encode()
    content = store.get(place.bucket, first.key) or b""
    store.put(place.bucket, name, content)
    store.put(place.bucket, commit_key(name), said)
    store.remove(place.bucket, [first.key, commit_key(first.key)])
    assert Commit.decoded(said, "").source is None
    return part


@pytest.mark.parametrize("policy", ["skip", "error", "overwrite"])
def test_an_older_export_of_unknown_source_is_neither_ours_nor_removed(
    server: Server, store: Store, path: str, older: str, policy: str
) -> None:
    before = store.objects(Place.parse(path))
    (outcome,) = export(server, store, path, older, if_exists=policy)
    assert outcome.code == 504 and "does not say from which server" in outcome.error
    assert "--adopt" in outcome.error
    assert store.objects(Place.parse(path)) == before
    (checked,) = verify(place_destination(store, path))
    assert checked.violations == () and "server not recorded" in checked.source


def test_an_older_export_is_adopted_when_the_user_says_so(
    node: EmbeddedNode, server: Server, store: Store, path: str, older: str
) -> None:
    expected = source_sums(server, f"_part = '{older}'")
    (outcome,) = export(server, store, path, older, adopt=True)
    assert outcome.status == "skipped", outcome.error
    (checked,) = verify(place_destination(store, path))
    assert str(find_table(server, node.database, "t").identity) in checked.source
    assert [item.status for item in export(server, store, path, older)] == ["skipped"]
    (outcome,) = export(server, store, path, older, if_exists="error")
    assert outcome.code == 504 and "is there already" in outcome.error
    (outcome,) = export(server, store, path, older, if_exists="overwrite")
    assert outcome.status == "succeeded", outcome.error
    assert len(files(store, path)) == 1 and sums(server, store, path) == expected


def test_an_older_export_of_a_part_that_was_merged_since(
    node: EmbeddedNode, server: Server, store: Store, path: str, older: str
) -> None:
    node.query("SYSTEM START MERGES t")
    node.query("OPTIMIZE TABLE t FINAL")
    part = next(name for name in parts(server) if name.split("_")[0] == older.split("_")[0])
    for policy in POLICIES:
        (outcome,) = export(server, store, path, part, if_exists=policy)
        assert outcome.code == 504 and "does not say from which server" in outcome.error
    (outcome,) = export(server, store, path, part, adopt=True)
    assert "were exported already" in outcome.error
    (outcome,) = export(server, store, path, part, if_exists="overwrite")
    assert "not proved to have the rows" in outcome.error  # which only newer commit files remember
    (outcome,) = export(server, store, path, part, if_exists="overwrite", unproved=True)
    assert outcome.status == "succeeded" and len(files(store, path)) == 1
    assert sums(server, store, path) == source_sums(server, f"_part = '{part}'")


def test_an_older_file_that_was_never_committed_is_left_alone(
    server: Server, store: Store, table: str, path: str
) -> None:
    (planned,) = exporter(server, store).plan(Request("t", path, part=parts(server)[0])).parts
    key = planned.key.rpartition("_")[0] + ".parquet"
    store.put(Place.parse(path).bucket, key, b"somebody's")
    for policy in POLICIES:
        (outcome,) = export(server, store, path, planned.part.name, if_exists=policy)
        assert outcome.code == 504 and "no commit file next to it" in outcome.error
    assert store.objects(Place.parse(path)) == [(key, len(b"somebody's"))]
