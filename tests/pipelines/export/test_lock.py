"""The lock of an export: who holds it, how long, and that only one gets it."""

from __future__ import annotations

import itertools
import time

import pytest

from pipelines.clickhouse.server import Server
from pipelines.export import lock as export_lock
from pipelines.export.errors import ExportRefused
from pipelines.export.lock import ExportLock
from pipelines.export.plan import Request
from pipelines.s3.store import Place, Store
from tests.pipelines.export.without_spark import export, exporter

LEASE = 2.0


@pytest.fixture
def hosts(monkeypatch: pytest.MonkeyPatch) -> None:
    """Every look at a lock comes from another machine, so its age alone tells whether its holder lives."""
    numbers = itertools.count()
    monkeypatch.setattr(export_lock, "_host", lambda: f"host{next(numbers)}")


def test_a_holder_that_renews_its_lock_keeps_it(hosts: None, store: Store, path: str) -> None:
    place = Place.parse(path)
    with ExportLock(store, place, "part", LEASE) as lock:
        time.sleep(LEASE + 1.5)  # the store tells whole seconds
        with pytest.raises(ExportRefused, match="PART_IS_TEMPORARILY_LOCKED"):
            ExportLock(store, place, "part", LEASE).__enter__()
        lock.check()
    assert store.objects(place) == []


def test_a_silent_holder_loses_it_after_its_lease(hosts: None, store: Store, path: str) -> None:
    place = Place.parse(path)
    silent = ExportLock(store, place, "part", lease=600)
    with silent:
        with pytest.raises(ExportRefused, match="PART_IS_TEMPORARILY_LOCKED"):
            ExportLock(store, place, "part", LEASE).__enter__()
        time.sleep(LEASE + 1.5)
        with ExportLock(store, place, "part", LEASE) as second:
            second.check()
            with pytest.raises(ExportRefused, match="has taken over"):
                silent.check()


def test_of_two_that_see_no_lock_one_gets_it(
    store: Store, path: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    place = Place.parse(path)
    with ExportLock(store, place, "part") as first:
        monkeypatch.setattr(ExportLock, "_held", lambda self: [])
        with pytest.raises(ExportRefused, match="PART_IS_TEMPORARILY_LOCKED"):
            ExportLock(store, place, "part").__enter__()
        monkeypatch.undo()
        first.check()


@pytest.mark.parametrize(
    ("stem", "waits"),
    [
        ("{partition}_1_99_7_{other}_{source}", True),  # the same table's merged part
        ("{name}_{other}_{source}", True),  # the same part of another replica
        ("{partition}_77_99_7_{other}_{source}", False),  # the same table's other rows
        ("{partition}_1_99_7_{other}_0123456789abcdef", False),  # another server's
    ],
)
def test_parts_with_the_same_rows_are_not_exported_at_once(
    server: Server, store: Store, table: str, path: str, stem: str, waits: bool
) -> None:
    (planned, *_) = exporter(server, store).plan(Request("t", path)).parts
    name, _, source = planned.stem.rsplit("_", 2)
    held = stem.format(
        partition=planned.part.partition_id, name=name, other="0" * 32, source=source
    )
    with ExportLock(store, Place.parse(path), held):
        (outcome,) = export(server, store, path, name)
    assert outcome.code == (384 if waits else 0), outcome.error
    assert waits == ("has the same rows" in outcome.error)
    (outcome,) = export(server, store, path, name)
    assert outcome.status == ("succeeded" if waits else "skipped")
