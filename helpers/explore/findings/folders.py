"""The folder of the data of the explorer's servers.

Most of what histories cost a server is files that are made and removed. A SIGKILL leaves them as it would
on a disk; what only the loss of power shows is not explored.
"""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from helpers.runner.folder import RunFolder

MEMORY = Path("/dev/shm")
LEAST_BYTES = 2 << 30


@contextmanager
def data_folder(otherwise: Path) -> Iterator[Path]:
    """A folder in memory, which is gone afterwards, or the other one. What a run that was killed has left
    is removed by the next one."""
    if not MEMORY.is_dir() or shutil.disk_usage(MEMORY).free < LEAST_BYTES:
        yield otherwise
        return
    folder = RunFolder(MEMORY / f"regression-explore-{os.getuid()}")
    try:
        yield folder.data
    finally:
        folder.close()
        shutil.rmtree(folder.path, ignore_errors=True)
