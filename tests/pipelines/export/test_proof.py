"""An overwrite removes a file only if the new part is proved to have its rows, by more than block numbers."""

from __future__ import annotations

import json

import pytest

from helpers.cluster.embedded.node import EmbeddedNode
from pipelines.clickhouse.server import Server
from pipelines.export.expected import SAMPLE
from pipelines.s3.store import Place, Store
from tests.pipelines.export.without_spark import export, files, parts, sums

UNPROVED = "not proved to have the rows"


def create(node: EmbeddedNode, more: str = "", engine: str = "MergeTree") -> None:
    node.query(
        f"CREATE TABLE t (p UInt8, n UInt64, x UInt64 DEFAULT n{more}) ENGINE = {engine} "
        "PARTITION BY p ORDER BY n"
    )


def insert(node: EmbeddedNode, first: int = 0) -> None:
    node.query(f"INSERT INTO t (p, n) SELECT 1, {first} + number FROM numbers(10)")


def restarted(node: EmbeddedNode) -> Server:
    node.restart()
    where = node.endpoint
    return Server(where.http_url, where.user, where.password, node.database)


def test_block_numbers_that_are_given_again_after_a_restart(
    node: EmbeddedNode, server: Server, store: Store, path: str
) -> None:
    """A partition is exported and dropped; after a restart late rows get its block numbers."""
    create(node)
    insert(node)
    assert export(server, store, path)[0].status == "succeeded"
    before = sums(server, store, path)
    node.query("ALTER TABLE t DROP PARTITION 1")
    server = restarted(node)
    merged_of = "INSERT INTO t (p, n) SELECT 1, {} + number FROM numbers(7)"
    for number in (100, 200):
        node.query(merged_of.format(number))
    node.query("OPTIMIZE TABLE t FINAL")
    assert parts(server) == ["1_1_2_1"], "the server gave no block number again"
    for policy in ("skip", "overwrite"):
        (outcome,) = export(server, store, path, if_exists=policy)
        assert outcome.code == 504, outcome
        assert sums(server, store, path) == before
    assert UNPROVED in outcome.error and "--overwrite-unproved" in outcome.error
    (outcome,) = export(server, store, path, if_exists="overwrite", unproved=True)
    assert outcome.status == "succeeded" and sums(server, store, path)[0] == 14


def test_a_merge_proves_its_sources(
    node: EmbeddedNode, server: Server, store: Store, path: str
) -> None:
    create(node)
    for first in (0, 100):
        insert(node, first)
        export(server, store, path)
    insert(node, 200)
    node.query("OPTIMIZE TABLE t FINAL")
    (outcome,) = export(server, store, path, if_exists="overwrite")
    assert outcome.status == "succeeded", outcome.error
    assert sums(server, store, path)[0] == 30 and len(files(store, path)) == 1


@pytest.mark.parametrize(
    ("change", "proved"),
    [
        ("UPDATE x = 0 WHERE n > 0", True),
        ("DELETE WHERE n > 0", True),
        ("UPDATE x = x + 1 WHERE 1", False),
        ("ADD COLUMN y UInt8, UPDATE x = x WHERE 1", True),
        ("MODIFY COLUMN x String", False),
    ],
)
def test_a_mutated_part_has_at_least_one_of_the_rows(
    node: EmbeddedNode, server: Server, store: Store, path: str, change: str, proved: bool
) -> None:
    create(node)
    insert(node)
    export(server, store, path)
    node.query(f"ALTER TABLE t {change}", settings={"mutations_sync": 2})
    (part,) = parts(server)
    assert part != "1_1_1_0"
    (outcome,) = export(server, store, path, if_exists="overwrite")
    assert (outcome.status == "succeeded") == proved, outcome.error
    assert proved or UNPROVED in outcome.error


def test_an_engine_that_replaces_rows(
    node: EmbeddedNode, server: Server, store: Store, path: str
) -> None:
    create(node, engine="ReplacingMergeTree(x)")
    insert(node)
    export(server, store, path)
    node.query("INSERT INTO t SELECT 1, number, number + 5 FROM numbers(9)")
    node.query("OPTIMIZE TABLE t FINAL")
    (outcome,) = export(server, store, path, if_exists="overwrite")
    assert outcome.status == "succeeded", outcome.error
    assert sums(server, store, path)[0] == 10


def test_all_rows_that_are_remembered_are_needed_where_none_was_changed(
    node: EmbeddedNode, server: Server, store: Store, path: str
) -> None:
    """Late rows, one of which is equal to an exported one."""
    create(node)
    insert(node)
    export(server, store, path)
    node.query("ALTER TABLE t DROP PARTITION 1")
    server = restarted(node)
    insert(node, 9)
    insert(node, 100)
    node.query("OPTIMIZE TABLE t FINAL")
    (outcome,) = export(server, store, path, if_exists="overwrite")
    assert UNPROVED in outcome.error


@pytest.mark.parametrize("kind", ["JSON DEFAULT '{}'", "Decimal(76, 2) DEFAULT 1"])
def test_columns_without_a_hash_are_left_out_of_the_proof(
    node: EmbeddedNode, server: Server, store: Store, path: str, kind: str
) -> None:
    create(node, f", j {kind}")
    insert(node)
    export(server, store, path)
    place = Place.parse(path)
    (commit,) = (key for key, _ in store.objects(place) if "_commit_" in key)
    said = json.loads(store.get(place.bucket, commit) or b"")
    assert len(said["sample"]) == 10 <= SAMPLE and said["fingerprint"] is None
    insert(node, 50)
    node.query("OPTIMIZE TABLE t FINAL")
    (outcome,) = export(server, store, path, if_exists="overwrite")
    assert outcome.status == "succeeded", outcome.error


def test_an_export_that_remembers_no_rows_proves_nothing(
    node: EmbeddedNode, server: Server, store: Store, path: str
) -> None:
    """Those of older versions."""
    create(node)
    insert(node)
    export(server, store, path)
    place = Place.parse(path)
    (commit,) = (key for key, _ in store.objects(place) if "_commit_" in key)
    said = json.loads(store.get(place.bucket, commit) or b"")
    for name in ("sample", "files", "pending", "replaces"):
        del said[name]
    store.put(place.bucket, commit, json.dumps({**said, "schema": 2}).encode())
    assert export(server, store, path)[0].status == "skipped"
    insert(node, 50)
    node.query("OPTIMIZE TABLE t FINAL")
    (outcome,) = export(server, store, path, if_exists="overwrite")
    assert UNPROVED in outcome.error and sums(server, store, path)[0] == 10
