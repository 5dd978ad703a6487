"""Reproductions: SQL scripts that show on a bare server that ClickHouse deviates, answer by answer.

Comments above a statement say what is special about it:

    -- expected: 10, new        what the statement should answer, a line for each row
    -- observed: 10, old        what it is known to answer instead; without it nothing else is known
    -- background replace       it is started, and the script goes on; a session of its own
    -- wait until               it is repeated until it answers 1
    -- wait for replace         the script goes on when that statement has ended

An answer is a row's values with commas between them, `accepted` if there are none, or `refused with code
N: message`. Of a refusal `refused` and `refused with code N` expect as much as they say, and a text behind
either is a part of the message: `refused: no such key`. A statement that is neither checked nor followed by
`-- { serverError N }` must be accepted. A line `-- fragments: policies` names configs/fragments that the
server needs (`lake` has named collections in an object store), `-- attempts: 20` says that it is a race and
how often it is tried.
"""

from __future__ import annotations

import re
import uuid
from collections.abc import Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path

from helpers.base.errors import RegressionError, UsageError
from helpers.base.time_limits import scaled
from helpers.cluster.client.failures import first_paragraph
from helpers.cluster.client.sql_script import ScriptStatement, leading_comments, read_script
from helpers.cluster.node import Node
from pipelines.clickhouse import http as clickhouse_http
from pipelines.system.waiting import poll

ACCEPTED, REFUSED = "accepted", "refused"
LONGEST_WAIT = 60.0
CHECK = re.compile(r"^-- (expected|observed): (.*)$", re.MULTILINE)
BACKGROUND = re.compile(r"^-- background (\w+)$", re.MULTILINE)
WAIT_UNTIL = re.compile(r"^-- wait until$", re.MULTILINE)
WAIT_FOR = re.compile(r"^-- wait for (\w+)$", re.MULTILINE)
FRAGMENTS = re.compile(r"^-- fragments: (.+)$", re.MULTILINE)
ATTEMPTS = re.compile(r"^-- attempts: (\d+)$", re.MULTILINE)
# What the server adds to a message: the name of the code, and its version.
ADDED = re.compile(r"( \([A-Z_0-9]+\))?( \(version .*)?$")
REFUSAL = re.compile(rf"({REFUSED}(?: with code \d+)?)(?:: (.+))?")


class Broken(RegressionError):
    """A statement that prepares something failed, so the script proves nothing."""


@dataclass(frozen=True)
class Command:
    """A statement of a script and what is special about it."""

    statement: ScriptStatement
    expected: str | None = None
    observed: str | None = None
    background: str | None = None
    wait_until: bool = False
    wait_for: tuple[str, ...] = ()


@dataclass(frozen=True)
class Script:
    """A reproduction as it is written."""

    file: Path
    commands: tuple[Command, ...]
    fragments: tuple[str, ...] = ()
    attempts: int = 1


@dataclass(frozen=True)
class Check:
    """What a statement should answer, what it is known to answer, and what it has answered."""

    sql: str
    expected: str
    observed: str | None
    actual: str

    @property
    def holds(self) -> bool:
        return _is(self.actual, self.expected)

    @property
    def as_recorded(self) -> bool:
        return self.holds if self.observed is None else _is(self.actual, self.observed)


def read_reproduction(file: Path) -> Script:
    """The script of a file; one that could show nothing is refused."""
    try:
        text = file.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise UsageError(f"{file}: is not readable as a script: {error}") from None
    commands = tuple(map(_command, read_script(text, "")))
    fragments, attempts = FRAGMENTS.search(text), ATTEMPTS.search(text)
    deviating = [
        command for command in commands if command.observed not in (None, command.expected)
    ]
    if not deviating:
        raise UsageError(
            f"{file}: no statement has an '-- observed:' that is not what is expected."
        )
    started = {command.background for command in commands}
    for command in commands:
        if command.observed is not None and command.expected is None:
            raise UsageError(f"{file}: '-- observed: {command.observed}' without '-- expected:'.")
        if not started.issuperset(command.wait_for):
            names = ", ".join(command.wait_for)
            raise UsageError(
                f"{file}: '-- wait for {names}': nothing in the background is so called."
            )
    return Script(
        file,
        commands,
        tuple(fragments[1].split()) if fragments else (),
        int(attempts[1]) if attempts else 1,
    )


def _command(statement: ScriptStatement) -> Command:
    comments = leading_comments(statement.sql)
    lines: dict[str, list[str]] = {}
    for kind, line in CHECK.findall(comments):
        lines.setdefault(kind, []).append(line)
    answers = {kind: "\n".join(answer) for kind, answer in lines.items()}
    background = BACKGROUND.search(comments)
    return Command(
        statement,
        expected=answers.get("expected"),
        observed=answers.get("observed"),
        background=background[1] if background else None,
        wait_until=bool(WAIT_UNTIL.search(comments)),
        wait_for=tuple(WAIT_FOR.findall(comments)),
    )


def execute(script: Script, node: Node, database: str) -> Iterator[Check]:
    """Execute a script in a database of its own and yield what its checks found."""
    session = str(uuid.uuid4())
    running: dict[str, tuple[Command, Future[str]]] = {}

    def answer(command: Command, session: str) -> str:
        return _answer(node, command.statement.sql, database, session)

    def finish(name: str) -> None:
        command, future = running.pop(name)
        _accept(command, future.result())

    node.create_database(database)
    with ThreadPoolExecutor() as threads:
        for command in script.commands:
            for name in command.wait_for:
                finish(name)
            if command.background:
                future = threads.submit(answer, command, str(uuid.uuid4()))
                running[command.background] = command, future
            elif command.wait_until:
                if not poll(lambda: answer(command, session) == "1", scaled(LONGEST_WAIT)):  # noqa: B023
                    raise Broken(f"It never came true: {command.statement.shown}")
            elif command.expected is None:
                _accept(command, answer(command, session))
            else:
                shown = command.statement.shown
                actual = answer(command, session)
                yield Check(shown, command.expected, command.observed, actual)
        for name in list(running):
            finish(name)


def _is(answer: str, wanted: str) -> bool:
    """Whether an answer is what is wanted; of a refusal that may be its code or a part of its message."""
    refusal = REFUSAL.fullmatch(wanted)
    if refusal is None:
        return answer == wanted
    actual_kind, _, message = answer.partition(": ")
    kind, part = refusal.groups()
    same_kind = (
        actual_kind.startswith(f"{REFUSED} with code ") if kind == REFUSED else actual_kind == kind
    )
    return same_kind and (part is None or part in message)


def _accept(command: Command, answer: str) -> None:
    code = command.statement.expected_code
    wanted = ACCEPTED if code is None else f"{REFUSED} with code {code}"
    as_wanted = not _is(answer, REFUSED) if code is None else _is(answer, wanted)
    if not as_wanted:
        raise Broken(f"{command.statement.shown}: {answer}, where {wanted} was needed.")


def _answer(node: Node, sql: str, database: str, session: str) -> str:
    try:
        rows = node.endpoint.post(
            sql, {"database": database, "session_id": session, "default_format": "TSV"}
        )
    except clickhouse_http.Refused as refused:
        return f"{REFUSED} with code {refused.code}: {one_line_message(refused.message)}"
    return rows.decode("utf-8", "backslashreplace").strip("\n").replace("\t", ", ") or ACCEPTED


def one_line_message(text: str) -> str:
    """The first line of a server's message, without code and version."""
    return ADDED.sub("", first_paragraph(text).partition("\n")[0])
