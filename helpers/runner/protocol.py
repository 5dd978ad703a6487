"""The messages between the supervisor and a worker: one JSON object a line, both ways.

The supervisor sends the worker's configuration first, then jobs; the worker sends events.
"""

from __future__ import annotations

import json
import os
import shlex
import threading
from dataclasses import asdict, dataclass
from typing import Any

from helpers.base.paths import ROOT
from helpers.cluster.target import Target
from helpers.scenario.scenario import Job, Scenario

# A worker writes its events to this file descriptor; its standard output is TestFlows'.
EVENTS = "REGRESSION_EVENTS_FD"


@dataclass(frozen=True)
class WorkerConfig:
    """What a worker has to know before its first job.

    `launcher`: how this program is started from where its user stands, for a shell.
    `under_mutant`: the user runs scenarios under a mutant (`--mutant`), outside of `sensitivity`.
    """

    number: int
    scenarios: str
    folder: str
    seed: int
    target: Target
    keep: bool
    launcher: str
    rerun_options: str
    generate: bool = False
    under_mutant: bool = False
    debug: bool = False
    pause_on_fail: bool = False
    every_variant: bool = False

    def encode(self) -> str:
        return json.dumps(asdict(self)) + "\n"

    @classmethod
    def decode(cls, line: str) -> WorkerConfig:
        given = json.loads(line)
        return cls(**{**given, "target": Target(**given["target"])})

    def rerun(self, job: Job) -> str:
        """The command that executes this job again as it was."""
        mutant = f" --mutant {_quoted(job.mutant)}" if job.mutant else ""
        name = _quoted(job.scenario.name)
        return f"{self.launcher} --only {name} --seed {self.seed}{mutant}{self.rerun_options}"

    def keeps_evidence(self, mutant: str | None) -> bool:
        """Whether a failure leaves a folder: of `sensitivity`, which expects failures, none does."""
        return mutant is None or self.under_mutant


def _quoted(text: str) -> str:
    """The text quoted for a shell, with double quotes where they are sufficient."""
    return shlex.quote(text) if set(text) & set('"$`\\!') else f'"{text}"'


def encode_job(job: Job) -> str:
    return json.dumps([job.scenario.name, job.mutant, job.time_limit, job.attempt]) + "\n"


def decode_job(line: str, scenarios: dict[str, Scenario]) -> Job:
    name, mutant, time_limit, attempt = json.loads(line)
    return Job(scenarios[name], mutant, time_limit, attempt)


class EventReader:
    """The supervisor's end of the pipe of a worker's events; `variables` tell the worker where its end is."""

    def __init__(self) -> None:
        self.descriptor, self.writing = os.pipe()
        os.set_blocking(self.descriptor, False)
        self._rest = b""

    @property
    def variables(self) -> dict[str, str]:
        """The environment of the worker's process, with the project importable."""
        path = os.pathsep.join([str(ROOT), os.environ.get("PYTHONPATH", "")])
        return {**os.environ, EVENTS: str(self.writing), "PYTHONPATH": path}

    def received(self) -> list[dict[str, Any]] | None:
        """The events that have arrived, or None if the worker has closed its end of the pipe."""
        try:
            data = os.read(self.descriptor, 1 << 20)
        except BlockingIOError:
            return []
        if not data:
            return None
        *lines, self._rest = (self._rest + data).split(b"\n")
        return [json.loads(line) for line in lines]


class EventWriter:
    """The worker's end of the pipe of its events."""

    def __init__(self) -> None:
        self._descriptor = int(os.environ.pop(EVENTS))
        # Programs that the worker starts must not hold this pipe open.
        os.set_inheritable(self._descriptor, False)
        self._lock = threading.Lock()  # with --debug statements in the background tell as well

    def send(self, event: str, **facts: Any) -> None:
        data = (json.dumps({"event": event, **facts}, default=repr) + "\n").encode()
        with self._lock:
            while data:
                data = data[os.write(self._descriptor, data) :]
