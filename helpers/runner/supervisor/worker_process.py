"""A worker process as the supervisor sees it."""

from __future__ import annotations

import contextlib
import os
import shutil
import sys
import time
from dataclasses import replace
from pathlib import Path

from helpers.base.paths import ROOT
from helpers.cluster.processes import process
from helpers.runner import evidence
from helpers.runner.protocol import EventReader, WorkerConfig, encode_job
from helpers.runner.supervisor.worker_output import WorkerOutput
from helpers.scenario.result import Broke, Result, ScenarioResult
from helpers.scenario.scenario import Job


class WorkerProcess:
    """Executes one job at a time and sends events about it."""

    def __init__(self, config: WorkerConfig) -> None:
        self.config = config
        self.folder = folder = Path(config.folder)
        self.number = config.number
        self.job: Job | None = None
        self.ready = False
        self.since = time.monotonic()
        self.step = ""
        # The result of a failed scenario whose servers are kept until the user continues.
        self.failed: ScenarioResult | None = None
        self.broke = Broke.ENVIRONMENT
        """What ends its job if it has to be removed."""
        self.events = EventReader()
        jobs_in, self._jobs = os.pipe()
        temporary = folder / "tmp"
        temporary.mkdir(exist_ok=True)
        self._output = WorkerOutput(folder / f"worker-{config.number}.out")
        self.child = process.start(
            [sys.executable, "-m", "helpers.runner.worker.program"],
            cwd=ROOT,
            output=self._output.file,
            stdout=self._output.writing,
            env={
                **self.events.variables,
                "TMPDIR": str(temporary),
                process.RUN_MARK: str(folder),
            },
            pass_fds=[self.events.writing],
            stdin=jobs_in,
        )
        self._output.started()
        os.close(self.events.writing)
        os.close(jobs_in)
        self._send(config.encode())

    def dispatch(self, job: Job) -> None:
        self.job, self.since, self.step = job, time.monotonic(), ""
        self._send(encode_job(job))

    def resume(self) -> None:
        """Continue after a pause."""
        self._send("\n")

    def dismiss(self) -> None:
        """Close its queue: it ends by itself."""
        if self._jobs >= 0:
            os.close(self._jobs)
            self._jobs = -1

    def last_output(self, lines: int) -> str:
        """The end of what it printed, once it has ended."""
        self._output.close()
        return self.child.last_output(lines)

    def error(self, job: Job, reason: str, details: str) -> ScenarioResult:
        """The result of a job during which it was killed or died, with what is left as evidence."""
        reason += f", in the step '{self.step}'" if self.step else ""
        folder = evidence.folder_of(self.folder, job)
        folder.mkdir(parents=True, exist_ok=True)
        result = replace(
            job.planned(self.config.rerun(job)),
            result=Result.ERROR,
            reason=reason,
            message=reason + (f"\n\n{details}" if details else ""),
            broke=self.broke,
            step=self.step or None,
            seconds=round(time.monotonic() - self.since, 3),
            statements=evidence.shown(evidence.statements_of(folder)),
        )
        if not self.config.keeps_evidence(job.mutant):
            for leftover in (folder, *self.folder.glob(f"data/worker-{self.number}-*")):
                shutil.rmtree(leftover, ignore_errors=True)
            return result
        evidence.collect(folder, result)
        return replace(result, folder=str(folder.relative_to(self.folder)))

    def kill(self) -> None:
        self.child.kill()
        self.dismiss()
        self._output.close()
        with contextlib.suppress(OSError):
            os.close(self.events.descriptor)

    def _send(self, line: str) -> None:
        with contextlib.suppress(
            BrokenPipeError
        ):  # it died, which is noticed when its pipe of events closes
            os.write(self._jobs, line.encode())
