"""What was said to whom: every statement of a scenario, kept so that it can be said again.

The record is written line by line as the scenario runs, so that it survives whatever ends it.
"""

from __future__ import annotations

import json
import threading
import time
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import IO, Any

PREVIEW = 300
MOST_ROWS = 1000


@dataclass(frozen=True)
class Statement:
    """One statement and what came of it."""

    node: str
    sql: str
    at: float
    user: str | None = None
    database: str | None = None
    session: int | None = None
    settings: Mapping[str, Any] = field(default_factory=dict)
    data: str | None = None
    seconds: float = 0.0
    outcome: str = ""
    code: int | None = None


class Recorder:
    """Takes statements from any thread; remembers all of them, and writes them to a file if it has one."""

    def __init__(self, file: Path | None = None) -> None:
        self.statements: list[Statement] = []
        self._lock = threading.Lock()
        self._stream: IO[str] | None = None
        if file is not None:
            file.parent.mkdir(parents=True, exist_ok=True)
            self._stream = file.open("w", buffering=1)

    def take(self, statement: Statement) -> None:
        with self._lock:
            self.statements.append(statement)
            if self._stream is not None:
                self._stream.write(json.dumps(asdict(statement), default=repr) + "\n")

    @property
    def last(self) -> Statement | None:
        return self.statements[-1] if self.statements else None

    def close(self) -> None:
        with self._lock:
            if self._stream is not None:
                self._stream.close()
                self._stream = None


def read(file: Path) -> list[Statement]:
    """The statements in a file; a last line that was cut off by a crash is left out."""
    statements = []
    for line in file.read_text().splitlines() if file.exists() else []:
        try:
            statements.append(Statement(**json.loads(line)))
        except (ValueError, TypeError):
            break
    return statements


def preview(value: Any) -> str:
    """A result in one line, short enough to read."""
    # Of a long result only the beginning is made into text: it may be a million rows.
    text = repr(value[:PREVIEW] if isinstance(value, list | str | bytes) else value)
    return text if len(text) <= PREVIEW else text[:PREVIEW] + " …"


def literal(value: Any) -> str:
    """A Python value as ClickHouse SQL."""
    if value is None:
        return "NULL"
    if isinstance(value, bool):
        return "1" if value else "0"
    if isinstance(value, (int, float)):
        return repr(value)
    if isinstance(value, tuple):
        return "(" + ", ".join(literal(item) for item in value) + ")"
    if isinstance(value, list):
        return "[" + ", ".join(literal(item) for item in value) + "]"
    text = str(value).replace("\\", "\\\\").replace("'", "\\'").replace("\n", "\\n")
    return f"'{text}'"


def literals(rows: Sequence[Any]) -> str:
    """Rows as they follow VALUES; of very many the first ones, and a word about the rest."""
    text = ",\n".join(literal(tuple(row)) for row in rows[:MOST_ROWS])
    return text if len(rows) <= MOST_ROWS else f"{text} /* and {len(rows) - MOST_ROWS} more rows */"


def now() -> float:
    return time.time()
