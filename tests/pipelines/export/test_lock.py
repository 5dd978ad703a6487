"""The lock of an export: who holds it, how long, and that only one gets it."""

from __future__ import annotations

import itertools
import time

import pytest

from pipelines.export import lock as export_lock
from pipelines.export.errors import ExportRefused
from pipelines.export.lock import ExportLock
from pipelines.s3.store import Place, Store

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
