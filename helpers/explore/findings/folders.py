"""The folders of the explorer: examples of earlier runs, and the data of its servers.

Most of what histories cost a server is files that are made and removed. A SIGKILL leaves them as it would
on a disk; what only the loss of power shows is not explored.
"""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import hypothesis

from helpers.base.errors import UsageError
from helpers.base.paths import from_here
from helpers.runner.folder import RunFolder

FORMAT = 5
"""Changes with the way histories are drawn: choices kept by another one would mean something else."""
STAMP = "version"
MEMORY = Path("/dev/shm")
LEAST_BYTES = 2 << 30


def check_examples(folder: Path) -> Path:
    """The folder in which Hypothesis keeps histories that differed, to try them first the next time.

    UsageError if another version has written it.
    """
    mine = f"hypothesis {hypothesis.__version__}, format {FORMAT}\n"
    stamp = folder / STAMP
    try:
        folder.mkdir(parents=True, exist_ok=True)
        if not stamp.exists() and not any(folder.iterdir()):
            stamp.write_text(mine, encoding="utf-8")
        written_by = stamp.read_text(encoding="utf-8") if stamp.exists() else "nobody knows\n"
    except (OSError, UnicodeDecodeError) as error:
        raise UsageError(f"The examples in {from_here(folder)} cannot be used: {error}.") from None
    if written_by != mine:
        raise UsageError(
            f"The examples in {from_here(folder)} are from another version ({written_by.strip()[:60]}); "
            "remove the folder, or name another one for the results with --results."
        )
    return folder


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
