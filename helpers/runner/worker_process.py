"""A worker process as its parent sees it."""

from __future__ import annotations

import contextlib
import json
import os
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from helpers.cluster import process
from helpers.paths import ROOT
from helpers.runner.discover import Scenario
from helpers.runner.protocol import EVENTS, Job


class WorkerProcess:
    """Takes one scenario at a time and tells what becomes of it."""

    def __init__(self, job: Job, folder: Path) -> None:
        self.number = job.number
        self.scenario: Scenario | None = None
        self.ready = False
        self.since = time.monotonic()
        self.step = ""
        self._buffer = b""
        self.events, told = os.pipe()
        handed, self._handing = os.pipe()
        os.set_blocking(self.events, False)
        temporary = folder / "tmp"
        temporary.mkdir(exist_ok=True)
        self.child = process.start(
            [sys.executable, "-m", "helpers.runner.worker"],
            cwd=ROOT,
            output=folder / f"worker-{job.number}.out",
            env={
                **os.environ,
                EVENTS: str(told),
                "PYTHONPATH": os.pathsep.join([str(ROOT), os.environ.get("PYTHONPATH", "")]),
                "TMPDIR": str(temporary),
            },
            pass_fds=[told],
            stdin=handed,
        )
        os.close(told)
        os.close(handed)
        self._send(job.line())

    def hand(self, scenario: Scenario) -> None:
        self.scenario, self.since, self.step = scenario, time.monotonic(), ""
        self._send(json.dumps([scenario.name, scenario.marks.seconds]) + "\n")

    def dismiss(self) -> None:
        """No more work: it ends by itself."""
        if self._handing >= 0:
            os.close(self._handing)
            self._handing = -1

    def told(self) -> Iterator[dict[str, Any]] | None:
        """The events that have arrived, or None if its end of the pipe is closed."""
        try:
            data = os.read(self.events, 1 << 20)
        except BlockingIOError:
            return iter(())
        if not data:
            return None
        *lines, self._buffer = (self._buffer + data).split(b"\n")
        return (json.loads(line) for line in lines)

    def end(self) -> None:
        self.child.kill()
        self.dismiss()
        with contextlib.suppress(OSError):
            os.close(self.events)

    def _send(self, line: str) -> None:
        with contextlib.suppress(BrokenPipeError):  # it died: its silence says so
            os.write(self._handing, line.encode())
