"""Small parts share a job of Spark, and each ends for itself."""

from __future__ import annotations

import itertools
import threading
from collections.abc import Generator
from pathlib import Path
from typing import Any, cast

import pytest
from pyspark.errors import PySparkException

from helpers.cluster.embedded.node import EmbeddedNode
from pipelines.clickhouse.server import Server
from pipelines.export import batch as export_batch
from pipelines.export import lock as export_lock
from pipelines.export.batch import MOST_BYTES, MOST_PARTS, batches
from pipelines.export.destination import place_destination
from pipelines.export.exporter import Exporter, Outcome
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
        return PlannedPart(Part("1_1_1_0", "1", 1, 1, 1, size, size, "", ""), "", "", "", "")

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


def test_a_damaged_part_spares_the_others(
    node: EmbeddedNode, server: Server, store: Store, path: str
) -> None:
    node.query(
        "CREATE TABLE t (p UInt8, n UInt64) ENGINE = MergeTree PARTITION BY p ORDER BY tuple() "
        "SETTINGS min_bytes_for_wide_part = 0"
    )
    node.query("INSERT INTO t SELECT number % 3, number FROM numbers(900)")
    damaged, *sound = parts(server)
    (folder,) = node.column(
        f"SELECT path FROM system.parts WHERE name = '{damaged}' AND table = 't' AND active "
        f"AND database = '{node.database}'"
    )
    file = Path(folder) / "n.bin"
    content = bytearray(file.read_bytes())
    content[len(content) // 2] ^= 1
    file.unlink()
    file.write_bytes(content)
    outcomes = export(server, store, path)
    assert [(outcome.part, outcome.status) for outcome in outcomes] == [
        (damaged, "failed"),
        *((part, "succeeded") for part in sound),
    ], [outcome.error for outcome in outcomes]
    assert "Checksum doesn't match" in outcomes[0].error
    assert len(files(store, path)) == 2
