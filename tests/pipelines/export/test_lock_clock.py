"""The lock of an export over a store in memory: a lease of 30 s by a clock that the test moves."""

from __future__ import annotations

import json
import os
import threading
import time
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from email.utils import format_datetime
from typing import Any

import pytest

from pipelines.errors import PipelineError
from pipelines.export import lock as export_lock
from pipelines.export.errors import ExportRefused
from pipelines.export.lock import LEASE_SECONDS, ExportLock
from pipelines.s3.store import Place

PLACE = Place("bucket", "lake/")
FIRST, SECOND = "lake/_exporting_part.000001", "lake/_exporting_part.000002"


class Memory:
    """What a lock asks of a store, and when each object was written."""

    def __init__(self) -> None:
        self.now = datetime(2026, 1, 1, tzinfo=UTC)
        self.written: dict[str, tuple[bytes, datetime]] = {}
        self.loses_answers = self.is_down = False

    def objects(self, place: Place) -> list[tuple[str, int]]:
        return sorted(
            (key, len(content))
            for key, (content, _) in self.written.items()
            if key.startswith(place.prefix)
        )

    def put_new(self, bucket: str, key: str, content: bytes) -> bool:
        is_new = key not in self.written
        if is_new:
            self.put(bucket, key, content)
        return is_new and not self.loses_answers

    def put(self, bucket: str, key: str, content: bytes) -> None:
        assert bucket == PLACE.bucket
        if self.is_down:
            raise PipelineError("down")
        self.written[key] = content, self.now

    def get(self, bucket: str, key: str) -> bytes | None:
        return self.written[key][0] if key in self.written else None

    def get_with_headers(self, bucket: str, key: str) -> tuple[bytes, dict[str, str]] | None:
        if key not in self.written:
            return None
        content, at = self.written[key]
        times = {"date": format_datetime(self.now), "last-modified": format_datetime(at)}
        return content, times

    def remove(self, bucket: str, keys: list[str]) -> None:
        if self.is_down:
            raise PipelineError("down")
        for key in keys:
            self.written.pop(key, None)


@pytest.fixture
def store() -> Any:
    return Memory()


@pytest.fixture
def host(monkeypatch: pytest.MonkeyPatch) -> Callable[[str], None]:
    """On which host the next call is made."""

    def move(name: str) -> None:
        monkeypatch.setattr(export_lock, "_host", lambda: name)

    move("one")
    return move


def is_free(store: Any, **options: Any) -> bool:
    try:
        with ExportLock(store, PLACE, "part", **options):
            return True
    except ExportRefused as refused:
        assert refused.code == 384 and "part is being exported to" in str(refused)
        return False


@pytest.mark.parametrize(("seconds", "free"), [(0, False), (29, False), (30, True), (3600, True)])
def test_another_host_waits_for_the_whole_lease(
    store: Any, host: Callable[[str], None], seconds: int, free: bool
) -> None:
    with ExportLock(store, PLACE, "part"):
        host("two")
        store.now += timedelta(seconds=seconds)
        assert is_free(store) == free
    assert store.written == {}
    assert LEASE_SECONDS == 30


def test_on_the_same_host_the_process_tells_whatever_the_age(
    store: Any, host: Callable[[str], None]
) -> None:
    with ExportLock(store, PLACE, "part"):
        store.now += timedelta(hours=1)
        assert not is_free(store)
        holder = json.loads(store.written[FIRST][0])
        assert (holder["host"], holder["pid"]) == ("one", os.getpid())
    assert is_free(store)


@pytest.mark.parametrize(
    ("changes", "free"),
    [
        ({"token": "of an export of this process that has ended"}, True),
        ({"pid": 1, "process_started": "never"}, True),
        ({"pid": 2**22 + 1}, True),
        ({"pid": os.getppid(), "process_started": export_lock._started(os.getppid())}, False),
        ({"pid": "no number"}, False),  # then its age tells
        ({"host": None}, False),
    ],
)
def test_a_lock_that_is_left(
    store: Any, host: Callable[[str], None], changes: dict[str, Any], free: bool
) -> None:
    ours = {
        "host": "one",
        "pid": os.getpid(),
        "process_started": export_lock._started(os.getpid()),
        "token": "somebody's",
    }
    store.put("bucket", FIRST, json.dumps({**ours, **changes}).encode())
    assert is_free(store) == free
    assert list(store.written) == ([] if free else [FIRST])


def test_what_is_no_lock_of_ours_keeps_it_as_long_as_it_is_new(store: Any) -> None:
    store.put("bucket", FIRST, b"not JSON")
    assert not is_free(store)
    store.now += timedelta(seconds=31)
    assert is_free(store)


def test_a_lock_that_is_taken_over_is_neither_renewed_nor_kept(
    store: Any, host: Callable[[str], None]
) -> None:
    silent = ExportLock(store, PLACE, "part")
    with silent:
        silent.check()
        host("two")
        store.now += timedelta(seconds=31)
        with ExportLock(store, PLACE, "part", lease=LEASE_SECONDS) as second:
            assert list(store.written) == [SECOND], "the number after the dead one, which is gone"
            with pytest.raises(ExportRefused, match="has taken over"):
                silent.check()
            # It wakes up again, and must not write its lock anew.
            taken = store.written[SECOND]
            ends = iter([False, True])
            silent._end.wait = lambda _seconds: next(ends)  # type: ignore[method-assign, assignment, misc]
            silent._renew()
            assert store.written == {SECOND: taken}
            second.check()
    with pytest.raises(ExportRefused, match="has taken over"):
        second.check()


def test_its_holder_renews_it_three_times_a_lease(store: Any, host: Callable[[str], None]) -> None:
    with ExportLock(store, PLACE, "part", lease=0.3) as lock:
        store.now += timedelta(seconds=31)
        store.is_down = True  # for a moment
        time.sleep(0.15)
        assert store.written[FIRST][1] < store.now
        store.is_down = False
        until = time.monotonic() + 5
        while store.written[FIRST][1] < store.now and time.monotonic() < until:
            time.sleep(0.01)
        host("two")
        assert store.written[FIRST][1] == store.now
        lock.check()
    waits: list[float] = []
    lock._end.wait = lambda seconds: bool(waits.append(seconds)) or True  # type: ignore[method-assign, assignment, misc, func-returns-value]
    lock.lease = 30
    lock._renew()
    assert waits == [10]


def test_of_an_answer_that_is_lost_the_second_attempt_finds_its_own(store: Any) -> None:
    store.loses_answers = True
    assert is_free(store)
    store.put("bucket", FIRST, b"somebody's")
    store.now += timedelta(seconds=31)
    store.objects = lambda place: []
    assert not is_free(store), "the number is somebody's by now"


def test_parts_with_the_same_rows_wait_for_each_other(
    store: Any, host: Callable[[str], None]
) -> None:
    with ExportLock(store, PLACE, "part_a"), ExportLock(store, PLACE, "part_b") as second:
        second.refuse_conflicts("part", lambda stem: False)
        second.refuse_conflicts("other", lambda stem: True)
        with pytest.raises(ExportRefused, match="part_a, which has the same rows as part_b") as no:
            second.refuse_conflicts("part", lambda stem: stem == "part_a")
        assert no.value.code == 384
        second.refuse_conflicts("part", lambda stem: stem == "part_b")  # its own
        host("two")
        store.now += timedelta(seconds=31)
        second.refuse_conflicts("part", lambda stem: stem == "part_a")  # it is dead


def test_a_process_that_ended_or_waits_to_be_reaped_does_not_run() -> None:
    assert export_lock._started(os.getpid()).isdigit()
    child = os.fork()
    if not child:
        os._exit(0)
    until = time.monotonic() + 5
    while export_lock._started(child) and time.monotonic() < until:
        time.sleep(0.01)
    assert export_lock._started(child) == ""
    os.waitpid(child, 0)
    assert export_lock._started(child) == ""
    assert export_lock._host()


def test_its_thread_keeps_no_process_alive_and_ends_with_it(store: Any) -> None:
    def threads() -> list[threading.Thread]:
        return [each for each in threading.enumerate() if each.name == "export lock"]

    before = threads()
    with ExportLock(store, PLACE, "part"):
        (renewing,) = [each for each in threads() if each not in before]
        assert renewing.daemon
    assert not renewing.is_alive()
    ExportLock(store, PLACE, "part").__exit__()  # one that was never entered


def test_what_a_store_that_is_down_keeps_is_no_lock_any_more(store: Any) -> None:
    with ExportLock(store, PLACE, "part"):
        store.is_down = True
    store.is_down = False
    assert list(store.written) == [FIRST]
    assert is_free(store)


def test_a_lock_that_goes_while_it_is_looked_at_is_none(store: Any) -> None:
    store.objects = lambda place: [(FIRST, 1)]
    assert is_free(store)


@pytest.mark.parametrize("headers", [{}, {"date": "today", "last-modified": "yesterday"}])
def test_a_lock_of_unknown_age_is_held(store: Any, headers: dict[str, str]) -> None:
    store.put("bucket", FIRST, b"{}")
    store.get_with_headers = lambda bucket, key: (b"{}", headers)
    assert not is_free(store)
