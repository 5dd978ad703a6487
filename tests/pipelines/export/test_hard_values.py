"""Keys and parts that are hard to export: hostile texts, many partitions, parts without rows, no parts."""

from __future__ import annotations

from typing import Any
from urllib.parse import unquote

import pytest

from helpers.cluster.embedded.node import EmbeddedNode
from pipelines.clickhouse.server import Server
from pipelines.export.destination import place_destination
from pipelines.export.verify import verify
from pipelines.s3.store import Place, Store
from tests.pipelines.export.without_spark import export, files, parts

HOSTILE = (
    "a/b", "a=b", "100%", "%2F", 'say "x"', "it's", "#", "&", "a b", " ", "..", ".", "\t\n\r",
    "\x01\x7f", "Köln", "日本", "a\\b", "{x}", "[1]", "a:b", "a?b*", "^", "+", "~", "x" * 200,
)  # fmt: skip


def rows(server: Server, store: Store, path: str) -> list[list[Any]]:
    """Key and number as ClickHouse reads them, the key from the folder."""
    place = Place.parse(path)
    url = f"{store.endpoint}/{place.bucket}/{place.prefix}**.parquet"
    return sorted(
        server.rows(
            f"SELECT key, n FROM s3('{url}', '{store.access_key}', '{store.secret_key}', 'Parquet', "
            "'n UInt8, key String')",
            use_hive_partitioning=1,
        )
    )


def test_hostile_keys_come_back(
    node: EmbeddedNode, server: Server, store: Store, path: str
) -> None:
    node.query(
        "CREATE TABLE t (key String, n UInt8) ENGINE = MergeTree PARTITION BY key ORDER BY n"
    )
    node.query(
        "INSERT INTO t VALUES",
        data=[(key, number) for number, key in enumerate(HOSTILE)],
        settings={"max_partitions_per_insert_block": 0},
    )
    outcomes = export(server, store, path)
    assert [outcome.error for outcome in outcomes if outcome.error] == []
    assert len(files(store, path)) == len(HOSTILE)
    assert not [item for item in verify(place_destination(store, path)) if item.violations]
    expected = sorted([key, number] for number, key in enumerate(HOSTILE))
    # ClickHouse reads the name of a folder as it is, Spark decodes it.
    read = sorted([unquote(key), number] for key, number in rows(server, store, path))
    assert read == expected


def test_a_part_whose_rows_are_all_masked(
    node: EmbeddedNode, server: Server, store: Store, path: str
) -> None:
    node.query("CREATE TABLE t (p UInt8, n UInt64) ENGINE = MergeTree PARTITION BY p ORDER BY n")
    node.query("SYSTEM STOP MERGES t")
    node.query("INSERT INTO t SELECT 1, number FROM numbers(9)")
    node.query("SYSTEM START MERGES t")
    node.query("DELETE FROM t WHERE 1", settings={"lightweight_deletes_sync": 1})
    for part in parts(server):
        (outcome,) = export(server, store, path, part)
        assert (outcome.status, outcome.rows) == ("succeeded", 0), outcome.error
    assert not [item for item in verify(place_destination(store, path)) if item.violations]


def test_a_table_without_parts(node: EmbeddedNode, server: Server, store: Store, path: str) -> None:
    node.query("CREATE TABLE t (p UInt8, n UInt64) ENGINE = MergeTree PARTITION BY p ORDER BY n")
    assert export(server, store, path) == []
    assert store.objects(Place.parse(path)) == []


@pytest.mark.nightly
def test_ten_thousand_partitions(
    node: EmbeddedNode, server: Server, store: Store, path: str
) -> None:
    """About a dozen requests a part: a quarter of an hour beside other work."""
    node.query("CREATE TABLE t (p UInt16, n UInt64) ENGINE = MergeTree PARTITION BY p ORDER BY n")
    node.query(
        "INSERT INTO t SELECT number, number FROM numbers(10000)",
        settings={"max_partitions_per_insert_block": 0},
    )
    outcomes = export(server, store, path)
    assert len(outcomes) == 10_000 == len(files(store, path))
    assert {outcome.status for outcome in outcomes} == {"succeeded"}
    place = Place.parse(path)
    assert len(store.objects(place)) == 20_000 and store.uploads(place) == []
