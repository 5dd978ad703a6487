"""The parent's half: hands scenarios to workers, watches them, ends them, and loses nothing.

A scenario that was handed out has an outcome in the end, whatever happens to its worker: it finished,
or it ran out of time, or the worker died under it. What was never handed out is NotRun.
"""

from __future__ import annotations

import contextlib
import selectors
import shutil
import signal
import socket
import time
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Protocol

from helpers.cluster.capabilities import Capability
from helpers.context import slug
from helpers.errors import EnvironmentFailed
from helpers.runner import evidence
from helpers.runner.discover import Scenario
from helpers.runner.outcome import ERROR, NOT_RUN, UNEXPECTED
from helpers.runner.protocol import Job
from helpers.runner.worker import STACK_SIGNAL, rerun_line
from helpers.runner.worker_process import WorkerProcess
from helpers.timeouts import scaled

START_SECONDS = 90.0
TICK = 0.2
Record = dict[str, Any]


class Progress(Protocol):
    """Who is told what happens, as it happens."""

    def added(self, count: int) -> None: ...
    def started(self, worker: int, scenario: Scenario) -> None: ...
    def step(self, worker: int, step: str) -> None: ...
    def finished(self, worker: int, scenario: Scenario, record: Record) -> None: ...


@dataclass(frozen=True)
class Limits:
    """How a run is carried out."""

    workers: int
    fail_fast: bool = False
    seconds: float | None = None


class Supervisor:
    """Runs a plan and returns a record for each of its scenarios.

    `more` is told every record and may answer with scenarios that it makes necessary.
    """

    def __init__(
        self,
        plan: Sequence[Scenario],
        job: Job,
        limits: Limits,
        progress: Progress,
        more: Callable[[Scenario, Record], Sequence[Scenario]] = lambda *_: (),
    ) -> None:
        self.more = more
        self.plan = list(plan)
        self.job = job
        self.limits = limits
        self.progress = progress
        self.folder = Path(job.folder)
        self.interrupted: str | None = None
        self.clickhouse = ""
        self._queue = deque(plan)
        self._records: dict[str, Record] = {}
        self._workers: dict[int, WorkerProcess] = {}
        self._started = 0
        self._with_spark = 0
        self._stopping = False
        self._selector = selectors.DefaultSelector()
        self._woken, self._wake = socket.socketpair()

    def run(self) -> list[Record]:
        self._selector.register(self._woken, selectors.EVENT_READ, None)
        with self._signals():
            try:
                self._start_workers()
                while self._workers and not self.interrupted:
                    self._turn()
            finally:
                for worker in list(self._workers.values()):
                    self._lose(worker, self.interrupted or "the run was given up")
                self._selector.close()
                self._woken.close()
                self._wake.close()
        return self.records()

    def records(self) -> list[Record]:
        """One for each scenario of the plan, as far as it got."""
        return [self._records.get(one.name) or self._not_run(one) for one in self.plan]

    def _turn(self) -> None:
        for key, _ in self._selector.select(TICK):
            worker: WorkerProcess | None = key.data
            if worker is None:
                self._woken.recv(100)
                continue
            events = worker.told()
            if events is None:
                self._ended(worker)
                continue
            for event in events:
                self._heard(worker, event)
        self._enforce_time_limits()

    def _heard(self, worker: WorkerProcess, event: Record) -> None:
        kind = event.pop("event")
        if kind == "step":
            worker.step = event["step"]
            self.progress.step(worker.number, worker.step)
        elif kind == "ready":
            worker.ready = True
            self.clickhouse = event["clickhouse"]
            self._hand_out()
        elif kind == "finished":
            scenario = worker.scenario
            assert scenario is not None and scenario.name == event["name"]
            worker.scenario = None
            self._record(worker, scenario, event)
            self._hand_out()
        elif kind == "environment failed":
            self._stopping = True
            raise EnvironmentFailed(event["reason"])

    def _hand_out(self) -> None:
        """Give work to those who have none; and their leave, if nobody is at work who may bring more."""
        idle = [one for one in self._workers.values() if one.ready and one.scenario is None]
        for worker in idle:
            scenario = None if self._stopping else self._next_for(worker)
            if scenario is not None:
                self.progress.started(worker.number, scenario)
                worker.hand(scenario)
        self._start_workers()
        if self._stopping or not any(one.scenario for one in self._workers.values()):
            for worker in idle:
                if worker.scenario is None:
                    worker.dismiss()

    def _next_for(self, worker: WorkerProcess) -> Scenario | None:
        for scenario in self._queue:
            if Capability.SPARK in scenario.marks.needs:
                # Starting Spark costs more than most scenarios: one of the workers has it.
                if self._with_spark not in self._workers:
                    self._with_spark = worker.number
                if self._with_spark != worker.number:
                    continue
            self._queue.remove(scenario)
            return scenario
        return None

    def _record(self, worker: WorkerProcess, scenario: Scenario, record: Record) -> None:
        self._records[scenario.name] = record
        added = self.more(scenario, record)
        self.plan.extend(added)
        self._queue.extend(added)
        self.progress.added(len(added))
        if self.limits.fail_fast and record["result"] in UNEXPECTED:
            self._stopping = True
        self.progress.finished(worker.number, scenario, record)

    def _ended(self, worker: WorkerProcess) -> None:
        """Its pipe is closed: it has nothing more to say."""
        worker.child.wait(5)
        if not worker.ready:
            words = worker.child.last_output(5)
            self._lose(worker, "")
            raise EnvironmentFailed(f"A worker ended before it was ready. Its last words:\n{words}")
        words = worker.child.last_output(10)
        self._go_on_without(worker, f"the worker died under it ({worker.child.ending})", words)

    def _enforce_time_limits(self) -> None:
        for worker in list(self._workers.values()):
            elapsed = time.monotonic() - worker.since
            if not worker.ready and elapsed > scaled(START_SECONDS):
                raise EnvironmentFailed(f"A worker was not ready after {elapsed:.0f} s.")
            if worker.scenario is None:
                continue
            limit = scaled(self.limits.seconds or worker.scenario.marks.seconds)
            if elapsed > limit:
                stack = self._stack(worker)
                reason = f"ran out of time: not done after {limit:.0f} s"
                self._go_on_without(worker, reason, stack)

    def _go_on_without(self, worker: WorkerProcess, reason: str, more: str) -> None:
        self._lose(worker, reason, more)
        self._hand_out()

    def _stack(self, worker: WorkerProcess) -> str:
        """Where the worker is now, thread by thread."""
        file = self.folder / f"worker-{worker.number}.stack"
        worker.child.signal(STACK_SIGNAL)
        deadline = time.monotonic() + 2
        while time.monotonic() < deadline and not (file.exists() and file.stat().st_size):
            worker.child.wait(0.05)
        return file.read_text() if file.exists() else ""

    def _lose(self, worker: WorkerProcess, reason: str, more: str = "") -> None:
        """End a worker; the scenario it was at, if any, ends as an Error."""
        self._selector.unregister(worker.events)
        self._workers.pop(worker.number, None)
        worker.end()
        scenario = worker.scenario
        if scenario is None:
            return
        worker.scenario = None
        if self.interrupted:
            return  # it was not its fault: NotRun
        text = reason + (f", in the step '{worker.step}'" if worker.step else "")
        message = text + (f"\n\n{more}" if more else "")
        folder = self.folder / "scenarios" / slug(scenario.name)
        folder.mkdir(parents=True, exist_ok=True)
        rerun = rerun_line(scenario.name, self.job.seed, self.job.rerun_options)
        statements = evidence.shown(evidence.statements_of(folder))
        if scenario.mutant:  # nothing that somebody would want to look into
            for leftover in (folder, *self.folder.glob(f"data/worker-{worker.number}-*")):
                shutil.rmtree(leftover, ignore_errors=True)
        else:
            evidence.collect(folder, name=scenario.name, rerun=rerun, message=message)
        record = {
            "name": scenario.name,
            "result": ERROR,
            "reason": text,
            "message": message,
            "step": worker.step or None,
            "seconds": round(time.monotonic() - worker.since, 3),
            "statements": statements,
            "folder": None if scenario.mutant else str(folder.relative_to(self.folder)),
        }
        self._record(worker, scenario, record)

    def _not_run(self, scenario: Scenario) -> Record:
        reason = self.interrupted or ("fail-fast" if self._stopping else "the run ended before it")
        return {"name": scenario.name, "result": NOT_RUN, "reason": reason, "seconds": 0.0}

    def _start_workers(self) -> None:
        """As many as may be and have something to do."""
        busy = sum(one.scenario is not None for one in self._workers.values())
        wanted = 0 if self._stopping else min(self.limits.workers, busy + len(self._queue))
        while len(self._workers) < wanted:
            self._started += 1
            worker = WorkerProcess(replace(self.job, number=self._started), self.folder)
            self._workers[worker.number] = worker
            self._selector.register(worker.events, selectors.EVENT_READ, worker)

    @contextlib.contextmanager
    def _signals(self) -> Iterator[None]:
        """Ctrl-C, SIGTERM and a closed terminal end the run in order: all children gone, all told."""

        def interrupt(number: int, _: Any) -> None:
            self.interrupted = f"interrupted by {signal.Signals(number).name}"
            with contextlib.suppress(OSError):
                self._wake.send(b"!")

        numbers = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)
        before = {number: signal.signal(number, interrupt) for number in numbers}
        try:
            yield
        finally:
            for number, handler in before.items():
                signal.signal(number, handler)
