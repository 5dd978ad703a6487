"""The folder of a run: made, locked while the run lives, swept up after a run that was killed."""

from __future__ import annotations

import fcntl
import secrets
import shutil
from datetime import UTC, datetime
from pathlib import Path
from typing import IO

from helpers.errors import UsageError

LOCK = "running.lock"
RESULTS = "results.json"
LATEST = "latest"


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
        fcntl.flock(self._lock, fcntl.LOCK_EX)
        sweep(parent, self.id)

    @property
    def data(self) -> Path:
        return self.path / "data"

    def make_latest(self) -> None:
        """Point `latest` here, at once: whoever looks sees the old one or this one."""
        link = self.path.parent / LATEST
        fresh = link.with_name(f".{self.id}")
        fresh.symlink_to(self.id)
        fresh.replace(link)

    def close(self) -> None:
        """Take away what only mattered while the run lived."""
        shutil.rmtree(self.path / "tmp", ignore_errors=True)
        for file in [*self.path.glob("worker-*.out"), *self.path.glob("worker-*.stack")]:
            if file.stat().st_size == 0:
                file.unlink()
        for folder in (self.data, self.path / "scenarios"):
            if folder.is_dir() and not any(folder.iterdir()):
                folder.rmdir()
        (self.path / LOCK).unlink(missing_ok=True)
        self._lock.close()


def sweep(parent: Path, own: str) -> None:
    """Remove the servers' data of runs that were killed: their lock is there, but nobody holds it."""
    for lock in parent.glob(f"*/{LOCK}"):
        if lock.parent.name in (own, LATEST):
            continue
        with lock.open() as held:
            try:
                fcntl.flock(held, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except OSError:
                continue
            for leftover in ("data", "tmp"):
                shutil.rmtree(lock.parent / leftover, ignore_errors=True)
            lock.unlink(missing_ok=True)
