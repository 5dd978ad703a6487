"""A part whose rows were changed since its export, and that has still its name and its checksum."""

from __future__ import annotations

from typing import Any

import pytest

from helpers.cluster.embedded.node import EmbeddedNode
from pipelines.clickhouse.server import Server
from pipelines.s3.store import Place, Store
from tests.pipelines.export.without_spark import export, parts

LIGHTWEIGHT = "enable_block_number_column = 1, enable_block_offset_column = 1"
CHANGES = {
    "UPDATE": ["UPDATE t SET x = x + 1000 WHERE n = 3"],
    "DELETE": ["DELETE FROM t WHERE n = 3 SETTINGS lightweight_delete_mode = 'lightweight_update'"],
    "mutation": [
        "SYSTEM STOP MERGES t",
        "ALTER TABLE t UPDATE x = x + 1000 WHERE n = 3 SETTINGS mutations_sync = 0",
    ],
}


def create(node: EmbeddedNode) -> None:
    node.query(
        "CREATE TABLE t (p UInt8, n UInt64, x UInt64) ENGINE = MergeTree PARTITION BY p ORDER BY n "
        f"SETTINGS {LIGHTWEIGHT}"
    )
    node.query("INSERT INTO t SELECT 1, number, number FROM numbers(10)")


def rows(server: Server, store: Store, path: str) -> list[Any]:
    """The number of rows in the files, and the sum of their values."""
    place = Place.parse(path)
    url = f"{store.endpoint}/{place.bucket}/{place.prefix}**.parquet"
    keys = f"'{store.access_key}', '{store.secret_key}'"
    return server.rows(f"SELECT count(), sum(x) FROM s3('{url}', {keys}, 'Parquet', 'x UInt64')")[0]


@pytest.mark.parametrize("change", CHANGES)
def test_a_change_is_not_hidden(
    change: str, node: EmbeddedNode, server: Server, store: Store, path: str
) -> None:
    create(node)
    (first,) = export(server, store, path)
    assert first.status == "succeeded"
    before, names = rows(server, store, path), parts(server)
    for statement in CHANGES[change]:
        node.query(statement)
    assert set(names) <= set(parts(server)), "the change gave the part another name"
    for since_last in (False, True):
        (outcome,) = export(server, store, path, since_last=since_last)
        assert outcome.code == 504 and "has changed its rows since" in outcome.error, outcome
        assert rows(server, store, path) == before
    (outcome,) = export(server, store, path, if_exists="overwrite")
    assert outcome.status == "succeeded" and rows(server, store, path) != before, outcome


def test_a_change_of_another_part_is_no_reason(
    node: EmbeddedNode, server: Server, store: Store, path: str
) -> None:
    create(node)
    node.query("INSERT INTO t SELECT 2, number, number FROM numbers(10)")
    export(server, store, path)
    node.query("UPDATE t SET x = 0 WHERE p = 2 AND n = 3")
    outcomes = {outcome.part: outcome for outcome in export(server, store, path)}
    assert [outcomes[name].code for name in ("1_1_1_0", "2_2_2_0")] == [0, 504], outcomes
