"""The messages between the command and its workers, as JSON."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any

from helpers.base.errors import UsageError
from helpers.cluster.target import Target
from helpers.explore.model.histories import History, HistoryDifference
from helpers.explore.model.schema import Schema
from helpers.explore.model.statements import KILL, KINDS, READ, HistoryStatement


@dataclass(frozen=True)
class WorkerPlan:
    """What a worker is to do."""

    number: int
    folder: str
    target: Target
    profile: str
    statements: tuple[str, ...]
    tables: tuple[str, ...]
    known: tuple[str, ...]
    seed: int
    seconds: float

    def of_worker(self, number: int, data: Path) -> WorkerPlan:
        """The same for one of several workers. Its batches are numbered from its seed on: no two workers
        have one in common."""
        folder = str(data / f"worker-{number}")
        return replace(self, number=number, folder=folder, seed=self.seed + number * 1_000_003)

    def encode(self) -> str:
        return json.dumps(asdict(self))

    @classmethod
    def decode(cls, text: str) -> WorkerPlan:
        values = json.loads(text)
        lists = {name: tuple(values[name]) for name in ("statements", "tables", "known")}
        return cls(**{**values, **lists, "target": Target(**values["target"])})


@dataclass(frozen=True)
class Replay:
    """A history as `--replay` reads it: its profile, and the signature of what differed in it."""

    history: History
    profile: str
    signature: str


def encode_history(difference: HistoryDifference, profile: str) -> str:
    """The history of a difference as a file that `--replay` reads."""
    about = {"profile": profile, "signature": difference.signature}
    return json.dumps({**about, **asdict(difference.history)}, indent=1)


def decode_history(text: str, file: str) -> Replay:
    """What is in such a file; UsageError if it is none."""
    try:
        values = json.loads(text)
        profile, signature = str(values.pop("profile")), str(values.pop("signature"))
        values["statements"] = tuple(map(_statement, values["statements"]))
        values["schema"] = Schema(
            **{**values["schema"], "settings": tuple(values["schema"]["settings"])}
        )
        values["clients"] = tuple(tuple(map(_statement, client)) for client in values["clients"])
        return Replay(History(**values), profile, signature)
    except (ValueError, TypeError, KeyError, AttributeError) as error:
        raise UsageError(f"{file} is no history of the explorer: {error}.") from None


def _statement(values: Mapping[str, Any]) -> HistoryStatement:
    made = HistoryStatement(**{**values, "rows": tuple(map(tuple, values["rows"]))})
    if made.kind not in (*KINDS, KILL, READ):
        raise ValueError(f"there is no statement {made.kind!r}")
    return made
