"""One export at a time for a part and a destination, across processes and machines.

The lock is an object in the store that its holder writes anew as long as it lives. Its name ends with a
number; who finds the holder dead creates the next number, which only one can. So nobody has to be asked,
and nothing has to be cleared away by hand after a crash.
"""

from __future__ import annotations

import json
import os
import socket
import threading
import uuid
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, field
from email.utils import parsedate_to_datetime
from pathlib import Path

from pipelines.errors import PipelineError
from pipelines.export.errors import ExportRefused
from pipelines.s3.store import Place, Store

PREFIX = "_exporting_"
LEASE_SECONDS = 30.0
# What this process holds: a store that is down keeps the objects of exports that have ended.
_held_here: set[str] = set()


@dataclass
class ExportLock:
    """`with ExportLock(store, place, stem) as lock:`; refused while somebody else holds it."""

    store: Store
    place: Place
    stem: str
    lease: float = LEASE_SECONDS
    _key: str = ""
    _token: str = field(default_factory=lambda: uuid.uuid4().hex)
    _end: threading.Event = field(default_factory=threading.Event)
    _thread: threading.Thread | None = None

    def __enter__(self) -> ExportLock:
        before = self._held()
        if before and self._lives(before[-1]):
            raise self._refused()
        number = int(before[-1].rpartition(".")[2]) + 1 if before else 1
        key = f"{self._prefix}{number:06}"
        bucket = self.place.bucket
        # Where the answer to the first attempt is lost, the second finds what the first one stored.
        if not self.store.put_new(bucket, key, self._content()):
            found = self.store.get(bucket, key) or b""
            if self._token.encode() not in found:
                raise self._refused()
        self._key = key
        _held_here.add(self._token)
        self._remove(before)
        self._thread = threading.Thread(target=self._renew, name="export lock", daemon=True)
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._end.set()
        if self._thread:
            self._thread.join()
        self._remove([self._key])
        _held_here.discard(self._token)

    def refuse_conflicts(self, begin: str, conflicts: Callable[[str], bool]) -> None:
        """Refuse to go on while an export runs that `conflicts` by its stem, which begins like this.

        Both take their locks before they look, so at least one of two sees the other.
        """
        prefix = f"{self.place.prefix}{PREFIX}"
        for key, _ in self.store.objects(Place(self.place.bucket, f"{prefix}{begin}")):
            stem = key.removeprefix(prefix).rpartition(".")[0]
            if stem != self.stem and conflicts(stem) and self._lives(key):
                raise ExportRefused(
                    "PART_IS_TEMPORARILY_LOCKED",
                    f"{stem}, which has the same rows as {self.stem}, is being exported to {self.place}: "
                    "wait for the end of that export.",
                )

    def check(self) -> None:
        """Refuse to go on where another export took over, as if this one were dead."""
        held = self._held()
        if not held or held[-1] != self._key:
            raise ExportRefused("ABORTED", f"Another export of {self.stem} has taken over.")

    def _content(self) -> bytes:
        pid = os.getpid()
        holder = {"host": _host(), "pid": pid, "process_started": _started(pid)}
        return json.dumps({**holder, "token": self._token}).encode()

    @property
    def _prefix(self) -> str:
        return f"{self.place.prefix}{PREFIX}{self.stem}."

    def _held(self) -> list[str]:
        """The locks there are, of which the last counts."""
        return [key for key, _ in self.store.objects(Place(self.place.bucket, self._prefix))]

    def _lives(self, key: str) -> bool:
        """Whether the holder runs: its process if that is on this machine, and the age of its lock."""
        found = self.store.get_with_headers(self.place.bucket, key)
        if found is None:
            return False
        content, headers = found
        with suppress(ValueError, KeyError, TypeError):
            holder = json.loads(content)
            if holder["host"] == _host():
                pid = int(holder["pid"])
                if pid == os.getpid():
                    return holder["token"] in _held_here
                if _started(pid) != holder["process_started"]:
                    return False
        with suppress(ValueError, KeyError, TypeError):
            age = parsedate_to_datetime(headers["date"]) - parsedate_to_datetime(
                headers["last-modified"]
            )
            return age.total_seconds() < self.lease
        return True

    def _renew(self) -> None:
        while not self._end.wait(self.lease / 3):
            with suppress(PipelineError):  # a store that does not answer now may do so next time
                if self._held()[-1:] == [self._key]:
                    self.store.put(self.place.bucket, self._key, self._content())

    def _remove(self, keys: list[str]) -> None:
        with suppress(PipelineError):
            self.store.remove(self.place.bucket, keys)

    def _refused(self) -> ExportRefused:
        return ExportRefused(
            "PART_IS_TEMPORARILY_LOCKED",
            f"{self.stem} is being exported to {self.place} already: wait for the end of that export.",
        )


def _host() -> str:
    with suppress(OSError):
        return Path("/proc/sys/kernel/random/boot_id").read_text().strip()
    return socket.gethostname()


def _started(pid: int) -> str:
    """When a process started, in the kernel's words; empty if there is none of that number."""
    with suppress(OSError):
        fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
        return "" if fields[0] == "Z" else fields[19]
    return ""
