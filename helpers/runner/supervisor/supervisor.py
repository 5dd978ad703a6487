"""The supervisor: assigns queued jobs to idle workers, watches them, and loses no result.

A job that was dispatched has a result in the end, whatever happens to its worker: it finished, it ran
out of time, or the worker died. A job that was never dispatched is NotRun.
"""

from __future__ import annotations

import contextlib
import os
import selectors
import socket
import sys
import time
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, NoReturn, Protocol

from helpers.base.errors import EnvironmentFailed
from helpers.base.signals import on_signals
from helpers.base.time_limits import scaled
from helpers.cluster.processes import process
from helpers.runner import leftovers
from helpers.runner.protocol import WorkerConfig
from helpers.runner.supervisor import stacks
from helpers.runner.supervisor.job_queue import JobQueue, Limits, NextJobs
from helpers.runner.supervisor.packages import Packages
from helpers.runner.supervisor.worker_process import WorkerProcess
from helpers.runner.worker.program import STACK_SIGNAL
from helpers.scenario.result import Broke, ScenarioResult
from helpers.scenario.scenario import Job

START_SECONDS = 150.0
"""A worker starts its first node in this time, and another one if that is too slow."""
LEFTOVER_SECONDS = 3.0
TICK = 0.2


class Progress(Protocol):
    """Shows the progress of a run."""

    def added(self, count: int) -> None: ...
    def started(self, worker: int, title: str) -> None: ...
    def step(self, worker: int, step: str) -> None: ...
    def detail(self, worker: int, text: str) -> None: ...
    def finished(self, worker: int, result: ScenarioResult) -> None: ...
    def note(self, text: str) -> None: ...


class Supervisor:
    """Executes jobs and has a result for each of them (job_queue.py says what `next_jobs` is)."""

    def __init__(
        self,
        jobs: Sequence[Job],
        config: WorkerConfig,
        limits: Limits,
        progress: Progress,
        next_jobs: NextJobs = lambda *_: (),
    ) -> None:
        self.queue = JobQueue(jobs, limits, next_jobs, lambda job: self._packages.holds(job))
        self.config = config
        self.limits = limits
        self.progress = progress
        self.folder = Path(config.folder)
        self.interrupted: str | None = None
        self._packages = Packages(jobs, self.folder, progress.note)
        self.clickhouse = ""
        self.build = ""
        self._workers: dict[int, WorkerProcess] = {}
        self._slow: list[tuple[WorkerProcess, str]] = []
        self._started = 0
        self._stopping = False
        self._selector = selectors.DefaultSelector()
        self._woken, self._wake = socket.socketpair()

    def run(self) -> None:
        leftovers.adopt_orphans()
        self._selector.register(self._woken, selectors.EVENT_READ, None)
        with on_signals(self._interrupt):
            try:
                if not self.interrupted:  # already, while the folder was made
                    self._start_workers()
                while self._workers and not self.interrupted:
                    self._handle_events()
                    self._enforce_time_limits()
                    self._look_at_packages()
                    leftovers.collect_ended()
            finally:
                self._packages.stop()
                for worker in list(self._workers.values()):
                    self._remove(worker, self.interrupted or "the run was given up")
                self._selector.close()
                self._woken.close()
                self._wake.close()

    def results(self) -> list[ScenarioResult]:
        """One for each job, in the order of the jobs."""
        return self.queue.results(self._not_run)

    def _handle_events(self) -> None:
        for key, _ in self._selector.select(TICK):
            worker: WorkerProcess | None = key.data
            if key.fileobj is self._woken:
                self._woken.recv(100)
                continue
            if worker is None:
                self._resume()
                continue
            events = worker.events.received()
            if events is None:
                self._worker_ended(worker)
                continue
            for event in events:
                self._handle(worker, event)

    def _handle(self, worker: WorkerProcess, event: dict[str, Any]) -> None:
        kind = event["event"]
        if kind == "step":
            worker.step = event["step"]
            self.progress.step(worker.number, worker.step)
        elif kind == "statement":
            self.progress.detail(worker.number, event["text"])
        elif kind == "paused":
            self._pause(worker, ScenarioResult.from_event(event["result"]), event["text"])
        elif kind == "ready":
            worker.ready = True
            self.clickhouse, self.build = event["clickhouse"], event["build"]
            self._charge_slow()
        elif kind == "finished":
            job, worker.job = worker.job, None
            assert job is not None
            self._record(worker, job, ScenarioResult.from_event(event["result"]))
            if event["over"] is not None:
                self._fail(event["over"])
            self._assign()
        elif kind == "environment failed":
            if not event["slow"]:
                self._fail(event["reason"])
            self._not_started(worker, event["reason"])
        elif kind == "gave up":
            worker.step = ""  # it was left before
            reason = f"failed outside of the scenario: {event['reason']}"
            self._lost(worker, reason, event["details"])

    def _fail(self, reason: str) -> NoReturn:
        """Stop, because the environment did not start or has broken down."""
        self._stopping = True
        raise EnvironmentFailed(reason)

    def _not_started(self, worker: WorkerProcess, reason: str) -> None:
        """The first node of a worker was too slow. The run ends if that is so for all workers."""
        self._remove(worker, "")
        self._slow.append((worker, reason))
        if self.clickhouse:
            self._charge_slow()
        elif not self._workers:
            self._fail(reason)

    def _charge_slow(self) -> None:
        """End one scenario as an Error for each worker that did not start, so that the run ends some time."""
        while self._slow:
            worker, reason = self._slow.pop()
            job = None if self._stopping else self.queue.next_for(worker.number, self._workers)
            if job is not None:
                self._record(worker, job, worker.error(job, reason.partition("\n")[0], reason))
        self._assign()

    def _assign(self) -> None:
        """Assign queued jobs to idle workers; dismiss these when no running job can add another one."""
        idle = [worker for worker in self._workers.values() if worker.ready and worker.job is None]
        for worker in idle:
            job = None if self._stopping else self.queue.next_for(worker.number, self._workers)
            if job is not None:
                self.progress.started(worker.number, job.scenario.title)
                worker.dispatch(job)
        self._start_workers()
        if self._stopping or not (
            self.queue.holds_some or any(worker.job for worker in self._workers.values())
        ):
            for worker in idle:
                if worker.job is None:
                    worker.dismiss()

    def _look_at_packages(self) -> None:
        """Go on with what has waited for packages; fail once nothing else is left, if they do not come."""
        if self._packages.have_come():
            self._assign()
        if any(worker.job or not worker.ready for worker in self._workers.values()):
            return
        self._packages.tell()
        if self._packages.failure and self.queue.holds_some and not self._stopping:
            self._fail(self._packages.failure)

    def _record(self, worker: WorkerProcess, job: Job, result: ScenarioResult) -> None:
        result, added = self.queue.record(job, result, self._stopping)
        self.progress.added(added)
        self._stopping = self._stopping or self.queue.is_last(job, result)
        self.progress.finished(worker.number, result)

    def _pause(self, worker: WorkerProcess, result: ScenarioResult, text: str) -> None:
        """A scenario failed and its servers are kept: go on when somebody presses Enter."""
        worker.failed = result
        self.progress.detail(worker.number, text)
        try:
            self._selector.register(sys.stdin, selectors.EVENT_READ, None)
        except KeyError:
            pass  # another worker waits already: Enter continues both
        except (ValueError, OSError):
            self._resume()  # no input can come: /dev/null, a file, closed

    def _resume(self) -> None:
        with contextlib.suppress(ValueError, OSError):
            os.read(sys.stdin.fileno(), 1 << 16)
        with contextlib.suppress(KeyError, ValueError):
            self._selector.unregister(sys.stdin)
        for worker in self._workers.values():
            if worker.failed is not None:
                worker.failed = None
                worker.resume()

    def _worker_ended(self, worker: WorkerProcess) -> None:
        """The worker has closed its pipe."""
        worker.child.wait(5)
        reason = f"the worker died under it ({worker.child.ending})"
        self._lost(worker, reason, worker.last_output(10))

    def _lost(self, worker: WorkerProcess, reason: str, details: str) -> None:
        """A worker cannot go on: this costs the scenario that it has, or the next one."""
        if worker.ready:
            self._replace(worker, reason, details)
        else:
            self._not_started(worker, f"A worker ended before it was ready:\n{details}")

    def _enforce_time_limits(self) -> None:
        for worker in list(self._workers.values()):
            elapsed = time.monotonic() - worker.since
            if not worker.ready and elapsed > scaled(START_SECONDS):
                self._not_started(worker, f"A worker was not ready after {elapsed:.0f} s.")
                continue
            if worker.job is None or worker.failed is not None:
                continue
            limit = scaled(self.limits.seconds or worker.job.seconds)
            if elapsed > limit:
                worker.broke = Broke.TIME_LIMIT
                reason = f"ran out of time: not done after {limit:.0f} s"
                self._replace(worker, reason, self._stack(worker))

    def _replace(self, worker: WorkerProcess, reason: str, details: str) -> None:
        """Remove a worker and continue with the others and new ones."""
        self._remove(worker, reason, details)
        self._assign()

    def _stack(self, worker: WorkerProcess) -> str:
        """Where the worker is now: the line of the scenario, then all threads."""
        worker.child.signal(STACK_SIGNAL)
        text = stacks.wait_for(self.folder / f"worker-{worker.number}.stack")
        return stacks.readable(text, Path(self.config.scenarios))

    def _remove(self, worker: WorkerProcess, reason: str, details: str = "") -> None:
        """Kill a worker; the job it was executing, if any, ends as an Error."""
        self._selector.unregister(worker.events.descriptor)
        self._workers.pop(worker.number, None)
        worker.kill()
        left = self._end_leftovers()
        reason += f"; it left running: {'; '.join(left)}" if left and reason else ""
        job, worker.job = worker.job, None
        if job is not None and worker.failed is not None:  # interrupted while it was looked at
            self._record(worker, job, worker.failed)
        elif job is not None and not self.interrupted:  # what was interrupted is NotRun
            self._record(worker, job, worker.error(job, reason, details))

    def _end_leftovers(self) -> list[str]:
        """End the processes that a killed worker has left; its servers end by themselves in a moment."""
        return leftovers.end_leftovers(
            lambda pid: (
                not process.was_started_here(pid) and leftovers.has_mark(pid, str(self.folder))
            ),
            LEFTOVER_SECONDS,
        )

    def _not_run(self, job: Job) -> ScenarioResult:
        reason = self.interrupted or ("fail-fast" if self._stopping else "the run ended before it")
        return replace(job.planned(self.config.rerun(job)), reason=reason)

    def _start_workers(self) -> None:
        """Start as many workers as are allowed and have jobs."""
        busy = sum(worker.job is not None for worker in self._workers.values())
        wanted = 0 if self._stopping else min(self.limits.workers, busy + len(self.queue))
        while len(self._workers) < wanted:
            self._started += 1
            worker = WorkerProcess(replace(self.config, number=self._started))
            self._workers[worker.number] = worker
            self._selector.register(worker.events.descriptor, selectors.EVENT_READ, worker)

    def _interrupt(self, name: str) -> None:
        self.interrupted = f"interrupted by {name}"
        with contextlib.suppress(OSError):
            self._wake.send(b"!")
