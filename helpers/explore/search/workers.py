"""A run of the explorer: workers side by side, a line that shows progress, findings as they come."""

from __future__ import annotations

import os
import select
import shutil
import sys
import time
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from helpers.base.errors import EnvironmentFailed
from helpers.base.escaping import counted
from helpers.base.paths import ROOT, from_here
from helpers.base.signals import on_signals
from helpers.base.time_limits import scaled
from helpers.cluster.processes import process
from helpers.explore.findings.evidence import Finding, write, write_files
from helpers.explore.protocol import WorkerPlan
from helpers.runner.protocol import EventReader

GRACE_SECONDS = 240.0
"""What a worker may need at the end to shrink and verify what it has found."""

Say = Callable[[str], None]


@dataclass
class Totals:
    """What all workers have done."""

    numbers: Counter[str] = field(default_factory=Counter)
    """The numbers of Counts (helpers/explore/execution/play.py), by name."""
    states: set[int] = field(default_factory=set)
    transitions: set[str] = field(default_factory=set)
    known: Counter[str] = field(default_factory=Counter)
    repeated: Counter[str] = field(default_factory=Counter)
    findings: dict[str, Path] = field(default_factory=dict)
    not_reproduced: dict[str, Path] = field(default_factory=dict)
    noticed: dict[int, tuple[str, str]] = field(default_factory=dict)
    """What a worker is about to shrink and verify: signature and history."""
    unfinished: dict[str, Path] = field(default_factory=dict)
    interrupted: str = ""
    began: float = field(default_factory=time.monotonic)

    @property
    def line(self) -> str:
        seconds = max(time.monotonic() - self.began, 0.001)
        statements = self.numbers["statements"]
        return (
            f"{seconds:5.0f} s  {histories(self.numbers['histories'])}, "
            f"{counted(statements, 'statement')} "
            f"({statements / seconds:.0f}/s), {counted(len(self.states), 'state')}, "
            f"{counted(len(self.transitions), 'transition')}, "
            f"{counted(len(self.findings), 'finding')}"
        )


def histories(count: int, kind: str = "") -> str:
    """A number of histories in words; `kind` says which."""
    return counted(count, f"{kind}history", f"{kind}histories")


class _Worker:
    """A worker process and the pipe of its events."""

    def __init__(self, plan: WorkerPlan, output: Path) -> None:
        self.plan = plan
        self.open = True
        self.events = EventReader()
        self.child = process.start(
            [sys.executable, "-P", "-m", "helpers.explore.search.worker", plan.encode()],
            cwd=ROOT,
            output=output,
            env=self.events.variables,
            pass_fds=[self.events.writing],
        )
        os.close(self.events.writing)

    def received(self) -> list[dict[str, Any]]:
        events = self.events.received()
        self.open = events is not None
        return events or []

    def close(self) -> None:
        self.child.kill()
        os.close(self.events.descriptor)


def run(plans: list[WorkerPlan], folder: Path, say: Say, show: Say) -> Totals:
    """Explore until the time is over or an interrupt; `show` gets the line of progress."""
    totals = Totals()

    def interrupt(name: str) -> None:
        totals.interrupted = name

    workers: list[_Worker] = []
    latest = time.monotonic() + max(plan.seconds for plan in plans) + scaled(GRACE_SECONDS)
    try:
        with on_signals(interrupt):
            for plan in plans:
                workers.append(_Worker(plan, folder / f"worker-{plan.number}.out"))
            while any(worker.open for worker in workers) and not totals.interrupted:
                reading = [worker for worker in workers if worker.open]
                pipes = [worker.events.descriptor for worker in reading]
                ready, _, _ = select.select(pipes, [], [], 0.5)
                for worker in reading:
                    if worker.events.descriptor in ready:
                        _take(worker, totals, folder, say)
                show(totals.line)
                if time.monotonic() > latest:
                    say("A worker did not come to its end in time.")
                    break
    finally:
        for worker in workers:
            worker.close()
        shutil.rmtree(folder / "data", ignore_errors=True)
    keep_unfinished(totals, folder)
    return totals


def _take(worker: _Worker, totals: Totals, folder: Path, say: Say) -> None:
    for event in worker.received():
        take(event, worker.plan.number, totals, folder, say)
    if not worker.open and worker.child.wait(scaled(10)) and "code 0" not in worker.child.ending:
        raise EnvironmentFailed(
            f"A worker {worker.child.ending}: {worker.child.last_output(5)}".rstrip()
        )


def take(event: dict[str, Any], number: int, totals: Totals, folder: Path, say: Say) -> None:
    """The events of the worker with this number."""
    kind = event.pop("event")
    if kind == "progress":
        for name in ("numbers", "states", "transitions", "known", "repeated"):
            getattr(totals, name).update(event[name])
    elif kind == "noticed":
        totals.noticed[number] = event["signature"], event["history"]
    elif kind == "finding":
        totals.noticed.pop(number, None)
        _keep(Finding(**event), totals, folder, say)
    else:
        raise EnvironmentFailed(event["text"])


def keep_unfinished(totals: Totals, folder: Path) -> None:
    """What workers were shrinking or verifying when they were ended, for `--replay`."""
    for signature, history in totals.noticed.values():
        files = {"history.json": history}
        totals.unfinished[signature] = write_files(signature, files, folder / "unfinished")


def _keep(finding: Finding, totals: Totals, folder: Path, say: Say) -> None:
    kept = totals.findings if finding.certain else totals.not_reproduced
    if finding.signature in kept:
        return
    kept[finding.signature] = write(finding, folder)
    if finding.certain:  # also if an earlier one of its kind was not there again
        totals.not_reproduced.pop(finding.signature, None)
    count = counted(finding.statements, "statement")
    word = "FOUND" if finding.certain else "not reproduced"
    if finding.certain and not finding.reproduced:
        count += ", not seen again, its log is kept"
    say(f"{word}: {finding.signature} ({count}): {from_here(kept[finding.signature])}")
