"""The record of a scenario: every statement and action, so that it can be executed again.

The record is written line by line as the scenario runs, so that it survives whatever ends it.
"""

from __future__ import annotations

import json
import threading
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path
from typing import IO, Any

from helpers.base.escaping import shortened

PREVIEW = 300
MOST_ROWS = 1000
NO_ANSWER = "no answer"
RESULT = ("seconds", "outcome", "code", "rows", "columns")
"""The fields of a statement that are known when it has ended."""


@dataclass(frozen=True)
class Statement:
    """One statement, or one action beside the server, and what came of it.

    `place` and `occurrence` identify the call (helpers/cluster/client/interception.py), `rows` and
    `columns` are the shape of the answer; `query_id` is set where another process sends the
    statement. An action has its text in place of the SQL. `number` is given to a statement when it is
    begun (Recorder).
    """

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
    place: str = ""
    occurrence: int = 0
    rows: int = 0
    columns: int = 0
    query_id: str = ""
    is_action: bool = False
    number: int = 0


@dataclass
class Execution:
    """The result of a statement that is being executed, entered by its sender."""

    outcome: str = ""
    code: int | None = None
    rows: int = 0
    columns: int = 0
    started: float = field(default_factory=time.perf_counter)

    @property
    def seconds(self) -> float:
        return round(time.perf_counter() - self.started, 6)


class Recorder:
    """Takes statements from any thread; remembers all of them, and writes them to a file if it has one.

    A statement is written before it is sent (`begin`) and what came of it afterwards (`end`), so that one
    that never returned is in the file. `on_begin` is called with each that was begun.
    """

    def __init__(self, file: Path | None = None) -> None:
        self.statements: list[Statement] = []
        self.on_begin: Callable[[Statement], None] = lambda statement: None
        self._begun = 0
        self._lock = threading.Lock()
        self._stream: IO[str] | None = None
        if file is not None:
            file.parent.mkdir(parents=True, exist_ok=True)
            self._stream = file.open("w", buffering=1)

    def begin(self, statement: Statement) -> Statement:
        """Write a statement that is about to be sent; the returned one has a number for `end`."""
        with self._lock:
            self._begun += 1
            statement = replace(statement, number=self._begun, outcome=NO_ANSWER)
            self._write_whole(statement)
        self.on_begin(statement)
        return statement

    @contextmanager
    def executing(self, statement: Statement) -> Iterator[Execution]:
        """Begin a statement, and end it however the block ends."""
        begun, execution = self.begin(statement), Execution()
        try:
            yield execution
        finally:
            self.end(replace(begun, **{name: getattr(execution, name) for name in RESULT}))

    def end(self, statement: Statement) -> None:
        """Write the result of a statement that was begun."""
        with self._lock:
            self.statements.append(statement)
            self._write({name: getattr(statement, name) for name in ("number", *RESULT)})

    def take(self, statement: Statement) -> None:
        """Write a statement or action that has ended already."""
        with self._lock:
            self.statements.append(statement)
            self._write_whole(statement)
        self.on_begin(statement)

    def _write_whole(self, statement: Statement) -> None:
        # Without a file it is not needed as a dictionary, which takes long to make.
        if self._stream is not None:
            self._write(asdict(statement))

    def _write(self, entry: Mapping[str, Any]) -> None:
        if self._stream is not None:
            self._stream.write(json.dumps(entry, default=repr) + "\n")

    @property
    def last(self) -> Statement | None:
        return self.statements[-1] if self.statements else None

    def close(self) -> None:
        with self._lock:
            if self._stream is not None:
                self._stream.close()
                self._stream = None


def read(file: Path) -> list[Statement]:
    """The statements in a file in the order in which they ended, then those that never did.

    A last line that was cut off by a crash is left out.
    """
    begun: dict[int, Statement] = {}
    ended = []
    for line in file.read_text().splitlines() if file.exists() else []:
        try:
            entry = json.loads(line)
            if "sql" in entry and entry["number"]:
                begun[entry["number"]] = Statement(**entry)
            elif "sql" in entry:
                ended.append(Statement(**entry))
            else:
                ended.append(replace(begun.pop(entry["number"]), **entry))
        except (ValueError, TypeError, KeyError):
            break
    return [*ended, *begun.values()]


def preview(value: Any) -> str:
    """A result in one line, short enough to read."""
    # Of a long result only the beginning is made into text: it may be a million rows.
    return shortened(
        repr(value[:PREVIEW] if isinstance(value, list | str | bytes) else value), PREVIEW
    )


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
    """Rows as they follow VALUES; of very many the first ones, and the number of the others."""
    text = ",\n".join(literal(tuple(row)) for row in rows[:MOST_ROWS])
    return text if len(rows) <= MOST_ROWS else f"{text} /* and {len(rows) - MOST_ROWS} more rows */"


def now() -> float:
    return time.time()
