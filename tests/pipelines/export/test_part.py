"""Exports of parts: all rows once, whatever comes between."""

from __future__ import annotations

import io
import json
from typing import Any

import pyarrow.parquet as pq
import pytest
from pyspark.sql import SparkSession

from helpers.cluster.embedded.node import EmbeddedNode
from helpers.faults.s3_proxy import RequestKind, Reset, S3FaultProxy, Status
from pipelines.clickhouse.server import Server
from pipelines.export import lock as export_lock
from pipelines.export.batch import Batch
from pipelines.export.commit import overlaps
from pipelines.export.encoding import ENCODING, encoding
from pipelines.export.exporter import Exporter
from pipelines.export.options import Options
from pipelines.export.plan import Request
from pipelines.export.source import Part
from pipelines.s3.store import Place, Store
from tests.pipelines.export.without_spark import (
    export,
    exporter,
    files,
    parts,
    source_sums,
    sums,
)

PATCH = "UPDATE t SET s = 'patched' WHERE n = 0"


def nothing_is_there(store: Store, path: str) -> bool:
    place = Place.parse(path)
    return store.objects(place) == [] and store.uploads(place) == []


@pytest.mark.xdist_group("spark")
def test_by_spark_all_rows_arrive_once(
    spark: SparkSession, server: Server, store: Store, table: str, path: str
) -> None:
    work = Exporter(server, store, Options(rows_per_task=300), session=lambda: spark)
    outcomes = work.export(Request("t", path))
    assert {outcome.status for outcome in outcomes} == {"succeeded"}
    assert len(files(store, path)) == len(outcomes) == len(parts(server))
    assert sums(server, store, path) == source_sums(server)


def test_a_part_is_one_file_however_many_tasks(
    server: Server, store: Store, table: str, path: str
) -> None:
    part = parts(server)[0]
    (outcome,) = export(server, store, path, part, rows_per_task=100)
    assert files(store, path) == [outcome.key]
    assert outcome.rows == source_sums(server, f"_part = '{part}'")[0] > 300
    assert sums(server, store, path) == source_sums(server, f"_part = '{part}'")
    folder, name = outcome.key.removeprefix(Place.parse(path).prefix).split("/")
    assert folder == f"p={part.partition('_')[0]}" and name.startswith(f"{part}_")


def test_settings_of_the_encoding(
    node: EmbeddedNode, server: Server, store: Store, table: str, path: str
) -> None:
    part = parts(server)[0]
    assert encoding(server) == ENCODING
    (lean,) = export(server, store, path, part)
    wanted = {"output_format_parquet_write_bloom_filter": 1}
    (rich,) = export(server, store, path, part, settings=wanted, if_exists="overwrite")
    assert 0 < lean.size < rich.size
    node.query("INSERT INTO t SELECT 9, number FROM numbers(50_000)")
    (large,) = export(server, store, path, parts(server)[-1])
    written = pq.read_metadata(io.BytesIO(store.get(Place.parse(path).bucket, large.key) or b""))
    assert (written.num_rows, written.num_row_groups) == (50_000, 1)
    assert written.row_group(0).column(0).compression == "ZSTD"
    store.remove(Place.parse(path).bucket, [large.key])
    assert sums(server, store, path) == source_sums(server, f"_part = '{part}'")


def test_repeating_it_changes_nothing(server: Server, store: Store, table: str, path: str) -> None:
    export(server, store, path)
    before = store.objects(Place.parse(path))
    assert {outcome.status for outcome in export(server, store, path)} == {"skipped"}
    outcomes = export(server, store, path, if_exists="error")
    assert {outcome.code for outcome in outcomes} == {504}
    assert store.objects(Place.parse(path)) == before
    assert {outcome.status for outcome in export(server, store, path, if_exists="overwrite")} == {
        "succeeded"
    }
    assert sums(server, store, path) == source_sums(server)


def test_a_merged_part_is_not_exported_beside_its_sources(
    node: EmbeddedNode, server: Server, store: Store, table: str, path: str
) -> None:
    export(server, store, path)
    node.query("SYSTEM START MERGES t")
    node.query("OPTIMIZE TABLE t FINAL")
    outcomes = export(server, store, path)
    assert {outcome.code for outcome in outcomes} == {504}
    assert "were exported already, as part" in outcomes[0].error
    assert sums(server, store, path) == source_sums(server)
    export(server, store, path, if_exists="overwrite")
    assert len(files(store, path)) == len(parts(server)) == 3
    assert len(files(store, path, "")) == 2 * 3, (
        "a commit file of a part that was replaced is there"
    )
    assert sums(server, store, path) == source_sums(server)


def test_since_last_skips_a_merged_part_with_exactly_the_exported_rows(
    node: EmbeddedNode, server: Server, store: Store, table: str, path: str
) -> None:
    """Of three merged parts one has rows that were not exported, and then one lacks a row."""
    *first, last = parts(server)
    for part in first:
        export(server, store, path, part)
    exported = files(store, path)
    node.query("SYSTEM START MERGES t")
    node.query("OPTIMIZE TABLE t FINAL")
    assert {outcome.code for outcome in export(server, store, path)} == {504}
    outcomes = export(server, store, path, since_last=True)
    assert [outcome.status for outcome in outcomes] == ["skipped", "skipped", "failed"]
    assert outcomes[2].part.split("_")[0] == last.split("_")[0]
    assert "has rows that were exported" in outcomes[2].error
    node.query("ALTER TABLE t DELETE WHERE p = 0 AND n = 0", settings={"mutations_sync": 2})
    changed = export(server, store, path, since_last=True)
    assert [outcome.status for outcome in changed] == ["failed", "skipped", "failed"]
    assert files(store, path) == exported


@pytest.mark.parametrize(
    ("exported", "has"),
    [
        ("1_1_4_1", False),  # the same part
        ("1_1_1_0", True),  # it was merged from this one
        ("1_1_1_0_5", True),  # which a mutation had made
        ("1_1_8_2_9", True),  # merged with others afterwards
        ("1_5_8_1", False),
        ("1_5_8_1_9", False),
        ("11_1_1_0", False),  # of another partition
        ("something else", False),
    ],
)
def test_which_parts_have_the_same_rows(exported: str, has: bool) -> None:
    part = Part("1_1_4_1", "1", 1, 4, 0, 0, 0, "", "")
    assert overlaps(exported, part) == has


def make_patchable(node: EmbeddedNode) -> None:
    """A table of one part that takes lightweight updates."""
    node.query(
        "CREATE TABLE t (p UInt8, n UInt64, s String) ENGINE = MergeTree PARTITION BY p ORDER BY n "
        "SETTINGS enable_block_number_column = 1, enable_block_offset_column = 1"
    )
    node.query("SYSTEM STOP MERGES t")
    node.query("INSERT INTO t SELECT 1, number, 'as it was' FROM numbers(9)")


def test_a_patch_is_no_part_to_export(
    node: EmbeddedNode, server: Server, store: Store, path: str
) -> None:
    make_patchable(node)
    node.query(PATCH)
    assert [name.startswith("patch-") for name in parts(server)] == [False, True]
    (outcome,) = export(server, store, path)
    assert (outcome.status, outcome.part) == ("succeeded", parts(server)[0])


@pytest.mark.parametrize(
    "change",
    [
        "SYSTEM START MERGES t; OPTIMIZE TABLE t FINAL",
        "ALTER TABLE t DELETE WHERE n = 0",
        "ALTER TABLE t ADD COLUMN more UInt8",
        PATCH,
    ],
)
def test_a_change_during_the_export_is_noticed(
    node: EmbeddedNode,
    server: Server,
    store: Store,
    path: str,
    change: str,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """A merge, a mutation that is pending, another column and a patch."""
    make_patchable(node)
    state = Batch._state

    def change_first(self: Batch, *arguments: Any) -> Any:
        for statement in change.split("; "):
            node.query(statement, settings={"mutations_sync": 0})
        return state(self, *arguments)

    monkeypatch.setattr(Batch, "_state", change_first)
    (outcome,) = export(server, store, path, parts(server)[0])
    assert outcome.status == "failed" and "changed while it was exported" in outcome.error
    assert nothing_is_there(store, path)


def test_what_a_killed_export_left_is_swept(
    server: Server, store: Store, table: str, path: str
) -> None:
    part = parts(server)[0]
    work = exporter(server, store)
    (planned,) = work.plan(Request("t", path, part=part)).parts
    place = Place.parse(path)
    left = store.begin(place.bucket, planned.key)
    store.upload_part(left, 1, b"half a file")
    store.begin(place.bucket, f"{place.prefix}{export_lock.PREFIX}probe")
    dead = {"host": export_lock._host(), "pid": 2**22 + 1, "process_started": "1"}
    lock = f"{place.prefix}{export_lock.PREFIX}{planned.stem}.000004"
    store.put(place.bucket, lock, json.dumps(dead).encode())
    assert [outcome.status for outcome in export(server, store, path, part)] == ["succeeded"]
    assert store.uploads(place) == []
    assert len(store.objects(place)) == 2


def test_one_at_a_time(server: Server, store: Store, table: str, path: str) -> None:
    part = parts(server)[0]
    (planned,) = exporter(server, store).plan(Request("t", path, part=part)).parts
    with export_lock.ExportLock(store, Place.parse(path), planned.stem):
        (outcome,) = export(server, store, path, part)
    assert (outcome.status, outcome.code) == ("failed", 384)
    assert nothing_is_there(store, path)
    assert [outcome.status for outcome in export(server, store, path, part)] == ["succeeded"]


@pytest.mark.parametrize(
    ("kind", "effect", "times"),
    [
        (RequestKind.UPLOAD_PART, Status(), 1),
        (RequestKind.COMPLETE_UPLOAD, Reset(after_reply=False), 1),
        (RequestKind.COMPLETE_UPLOAD, Reset(after_reply=True), 1),
        (RequestKind.PUT, Reset(after_reply=True), 1),
    ],
)
def test_a_store_that_stumbles(
    server: Server, store: Store, table: str, path: str, kind: RequestKind, effect: Any, times: int
) -> None:
    part = parts(server)[0]
    with S3FaultProxy(store.endpoint) as proxy:
        behind = Store(proxy.url, store.access_key, store.secret_key)
        with proxy.fault(kind, effect, times=times) as fault:
            (outcome,) = export(server, behind, path, part)
        assert fault.hits == times
    assert (outcome.status, outcome.error) == ("succeeded", "")
    assert sums(server, store, path) == source_sums(server, f"_part = '{part}'")
    assert store.uploads(Place.parse(path)) == []


def test_a_refusal_is_not_tried_again(server: Server, store: Store, table: str, path: str) -> None:
    part = parts(server)[0]
    with S3FaultProxy(store.endpoint) as proxy:
        behind = Store(proxy.url, store.access_key, store.secret_key)
        with proxy.fault(
            RequestKind.COMPLETE_UPLOAD, Status(403, "AccessDenied"), times=None
        ) as fault:
            (outcome,) = export(server, behind, path, part)
        assert fault.hits == 1
    assert outcome.status == "failed" and "AccessDenied" in outcome.error
    assert nothing_is_there(store, path)
