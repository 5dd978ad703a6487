"""A folder for the files of a running session; what a killed process left is removed later."""

from __future__ import annotations

import shutil
import tempfile
import time
from pathlib import Path
from typing import IO

from pipelines.system import locks

PREFIX = "pipelines-spark-"
LOCK = "in-use"
# The owner of a younger folder may not have locked it yet.
SECONDS = 60.0


class SessionFolder:
    """A folder that is locked while it is in use, until its process ends, however it ends."""

    def __init__(self) -> None:
        remove_abandoned()
        self.path = Path(tempfile.mkdtemp(prefix=PREFIX))
        self._lock: IO[str] = (self.path / LOCK).open("w")
        locks.lock(self._lock)

    def remove(self) -> None:
        self._lock.close()
        shutil.rmtree(self.path, ignore_errors=True)


def remove_abandoned() -> None:
    """Remove the folders whose processes are gone."""
    for folder in Path(tempfile.gettempdir()).glob(f"{PREFIX}*"):
        try:
            if time.time() - folder.stat().st_mtime < SECONDS:
                continue
            with (folder / LOCK).open("r") as file:
                if locks.try_lock(file):
                    shutil.rmtree(folder, ignore_errors=True)
        except OSError:  # removed meanwhile, or of another user
            continue
