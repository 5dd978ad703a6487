"""Which parts an export takes: those of this table, with this name, under this condition, and no other."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import pytest

from helpers.cluster.embedded.node import EmbeddedNode
from pipelines.clickhouse.server import Server
from pipelines.errors import PipelineError
from pipelines.export.plan import Request
from pipelines.export.source import snapshot
from pipelines.s3.store import Store
from tests.pipelines.export.without_spark import export, exporter, parts, source_sums, sums


@pytest.fixture
def namesake(node: EmbeddedNode) -> Iterator[str]:
    """A table of the same name in another database, with more parts and a mutation that never ends."""
    other = f"{node.database}_other"
    node.query(f"CREATE DATABASE {other}")
    node.query(
        f"CREATE TABLE {other}.t (p UInt8, n UInt64) ENGINE = MergeTree PARTITION BY p ORDER BY n"
    )
    node.query(f"INSERT INTO {other}.t SELECT number % 5, number FROM numbers(50)")
    node.query(f"SYSTEM STOP MERGES {other}.t")
    node.query(f"ALTER TABLE {other}.t DELETE WHERE throwIf(1)")
    yield other
    node.query(f"DROP DATABASE {other} SYNC")


def test_a_table_of_the_same_name_in_another_database_is_another_table(
    server: Server, store: Store, table: str, path: str, namesake: str
) -> None:
    assert snapshot(server, namesake, "t").pending_mutations
    assert not snapshot(server, server.database, "t").pending_mutations
    plan = exporter(server, store).plan(Request("t", path))
    assert sorted(each.part.name for each in plan.parts) == sorted(parts(server))
    outcomes = export(server, store, path)
    assert {outcome.status for outcome in outcomes} == {"succeeded"}, outcomes
    assert sums(server, store, path) == source_sums(server)


def test_a_merged_part_of_a_negative_partition(
    node: EmbeddedNode, server: Server, store: Store, path: str
) -> None:
    node.query("CREATE TABLE t (p Int8, n UInt64) ENGINE = MergeTree PARTITION BY p ORDER BY n")
    for start in (0, 10):
        node.query(f"INSERT INTO t SELECT -5, number FROM numbers({start}, 10)")
        node.query(f"INSERT INTO t SELECT 5, number FROM numbers({start}, 10)")
    node.query("OPTIMIZE TABLE t PARTITION -5 FINAL")
    (merged,) = (name for name in parts(server) if name.startswith("-5"))
    assert merged.endswith("_1"), "it is merged"
    (outcome,) = export(server, store, path, merged)
    assert (outcome.status, outcome.part) == ("succeeded", merged), outcome.error
    found = server.rows(
        f"SELECT count(), sum(n), uniqExact(n), any(_path LIKE '%/p=-5/%') FROM s3("
        f"'{store.endpoint}/{path.removeprefix('s3://')}/**.parquet', "
        f"'{store.access_key}', '{store.secret_key}', 'Parquet', 'n UInt64')"
    )
    assert [int(value) for value in found[0]] == [20, 190, 20, 1]


@pytest.mark.parametrize(
    ("where", "chosen"), [("1 OR 1", 1), ("0 OR active", 1), ("0 OR NOT active", 0)]
)
def test_a_condition_of_alternatives_brings_no_other_part(
    server: Server, store: Store, table: str, path: str, where: str, chosen: int
) -> None:
    part = parts(server)[0]
    plan = exporter(server, store).plan(Request("t", path, part=part, where=where))
    assert [each.part.name for each in plan.parts] == [part] * chosen


def test_no_error_has_a_secret(server: Server, store: Store, table: str, path: str) -> None:
    secret, password = "s3cret-of-the-store", "passw0rd-of-the-server"
    wrong_key = replace(store, secret_key=secret)
    nowhere = replace(store, secret_key=secret, endpoint="http://127.0.0.1:9")
    stranger = replace(server, password=password)
    absent = replace(server, password=password, url="http://127.0.0.1:9")
    said = []
    for from_server, to_store, to in (
        (server, wrong_key, path),
        (server, nowhere, path),
        (server, replace(store, secret_key=secret), "s3://no-such-bucket/x"),
        (stranger, store, path),
        (absent, store, path),
    ):
        try:
            said += [outcome.error for outcome in export(from_server, to_store, to)]
        except PipelineError as error:
            said.append(str(error))
            assert error.__cause__ is None or secret not in repr(error.__cause__)
    assert len(said) >= 5 and all(said), said
    assert not any(word in text for text in said for word in (secret, password)), said


def test_parts_that_are_empty_on_disk_are_left_out(
    node: EmbeddedNode, server: Server, store: Store, path: str
) -> None:
    """They cover for a while what was dropped, and have no value of the key: others are exported."""
    node.query(
        "CREATE TABLE t (p UInt8, n UInt64) ENGINE = MergeTree PARTITION BY p ORDER BY n "
        "SETTINGS remove_empty_parts = 0"
    )
    node.query("INSERT INTO t SELECT number % 2, number FROM numbers(10)")
    node.query("ALTER TABLE t DELETE WHERE p = 1", settings={"mutations_sync": 2})
    rows = server.rows("SELECT toUInt32(rows) FROM system.parts WHERE table = 't' AND active")
    assert [0] in rows, "the fixture has no empty part"
    outcomes = export(server, store, path)
    assert [outcome.status for outcome in outcomes] == ["succeeded"], outcomes
    assert sums(server, store, path) == source_sums(server)
    assert exporter(server, store).plan(Request("t", f"{path}b", partition="1")).parts == []
