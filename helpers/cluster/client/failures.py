"""The exceptions of statements; their texts hold what a reader of a report needs to know."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass

from clickhouse_driver import errors as driver_errors


@dataclass(eq=False, repr=False, kw_only=True)
class QueryFailed(AssertionError):
    """The server refused a query. An AssertionError, so that waiting takes it for 'not yet'; a scenario that
    it ends is an Error (helpers/runner/worker/outcome.py).

    The log is read when the text is made: most refusals are expected, and the log lags behind.
    """

    code: int
    message: str
    node: str
    sql: str
    user: str
    seconds: float
    query_id: str = ""
    read_log: Callable[[], str] = lambda: ""

    def __post_init__(self) -> None:
        self.message = first_paragraph(self.message)
        super().__init__(self.code, self.message)

    def __str__(self) -> str:
        return describe(
            f"{self.node} refused the query with code {self.code}: {self.message}",
            query=self.sql,
            user=self.user,
            elapsed=f"{self.seconds:.3f} s",
            log=self.read_log(),
        )


class QueryTimedOut(AssertionError):
    """No answer in time."""


class Unavailable(Exception):
    """The environment cannot give what a scenario asked it for: the scenario is blocked, with this reason
    (helpers/runner/worker/outcome.py)."""


class NodeDied(Exception):
    """The server process has ended by itself."""


LOST = (driver_errors.NetworkError, EOFError, OSError)
"""What the client raises whose connection breaks."""
GONE = (*LOST, NodeDied)
"""What a statement raises whose server is gone, on purpose or not."""
NO_ANSWER = (driver_errors.Error, EOFError, OSError, QueryFailed, QueryTimedOut)
"""What a statement raises whose server does not answer it as it should."""


def describe(headline: str, **facts: str) -> str:
    """A headline and aligned facts below it; a fact of several lines is indented."""
    lines = [headline]
    for name, fact in facts.items():
        if not fact.strip():
            continue
        first, *rest = fact.strip().splitlines()
        lines.append(f"  {name + ':':<10}{first}")
        lines.extend(f"  {'':<10}{line}" for line in rest)
    return "\n".join(lines)


def first_paragraph(message: str) -> str:
    """A server's message without its prefix and stack trace."""
    text = re.split(r"\.?\s*Stack trace:", message, maxsplit=1)[0]
    text = re.sub(r"^(Code: \d+\.\s*)?(DB::Exception: )+", "", text.strip())
    return text.strip()
