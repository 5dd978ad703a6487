"""What each way of an export leaves in the store after kill -9, and what the next run makes of it."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import NamedTuple

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from bench.export_ways import BUCKET, EXPORT, INSERT, LOCAL, SPARK, Lake, in_a_process
from helpers.cluster.embedded.node import EmbeddedNode
from pipelines.s3.store import Place
from pipelines.system.processes import descendants
from pipelines.system.waiting import poll

TABLE, PARTITIONS = "killed", 4
SECONDS = 180.0
WAYS = (INSERT, LOCAL, SPARK, EXPORT)
# When to kill, by how many uploads were begun and how many files a reader sees.
MOMENTS: dict[str, Callable[[int, int], bool]] = {
    "while it uploads": lambda uploads, files: uploads > 0,
    "at its first file": lambda uploads, files: files > 0,
}


class Left(NamedTuple):
    """What is there: files and rows that a reader sees, and uploads that nobody completed."""

    files: int
    rows: int
    uploads: int


@dataclass(frozen=True)
class Killed:
    """One way, killed at one moment and gone once more."""

    way: str
    moment: str
    left: Left
    again: str
    after: Left


def left(lake: Lake, path: str) -> Left:
    files, uploads = _seen(lake, path)
    rows = 0
    if files:
        ((rows,),) = lake.server.rows(f"SELECT count() FROM {lake.files(f'{path}/**.parquet')}")
    return Left(files, int(rows), uploads)


def _seen(lake: Lake, path: str, uploaded: str = "") -> tuple[int, int]:
    """How many files there are, and how many uploads of objects whose names end like this."""
    place = Place(BUCKET, f"{path}/")
    files = [key for key, _ in lake.store.objects(place) if key.endswith(".parquet")]
    uploads = [upload for upload in lake.store.uploads(place) if upload.key.endswith(uploaded)]
    return len(files), len(uploads)


def kill(process: subprocess.Popen[bytes], node: EmbeddedNode, way: str) -> None:
    """Kill who does the work, with all it has started; a killed server starts again."""
    others = descendants(process.pid)
    if way == INSERT:
        node.kill()
    else:
        os.killpg(process.pid, signal.SIGKILL)
    process.wait()
    poll(lambda: not any(Path(f"/proc/{pid}").exists() for pid in others), SECONDS)
    if way == INSERT:
        node.start()


def killed(lake: Lake, node: EmbeddedNode, rows: int) -> Iterator[Killed]:
    """Every way, killed at every moment."""
    lake = replace(lake, hive=True)
    lake.fill(TABLE, rows, PARTITIONS)
    for way in WAYS:
        for moment, has_come in MOMENTS.items():
            path = f"killed/{way}/{moment}".replace(" ", "_")

            def come(path: str = path, has_come: Callable[[int, int], bool] = has_come) -> bool:
                files, uploads = _seen(lake, path, ".parquet")
                return has_come(uploads, files)

            with in_a_process(way, lake, TABLE, path) as process:
                came = poll(come, SECONDS, give_up=lambda: process.poll() is not None)
                assert came, f"{way} ended before the moment {moment}"
                kill(process, node, way)
            after_kill = left(lake, path)
            with in_a_process(way, lake, TABLE, path) as process:
                again = "succeeds" if process.wait() == 0 else "fails"
            yield Killed(way, moment, after_kill, again, left(lake, path))
