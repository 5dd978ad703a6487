"""The packages of Spark, which are installed while scenarios run that do not need them."""

from __future__ import annotations

import signal
import time
from collections.abc import Callable, Iterable
from pathlib import Path

from helpers.base.paths import ROOT
from helpers.cluster.capabilities import Capability
from helpers.cluster.processes import process
from helpers.cluster.processes.process import Child
from helpers.scenario.scenario import Job
from helpers.setup import later

OUTPUT = "packages.out"
NEEDED_BY = frozenset({Capability.SPARK, Capability.HDFS, Capability.PYARROW, Capability.DUCKDB})
STOP_SECONDS = 8.0
NOTE_SECONDS = 15.0


class Packages:
    """Their installation, if jobs need them and they are not there.

    A run whose packages cannot be installed executes what does not need them and fails then.
    """

    def __init__(self, jobs: Iterable[Job], folder: Path, say: Callable[[str], None]) -> None:
        waiting = sum(map(self._is_needed_by, jobs))
        self.failure = ""
        self._say = say
        self._said = time.monotonic()
        self._child: Child | None = None
        if waiting and later.are_missing():
            self._child = process.start(later.COMMAND, cwd=ROOT, output=folder / OUTPUT)
            say(f"Spark is needed by {waiting} of them: {later.size()} MB are installed meanwhile.")

    def holds(self, job: Job) -> bool:
        """Whether a job has to wait."""
        return (self._child is not None or bool(self.failure)) and self._is_needed_by(job)

    def have_come(self) -> bool:
        """Whether the installation has ended since this was asked last."""
        if self._child is None or self._child.alive:
            return False
        if not self._child.wait(0) or not self._child.ending.endswith(" 0"):
            self.failure = self._why()
        self._child = None
        return True

    def tell(self) -> None:
        """Say now and then what the installation is doing, while nothing else is done."""
        if self._child is not None and time.monotonic() - self._said > NOTE_SECONDS:
            self._said = time.monotonic()
            self._say(f"Waiting for the packages of Spark: {later.progress()}")

    def stop(self) -> None:
        """End the installation; the next run begins it anew."""
        if self._child is not None:
            self._child.signal(signal.SIGTERM)
            if not self._child.wait(STOP_SECONDS):
                self._child.kill()
            self._child = None

    def _why(self) -> str:
        assert self._child is not None
        said = self._child.last_output(40)
        _, _, error = said.rpartition("later.py: ")
        return f"The packages of Spark could not be installed: {error or self._child.ending}"

    @staticmethod
    def _is_needed_by(job: Job) -> bool:
        return not NEEDED_BY.isdisjoint(job.scenario.marks.needs)
