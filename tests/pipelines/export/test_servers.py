"""Several servers in one export: shards side by side; replicas share parts and stand in for each other."""

from __future__ import annotations

import time
from types import SimpleNamespace
from typing import Any

import pytest

from helpers.cluster.embedded.node import EmbeddedNode
from pipelines.clickhouse.server import Server
from pipelines.errors import PipelineError
from pipelines.export import source as export_source
from pipelines.export.errors import ExportRefused
from pipelines.export.part import Outcome
from pipelines.export.plan import Plan, Request
from pipelines.export.servers import plan_servers, servers_of_cluster, uncovered
from pipelines.export.source import Identity
from pipelines.s3.store import Pending, Place, Store
from tests.pipelines.export.test_two_servers import Pair, asked, insert, pair, rows
from tests.pipelines.export.without_spark import exporter, files

__all__ = ["pair"]


def plans_of(pair: Pair, store: Store, path: str, **request: Any) -> list[Plan]:
    return plan_servers([asked(node) for node in pair], Request("t", path, **request), store)


def export_all(pair: Pair, store: Store, path: str, **options: Any) -> list[Outcome]:
    return list(exporter(asked(pair[0]), store, **options).execute(plans_of(pair, store, path)))


@pytest.fixture
def replicas(pair: Pair, monkeypatch: pytest.MonkeyPatch) -> Pair:
    """Two servers that say of their tables that they are replicas; embedded servers have no Keeper."""
    same = Identity("", "/tables/t/shard1", replicated=True)
    monkeypatch.setattr(export_source, "_identity", lambda *_: same)
    for node in pair:
        insert(node, 0, 5, 10, 15)
    return pair


def test_shards_export_to_one_place_at_once(pair: Pair, store: Store, path: str) -> None:
    for node in pair:
        insert(node, 0, 5)
    outcomes = export_all(pair, store, path)
    assert [outcome.status for outcome in outcomes] == ["succeeded"] * 4
    assert len(files(store, path)) == 4
    assert rows(asked(pair[0]), store, path) == sorted([*range(10)] * 2)


def test_a_part_that_only_one_server_has(pair: Pair, store: Store, path: str) -> None:
    insert(pair[1], 0, 5)
    (plan,) = plans_of(pair, store, path, part="1_2_2_0")
    assert [planned.part.name for planned in plan.parts] == ["1_2_2_0"]
    with pytest.raises(ExportRefused, match="NO_SUCH_DATA_PART"):
        plans_of(pair, store, path, part="1_9_9_0")


def test_one_server_twice_is_refused(pair: Pair, store: Store, path: str) -> None:
    with pytest.raises(ExportRefused, match="name each server once"):
        plans_of((pair[0], pair[0]), store, path)


def test_one_replica_twice_is_refused(replicas: Pair, store: Store, path: str) -> None:
    with pytest.raises(ExportRefused, match="name each server once"):
        plans_of((replicas[0], replicas[0]), store, path)


def test_a_pattern_under_which_shards_collide_is_refused(
    pair: Pair, store: Store, path: str
) -> None:
    for node in pair:
        insert(node, 0)
    with pytest.raises(ExportRefused, match="would both write"):
        plans_of(pair, store, path, name_pattern="{part}")


def test_replicas_share_the_parts(replicas: Pair, store: Store, path: str) -> None:
    insert(replicas[1], 20)  # which the other one lacks
    plans = plans_of(replicas, store, path)
    assert sorted(len(plan.parts) for plan in plans) == [2, 3]
    outcomes = export_all(replicas, store, path)
    assert [outcome.status for outcome in outcomes] == ["succeeded"] * 5
    assert rows(asked(replicas[0]), store, path) == [*range(25)]


def test_a_merged_part_of_one_replica_covers_those_of_the_other(
    replicas: Pair, store: Store, path: str
) -> None:
    replicas[1].query("SYSTEM START MERGES t")
    replicas[1].query("OPTIMIZE TABLE t FINAL")
    insert(replicas[0], 20)
    outcomes = export_all(replicas, store, path)
    assert sorted(outcome.part for outcome in outcomes) == ["1_1_4_1", "1_5_5_0"]
    assert rows(asked(replicas[0]), store, path) == [*range(25)]


def test_another_replica_goes_on_when_one_dies(
    replicas: Pair, store: Store, path: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It is killed after the plan, when the first upload has begun."""
    begin = Store.begin
    killed: list[str] = []

    def kill_first(self: Store, bucket: str, key: str, *arguments: Any) -> Pending:
        if "probe" not in key and not killed:
            killed.append(key)
            replicas[1].kill()
        return begin(self, bucket, key, *arguments)

    monkeypatch.setattr(Store, "begin", kill_first)
    try:
        outcomes = export_all(replicas, store, path)
    finally:
        replicas[1].start()
    assert killed
    assert [outcome.status for outcome in outcomes] == ["succeeded"] * 4, outcomes
    assert rows(asked(replicas[0]), store, path) == [*range(20)]
    place = Place.parse(path)
    assert store.uploads(place) == []
    assert not any("_exporting_" in key for key in files(store, path, ""))


def test_a_shard_that_dies_fails_alone(
    pair: Pair, store: Store, path: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    for node, number in zip(pair, (0, 100), strict=True):
        insert(node, number)
    plans = plans_of(pair, store, path)
    pair[1].kill()
    try:
        outcomes = list(exporter(asked(pair[0]), store).execute(plans))
    finally:
        pair[1].start()
    assert sorted(outcome.status for outcome in outcomes) == ["failed", "succeeded"]
    assert rows(asked(pair[0]), store, path) == [*range(5)]
    assert [outcome.status for outcome in export_all(pair, store, path)] == ["skipped", "succeeded"]
    assert rows(asked(pair[0]), store, path) == [*range(5), *range(100, 105)]


def test_the_servers_of_a_cluster(
    node: EmbeddedNode, server: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    with pytest.raises(PipelineError, match="knows no cluster"):
        servers_of_cluster(server, "nope")
    answers = [["::1"], ["other.example"]]
    monkeypatch.setattr(Server, "rows", lambda self, sql: answers)
    port = server.url.rpartition(":")[2]
    found = servers_of_cluster(server, "all")
    assert [one.url for one in found] == [f"http://[::1]:{port}", f"http://other.example:{port}"]
    assert {one.user for one in found} == {server.user}


def test_thousands_of_parts_of_replicas_take_no_time() -> None:
    parts: list[Any] = [
        SimpleNamespace(
            part=SimpleNamespace(
                name=f"1_{first}_{last}_{last - first}",
                partition_id="1",
                min_block=first,
                max_block=last,
            )
        )
        for number in range(5_000)
        for first, last in ((2 * number, 2 * number), (2 * number, 2 * number + 1))
    ]
    began = time.process_time()
    names = uncovered(parts)
    assert time.process_time() - began < 3
    assert sorted(names) == sorted(each.part.name for each in parts[1::2])
