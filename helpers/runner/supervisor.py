"""The parent's half: hands scenarios to workers, watches them, ends them, and loses nothing.

A scenario that was handed out has an outcome in the end, whatever happens to its worker: it finished,
or it ran out of time, or the worker died under it. What was never handed out is NotRun.
"""

from __future__ import annotations

import contextlib
import json
import os
import selectors
import signal
import socket
import sys
import time
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Protocol

from helpers.cluster import process
from helpers.context import slug
from helpers.errors import EnvironmentFailed
from helpers.paths import ROOT
from helpers.runner import evidence
from helpers.runner.discover import Scenario
from helpers.runner.outcome import ERROR, NOT_RUN, UNEXPECTED
from helpers.runner.protocol import EVENTS, Job
from helpers.runner.worker import STACK_SIGNAL, rerun_line
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


class _Worker:
    """A worker process as the parent sees it."""

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
        self._send(scenario.name + "\n")

    def dismiss(self) -> None:
        """No more work: it ends by itself."""
        if self._handing >= 0:
            os.close(self._handing)
            self._handing = -1

    def told(self) -> Iterator[Record] | None:
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
        self._workers: dict[int, _Worker] = {}
        self._started = 0
        self._stopping = False
        self._selector = selectors.DefaultSelector()
        self._woken, self._wake = socket.socketpair()

    def run(self) -> list[Record]:
        self._selector.register(self._woken, selectors.EVENT_READ, None)
        with self._signals():
            try:
                for _ in range(min(self.limits.workers, len(self.plan))):
                    self._start_worker()
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
            worker: _Worker | None = key.data
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

    def _heard(self, worker: _Worker, event: Record) -> None:
        kind = event.pop("event")
        if kind == "step":
            worker.step = event["step"]
            self.progress.step(worker.number, worker.step)
        elif kind == "ready":
            worker.ready = True
            self.clickhouse = event["clickhouse"]
            self._hand_next(worker)
        elif kind == "finished":
            scenario = worker.scenario
            assert scenario is not None and scenario.name == event["name"]
            worker.scenario = None
            self._record(worker, scenario, event)
            self._hand_next(worker)
        elif kind == "environment failed":
            self._stopping = True
            raise EnvironmentFailed(event["reason"])

    def _hand_next(self, worker: _Worker) -> None:
        if self._queue and not self._stopping:
            scenario = self._queue.popleft()
            self.progress.started(worker.number, scenario)
            worker.hand(scenario)
        else:
            worker.dismiss()

    def _record(self, worker: _Worker, scenario: Scenario, record: Record) -> None:
        self._records[scenario.name] = record
        added = self.more(scenario, record)
        self.plan.extend(added)
        self._queue.extend(added)
        self.progress.added(len(added))
        if self.limits.fail_fast and record["result"] in UNEXPECTED:
            self._stopping = True
        self.progress.finished(worker.number, scenario, record)

    def _ended(self, worker: _Worker) -> None:
        """Its pipe is closed: it has nothing more to say."""
        worker.child.wait(5)
        if not worker.ready:
            words = worker.child.last_output(5)
            self._lose(worker, "")
            raise EnvironmentFailed(f"A worker ended before it was ready. Its last words:\n{words}")
        died_at_work = worker.scenario is not None
        words = worker.child.last_output(10)
        self._lose(worker, f"the worker died under it ({worker.child.ending})", words)
        if died_at_work and self._queue and not self._stopping:
            self._start_worker()

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
                self._lose(worker, f"ran out of time: not done after {limit:.0f} s", stack)
                if self._queue and not self._stopping:
                    self._start_worker()

    def _stack(self, worker: _Worker) -> str:
        """Where the worker is now, thread by thread."""
        file = self.folder / f"worker-{worker.number}.stack"
        worker.child.signal(STACK_SIGNAL)
        deadline = time.monotonic() + 2
        while time.monotonic() < deadline and not (file.exists() and file.stat().st_size):
            worker.child.wait(0.05)
        return file.read_text() if file.exists() else ""

    def _lose(self, worker: _Worker, reason: str, more: str = "") -> None:
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
        evidence.collect(folder, name=scenario.name, rerun=rerun, message=message)
        record = {
            "name": scenario.name,
            "result": ERROR,
            "reason": text,
            "message": message,
            "step": worker.step or None,
            "seconds": round(time.monotonic() - worker.since, 3),
            "statements": statements,
            "folder": str(folder.relative_to(self.folder)),
        }
        self._record(worker, scenario, record)

    def _not_run(self, scenario: Scenario) -> Record:
        reason = self.interrupted or ("fail-fast" if self._stopping else "the run ended before it")
        return {"name": scenario.name, "result": NOT_RUN, "reason": reason, "seconds": 0.0}

    def _start_worker(self) -> None:
        self._started += 1
        worker = _Worker(replace(self.job, number=self._started), self.folder)
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
