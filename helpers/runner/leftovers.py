"""Processes that a scenario leaves behind, also in a session of their own: found, reported and ended.

A process that adopts orphans gets every descendant whose parent has ended as its own child, so that
nothing can get out of sight by starting a session of its own.
"""

from __future__ import annotations

import contextlib
import ctypes
import os
import signal
from collections.abc import Callable
from pathlib import Path

from helpers.base.time_limits import scaled
from helpers.cluster.processes.process import RUN_MARK, was_started_here
from pipelines.system.processes import children
from pipelines.system.waiting import poll

PR_SET_CHILD_SUBREAPER = 36
GRACE_SECONDS = 1.0
SPARK = (b"org.apache.spark", b"pyspark.daemon", b"-XX:ArchiveClassesAtExit")
LONGEST_COMMAND = 120


def adopt_orphans() -> None:
    """From now on descendants whose parent ends become children of this process."""
    ctypes.CDLL(None).prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0)


def of_spark(pid: int) -> bool:
    """Whether a process is one of Spark's, which Spark ends itself."""
    command = _read(pid, "cmdline")
    return any(part in command for part in SPARK)


def has_mark(pid: int, value: str) -> bool:
    """Whether a process belongs to the run of this mark."""
    return f"{RUN_MARK}={value}".encode() in _read(pid, "environ").split(b"\0")


def collect_ended() -> None:
    """Collect adopted processes that have ended, which would else stay as defunct ones.

    For a process that waits by itself for those that it has started.
    """
    for pid in children(os.getpid()):
        if not was_started_here(pid) and not _runs(pid):
            with contextlib.suppress(ChildProcessError):
                os.waitpid(pid, os.WNOHANG)


def end_leftovers(is_leftover: Callable[[int], bool], grace: float = GRACE_SECONDS) -> list[str]:
    """End the children of this process that are left over and do not end by themselves; what they were.

    Ending one may orphan others, so it is looked again until nothing is left.
    """
    ended: dict[int, str] = {}
    while True:
        pids = [pid for pid in children(os.getpid()) if pid not in ended and is_leftover(pid)]
        if not pids or _gone(pids, grace):
            return list(ended.values())
        for pid in filter(_runs, pids):
            command = _read(pid, "cmdline").replace(b"\0", b" ").decode(errors="replace").strip()
            ended[pid] = f"{pid} {command[:LONGEST_COMMAND]}"
            with contextlib.suppress(ProcessLookupError):
                os.kill(pid, signal.SIGKILL)
        _gone(pids, grace)


def _runs(pid: int) -> bool:
    state = _read(pid, "stat").rpartition(b")")[2].split()
    return bool(state) and state[0] != b"Z"


def _gone(pids: list[int], seconds: float) -> bool:
    """Whether all of them end within this time; those that did are collected."""
    gone = bool(poll(lambda: not any(map(_runs, pids)), scaled(seconds)))
    for pid in pids:
        with contextlib.suppress(ChildProcessError):
            os.waitpid(pid, os.WNOHANG)
    return gone


def _read(pid: int, name: str) -> bytes:
    try:
        return Path(f"/proc/{pid}/{name}").read_bytes()
    except OSError:
        return b""
