"""What a failed scenario leaves: the SQL that reproduces it, and what the servers logged meanwhile.

It is made from the files that were written while the scenario ran, so also after a worker was killed.
"""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from helpers.base.escaping import printable, printable_bytes, printable_sql, shortened
from helpers.cluster.client import recording
from helpers.cluster.client.recording import NO_ANSWER, Statement, literal
from helpers.scenario.context import LOG_MARKS, STATEMENTS, slug
from helpers.scenario.result import ScenarioResult
from helpers.scenario.scenario import Job

MOST_SHOWN = 40
LONGEST_SHOWN = 400
LONGEST_LOG = 2_000_000
CREATES_DATABASE = re.compile(r"\s*CREATE DATABASE (?!IF\b)(\S+)")
READS = re.compile(r"\s*(SELECT|WITH|SHOW|DESCRIBE|EXISTS)\b", re.IGNORECASE)
LONGEST_NAME = 200  # a file system takes 255 bytes


def folder_of(run_folder: Path, job: Job) -> Path:
    """The folder of a job's evidence."""
    name = slug(job.label) + (f"-attempt-{job.attempt}" if job.attempt > 1 else "")
    if len(name) > LONGEST_NAME:  # of a generated mutant: the lines of all steps that led to it
        digest = hashlib.sha256(job.label.encode()).hexdigest()[:16]
        name = f"{name[:LONGEST_NAME]}-{digest}-{job.attempt}"
    return run_folder / "scenarios" / name


def collect(folder: Path, result: ScenarioResult) -> None:
    """Write failure.txt, repro.sql and <node>.log into a scenario's folder."""
    texts = (result.name, result.message, f"Run it again:\n  {result.rerun}", result.details)
    (folder / "failure.txt").write_text(printable("\n\n".join(filter(None, texts)) + "\n"))
    (folder / "repro.sql").write_text(repro_script(statements_of(folder), result))
    for node, mark in _log_marks(folder).items():
        excerpt = _excerpt(Path(mark["file"]), int(mark["position"]))
        (folder / f"{node}.log").write_bytes(printable_bytes(excerpt))
    for file in (STATEMENTS, LOG_MARKS):
        (folder / file).unlink(missing_ok=True)


def statements_of(folder: Path) -> list[Statement]:
    """The recorded statements of a scenario."""
    return recording.read(folder / STATEMENTS)


def shown(statements: Sequence[Statement]) -> tuple[str, ...]:
    """The statements in short, for the report."""
    lines = [
        f"{_source(statement)}: {shortened(_one_line(statement), LONGEST_SHOWN)}"
        for statement in statements[:MOST_SHOWN]
    ]
    if len(statements) > MOST_SHOWN:
        lines.append(f"… and {len(statements) - MOST_SHOWN} more")
    return tuple(lines)


def repro_script(statements: Sequence[Statement], result: ScenarioResult) -> str:
    """A script for clickhouse-client, in the order of execution.

    A refusal carries the client's own hint (`{ serverError 36 }`), so that the script continues.
    """
    nodes = sorted({statement.node for statement in statements if not statement.is_action})
    lines = [
        f"-- {result.name}",
        f"-- Run the scenario again:  {result.rerun}",
        "-- Or this script:  ./regression.py sql - < repro.sql",
        "-- or on a bare server:  clickhouse-client --multiquery < repro.sql",
    ]
    if len(nodes) > 1:
        lines.append(f"-- It spoke to {', '.join(nodes)}: send each block to its own server.")
    if result.mutant:
        lines.append(
            f"-- It ran under the mutant {result.mutant}, which changed statements or answers: a bare "
            "server cannot show the failure."
        )
    before: Statement | None = None
    for statement in statements:
        if statement.is_action:
            lines += ["", f"-- Not SQL, to be done by hand: {printable(statement.sql)}"]
            continue
        lines += [*_connection_lines(statement, before), *_sql_lines(statement)]
        before = statement
    lines += _check_lines(statements, result, before)
    return "\n".join(lines) + "\n"


def _connection_lines(statement: Statement, before: Statement | None) -> list[str]:
    """Who is asked, and by whom, where that is not what it was for the statement before."""
    lines = []
    if before is None or _connection(statement) != _connection(before):
        user = f" as {statement.user}" if statement.user else ""
        session = f", session {statement.session}" if statement.session is not None else ""
        lines += ["", f"-- {statement.node}{user}{session}"]
        if statement.database:
            lines.append(f"USE {statement.database};")
    if created := CREATES_DATABASE.match(statement.sql):
        lines.append(f"DROP DATABASE IF EXISTS {created[1]} SYNC;")
    return lines


def _connection(statement: Statement) -> tuple[object, ...]:
    return statement.node, statement.user, statement.session, statement.database


def _check_lines(
    statements: Sequence[Statement], result: ScenarioResult, before: Statement | None
) -> list[str]:
    """The last answer that was read, once more, with what was expected and observed."""
    lines = ["", f"-- The check that failed: {_comment(result.step or 'none')}"]
    if result.expected:
        lines.append(f"-- expected: {_comment(result.expected)}")
    lines.append(f"-- observed: {_comment(result.reason or '')}")
    read = next((each for each in reversed(statements) if _reads(each)), None)
    if read is None:
        return lines
    return [*_connection_lines(read, before), *lines, *_sql_lines(read)]


def _reads(statement: Statement) -> bool:
    """Whether a statement is a question that was answered."""
    answered = statement.code is None and statement.outcome != NO_ANSWER
    return answered and not statement.is_action and READS.match(statement.sql) is not None


def _comment(text: str) -> str:
    return printable(" ".join(text.split()))


def _sql_lines(statement: Statement) -> list[str]:
    at = datetime.fromtimestamp(statement.at, UTC).strftime("%H:%M:%S.%f")[:-3]
    lines = [f"SET {name} = {literal(value)};" for name, value in statement.settings.items()]
    sender = f", query id {statement.query_id}" if statement.query_id else ""
    hint = f" -- {{ serverError {statement.code} }}" if statement.code is not None else ""
    sql = statement.sql.strip().rstrip(";")
    if statement.data is not None:
        sql += "\n" + statement.data
    sql = printable_sql(sql)
    took = NO_ANSWER if statement.outcome == NO_ANSWER else f"{statement.seconds:.3f} s"
    lines.append(f"/* {at}, {took}{sender} */ {sql};{hint}")
    lines += [f"SET {name} = DEFAULT;" for name in statement.settings]
    return lines


def _one_line(statement: Statement) -> str:
    return " ".join(f"{statement.sql} {statement.data or ''}".split())


def _source(statement: Statement) -> str:
    return "action" if statement.is_action else statement.node


def _log_marks(folder: Path) -> dict[str, dict[str, Any]]:
    try:
        marks: dict[str, dict[str, Any]] = json.loads((folder / LOG_MARKS).read_text())
    except (OSError, ValueError):
        return {}
    return marks


def _excerpt(file: Path, position: int) -> bytes:
    try:
        with file.open("rb") as stream:
            stream.seek(position)
            return stream.read(LONGEST_LOG)
    except OSError:
        return b"(the log is gone)\n"
