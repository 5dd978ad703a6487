"""A folder for what a session writes while it runs; what a killed process left is removed later."""

from __future__ import annotations

import fcntl
import shutil
import tempfile
import time
from pathlib import Path
from typing import IO

PREFIX = "pipelines-spark-"
LOCK = "in-use"
# Younger ones may be about to take their lock.
SECONDS = 60.0


class Scratch:
    """A folder that is locked as long as it is in use, which a `kill -9` ends as well."""

    def __init__(self) -> None:
        sweep()
        self.path = Path(tempfile.mkdtemp(prefix=PREFIX))
        self._lock: IO[str] = (self.path / LOCK).open("w")
        fcntl.flock(self._lock, fcntl.LOCK_EX)

    def remove(self) -> None:
        self._lock.close()
        shutil.rmtree(self.path, ignore_errors=True)


def sweep() -> None:
    """Remove the folders that nobody uses."""
    for folder in Path(tempfile.gettempdir()).glob(f"{PREFIX}*"):
        try:
            if time.time() - folder.stat().st_mtime < SECONDS:
                continue
            with (folder / LOCK).open("r") as lock:
                fcntl.flock(lock, fcntl.LOCK_SH | fcntl.LOCK_NB)
                shutil.rmtree(folder, ignore_errors=True)
        except OSError:  # in use, gone meanwhile, or of another user
            continue
