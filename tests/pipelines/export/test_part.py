"""Exports of parts: all rows once, whatever comes between."""

from __future__ import annotations

import io
import itertools
import json
import threading
from collections.abc import Generator
from typing import Any, cast

import pyarrow.parquet as pq
import pytest
from pyspark.errors import PySparkException
from pyspark.sql import SparkSession

from helpers.cluster.embedded.node import EmbeddedNode
from helpers.faults.s3_proxy import Kind, Reset, S3FaultProxy, Status
from pipelines.clickhouse.server import Server
from pipelines.export import batch as export_batch
from pipelines.export import lock as export_lock
from pipelines.export.batch import MOST_BYTES, MOST_PARTS, Batch, batches
from pipelines.export.commit import overlaps
from pipelines.export.destination import place_destination
from pipelines.export.encoding import ENCODING, encoding
from pipelines.export.exporter import Exporter, Outcome
from pipelines.export.log import ExportLog
from pipelines.export.options import Options
from pipelines.export.plan import PlannedPart, Request
from pipelines.export.source import Part
from pipelines.export.verify import verify
from pipelines.s3.store import Place, Store
from tests.pipelines.export.without_spark import (
    Tasks,
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


def test_small_parts_share_a_job_and_fail_each_for_itself(
    server: Server, store: Store, table: str, path: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    jobs: list[int] = []
    together = Tasks.parallelize

    def counted(self: Tasks, items: Any, count: int) -> Tasks:
        jobs.append(len(items))
        return together(self, items, count)

    monkeypatch.setattr(Tasks, "parallelize", counted)
    names = parts(server)
    (held,) = exporter(server, store).plan(Request("t", path, part=names[0])).parts
    with export_lock.ExportLock(store, Place.parse(path), held.stem):
        outcomes = export(server, store, path)
    assert [outcome.part for outcome in outcomes if outcome.error] == names[:1]
    assert jobs == [len(names) - 1] and len(names) > 2
    assert sums(server, store, path) == source_sums(server, f"_part != '{names[0]}'")
    assert [item.violations for item in verify(place_destination(store, path))] == [()] * jobs[0]
    assert [outcome.rows > 0 for outcome in export(server, store, path)][:2] == [True, False]
    assert sums(server, store, path) == source_sums(server)


def test_an_interrupt_ends_what_runs(
    server: Server, store: Store, table: str, path: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Also a job that starts after the others were cancelled."""
    cancelled = threading.Event()
    in_time: list[bool] = []
    numbers, cancels = itertools.count(), itertools.count()

    class Jobs(Tasks):
        @property
        def sparkContext(self) -> Tasks:  # noqa: N802 - PySpark's name
            return self

        def parallelize(self, items: Any, count: int) -> Tasks:
            if next(numbers):
                in_time.append(cancelled.wait(10))
                raise PySparkException("cancelled")
            return super().parallelize(items, count)

        def cancelJobsWithTag(self, tag: str) -> None:  # noqa: N802 - PySpark's name
            if next(cancels) == 2:
                cancelled.set()

    monkeypatch.setattr(export_batch, "MOST_PARTS", 1)
    work = Exporter(server, store, session=Jobs)
    outcomes = cast(Generator[Outcome], work.execute(work.plan(Request("t", path))))
    first = next(outcomes)
    with pytest.raises(KeyboardInterrupt):
        outcomes.throw(KeyboardInterrupt)
    assert in_time and all(in_time)
    assert files(store, path) == [first.key]
    assert store.uploads(Place.parse(path)) == []
    assert not any("_exporting_" in key for key, _ in store.objects(Place.parse(path)))


def test_batches_keep_to_their_size() -> None:
    def planned(size: int) -> PlannedPart:
        return PlannedPart(Part("1_1_1_0", "1", 1, 1, 1, size, size, "", ""), "", "", "")

    sizes = [
        [one.part.compressed for one in batch]
        for batch in batches(
            [planned(size) for size in (MOST_BYTES * 3, 1, 2, MOST_BYTES, MOST_BYTES - 1, 1, 1)]
        )
    ]
    assert sizes == [[MOST_BYTES * 3], [1, 2], [MOST_BYTES], [MOST_BYTES - 1, 1], [1]]
    assert [len(batch) for batch in batches([planned(1)] * (2 * MOST_PARTS + 1))] == [
        MOST_PARTS,
        MOST_PARTS,
        1,
    ]
    assert list(batches([])) == []


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
        (Kind.UPLOAD_PART, Status(), 1),
        (Kind.COMPLETE_UPLOAD, Reset(after_reply=False), 1),
        (Kind.COMPLETE_UPLOAD, Reset(after_reply=True), 1),
        (Kind.PUT, Reset(after_reply=True), 1),
    ],
)
def test_a_store_that_stumbles(
    server: Server, store: Store, table: str, path: str, kind: Kind, effect: Any, times: int
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
        with proxy.fault(Kind.COMPLETE_UPLOAD, Status(403, "AccessDenied"), times=None) as fault:
            (outcome,) = export(server, behind, path, part)
        assert fault.hits == 1
    assert outcome.status == "failed" and "AccessDenied" in outcome.error
    assert nothing_is_there(store, path)


def test_the_log_tells_what_happened(
    node: EmbeddedNode, server: Server, store: Store, table: str, path: str
) -> None:
    log = ExportLog(server, f"{server.database}_log")
    part = parts(server)[0]
    try:
        (done,) = export(server, store, path, part, log=log, bandwidth=1e6)
        export(server, store, path, part, log=log)
        export(server, store, path, part, log=log, if_exists="error")
        rows = node.query(
            f"SELECT status, rows_read, bytes_written FROM {log.database}.exports ORDER BY create_time"
        )
        assert [status for status, *_ in rows] == ["succeeded", "skipped", "failed"]
        assert rows[0][1:] == (source_sums(server, f"_part = '{part}'")[0], done.size)
        events: dict[str, int] = dict(node.query(f"SELECT event, value FROM {log.database}.events"))
        assert (events["PartsExports"], events["PartsExportFailures"]) == (1, 1)
        assert events["PartsExportDuplicated"] == 2 and events["ExportsThrottlerBytes"] > 0
        assert node.value(f"SELECT value FROM {log.database}.metrics") == 0
        assert [row["status"] for row in log.history(1)] == ["failed"]
        # An INSERT whose answer was lost may be made again.
        node.query(f"INSERT INTO {log.database}.log SELECT * FROM {log.database}.log")
        again: dict[str, int] = dict(node.query(f"SELECT event, value FROM {log.database}.events"))
        assert again == events
        # Of an export that was killed a minute ago nothing more is heard.
        node.query(
            f"INSERT INTO {log.database}.log (event_time, create_time, export_id, status) "
            "SELECT now64(3) - number, now64(3) - 100, toString(number), 'running' FROM "
            "(SELECT arrayJoin([1, 99]) AS number)"
        )
        abandoned = f"SELECT status FROM {log.database}.exports WHERE export_id IN ('1', '99')"
        assert sorted(node.column(abandoned)) == ["abandoned", "running"]
        assert node.value(f"SELECT value FROM {log.database}.metrics") == 1
    finally:
        node.query(f"DROP DATABASE IF EXISTS {log.database}")
