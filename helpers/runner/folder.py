"""The folder of a run: created, locked during the run, cleaned up after a run that was killed."""

from __future__ import annotations

import json
import re
import secrets
import shutil
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import IO

from helpers.base.errors import UsageError
from pipelines.system import locks

LOCK = "running.lock"
LATEST = "latest"
RUN = re.compile(r"\d{8}-\d{6}-[0-9a-f]{4}")
KEEP_FAILED = timedelta(days=7)


class RunFolder:
    """results/<run>, ours alone until `close`."""

    def __init__(self, parent: Path) -> None:
        self.started = datetime.now(UTC)
        self.id = f"{self.started:%Y%m%d-%H%M%S}-{secrets.token_hex(2)}"
        self.path = (parent / self.id).resolve()
        try:
            self.path.mkdir(parents=True)
            self._lock: IO[str] = (self.path / LOCK).open("w")
        except OSError as error:
            raise UsageError(
                f"Results cannot be written to {parent}: {error.strerror}. Name a folder that can "
                "be written with --results."
            ) from None
        locks.lock(self._lock)
        sweep(parent, self.id)

    @property
    def data(self) -> Path:
        return self.path / "data"

    def make_latest(self) -> None:
        """Replace the link `latest` atomically."""
        link = self.path.parent / LATEST
        fresh = link.with_name(f".{self.id}")
        fresh.symlink_to(self.id)
        fresh.replace(link)

    def close(self) -> None:
        """Remove what is only needed while the run is going on."""
        shutil.rmtree(self.path / "tmp", ignore_errors=True)
        for file in [*self.path.glob("worker-*.out"), *self.path.glob("worker-*.stack")]:
            if file.stat().st_size == 0:
                file.unlink()
        for folder in (self.data, self.path / "scenarios"):
            if folder.is_dir() and not any(folder.iterdir()):
                folder.rmdir()
        (self.path / LOCK).unlink(missing_ok=True)
        self._lock.close()


def ended_runs(parent: Path) -> list[str]:
    """The runs in a folder of results that do not run any more, however they ended."""
    runs = (path for path in parent.glob("*-*-*") if RUN.fullmatch(path.name))
    return [run.name for run in runs if not _is_running(run)]


def _is_running(run: Path) -> bool:
    """Whether a process holds the lock of a run; the lock file of a killed run may still exist."""
    try:
        with (run / LOCK).open() as held:
            return not locks.try_lock(held)
    except OSError:
        return False


def prune(parent: Path, keep: int) -> None:
    """Remove the results of old runs: all but the newest `keep`, and never those of a run that failed less
    than a week ago, of one that is running, or of the latest."""
    runs = sorted((path for path in parent.glob("*-*-*") if RUN.fullmatch(path.name)), reverse=True)
    latest = (parent / LATEST).resolve()
    for run in runs[keep:]:
        if run.resolve() == latest or (run / LOCK).exists():
            continue
        if _failed(run) and datetime.now(UTC) - _started(run) < KEEP_FAILED:
            continue
        shutil.rmtree(run, ignore_errors=True)


def _failed(run: Path) -> bool:
    """Whether a run failed; one that left no results did."""
    try:
        return bool(json.loads((run / "results.json").read_bytes())["run"]["exit_code"] != 0)
    except (OSError, ValueError, KeyError, TypeError):
        return True


def _started(run: Path) -> datetime:
    return datetime.strptime(run.name[:15], "%Y%m%d-%H%M%S").replace(tzinfo=UTC)


def sweep(parent: Path, own: str) -> None:
    """Remove the servers' data of runs that were killed: their lock file exists, but no process holds it."""
    for lock in parent.glob(f"*/{LOCK}"):
        if lock.parent.name in (own, LATEST):
            continue
        with lock.open() as held:
            if not locks.try_lock(held):
                continue
            for leftover in ("data", "tmp"):
                shutil.rmtree(lock.parent / leftover, ignore_errors=True)
            lock.unlink(missing_ok=True)
