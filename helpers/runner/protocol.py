"""What the parent and a worker say to each other: one JSON object a line, both ways."""

from __future__ import annotations

import json
import os
from dataclasses import asdict, dataclass
from typing import Any

# A worker tells on this file descriptor; its standard output is TestFlows'.
EVENTS = "REGRESSION_EVENTS_FD"


@dataclass(frozen=True)
class Job:
    """What a worker is told first, on one line of its standard input; names of scenarios follow,
    each with the seconds it has."""

    number: int
    scenarios: str
    folder: str
    seed: int
    environment: str
    version: str | None
    keep: bool
    rerun_options: str

    def line(self) -> str:
        return json.dumps(asdict(self)) + "\n"

    @classmethod
    def read(cls, line: str) -> Job:
        return cls(**json.loads(line))


class Teller:
    """The worker's voice."""

    def __init__(self) -> None:
        self._descriptor = int(os.environ.pop(EVENTS))
        # Programs that the worker starts must not hold this pipe open.
        os.set_inheritable(self._descriptor, False)

    def tell(self, event: str, **facts: Any) -> None:
        line = json.dumps({"event": event, **facts}, default=repr) + "\n"
        data = line.encode()
        while data:
            data = data[os.write(self._descriptor, data) :]
