"""What a failed scenario leaves: the SQL that reproduces it, and what the servers logged meanwhile.

Made from the files that the scenario wrote as it ran, so it can be made after a worker was killed too.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from helpers import recording
from helpers.context import LOG_MARKS, STATEMENTS
from helpers.recording import Statement, literal

MOST_SHOWN = 40
LONGEST_SHOWN = 400
LONGEST_LOG = 2_000_000


def collect(folder: Path, *, name: str, rerun: str, message: str | None) -> None:
    """Write failure.txt, repro.sql and <node>.log into a scenario's folder."""
    statements = statements_of(folder)
    (folder / "failure.txt").write_text(f"{name}\n\n{message or ''}\n\nRun it again:\n  {rerun}\n")
    (folder / "repro.sql").write_text(repro(statements, name, rerun))
    for node, mark in _log_marks(folder).items():
        excerpt = _excerpt(Path(mark["file"]), int(mark["position"]))
        (folder / f"{node}.log").write_bytes(excerpt)
    for file in (STATEMENTS, LOG_MARKS):
        (folder / file).unlink(missing_ok=True)


def statements_of(folder: Path) -> list[Statement]:
    """What a scenario has said so far."""
    return recording.read(folder / STATEMENTS)


def shown(statements: Sequence[Statement]) -> list[str]:
    """The statements in short, for the report."""
    lines = [f"{one.node}: {_shortened(one.sql)}" for one in statements[:MOST_SHOWN]]
    if len(statements) > MOST_SHOWN:
        lines.append(f"… and {len(statements) - MOST_SHOWN} more")
    return lines


def repro(statements: Sequence[Statement], name: str, rerun: str) -> str:
    """A script for clickhouse-client, in the order things were said.

    A refusal carries the client's own hint (`{ serverError 36 }`), so that the script goes on.
    """
    nodes = sorted({one.node for one in statements})
    lines = [
        f"-- {name}",
        f"-- Run the scenario again:  {rerun}",
        "-- Or this script on a bare server:  clickhouse-client --multiquery < repro.sql",
    ]
    if len(nodes) > 1:
        lines.append(f"-- It spoke to {', '.join(nodes)}: send each block to its own server.")
    speaking_to: tuple[str, str | None, int | None, str | None] = ("", None, None, None)
    for one in statements:
        now_to = (one.node, one.user, one.session, one.database)
        if now_to != speaking_to:
            speaking_to = now_to
            user = f" as {one.user}" if one.user else ""
            session = f", session {one.session}" if one.session is not None else ""
            lines += ["", f"-- {one.node}{user}{session}"]
            if one.database:
                lines.append(f"USE {one.database};")
        lines += _said(one)
    return "\n".join(lines) + "\n"


def _said(one: Statement) -> list[str]:
    at = datetime.fromtimestamp(one.at, UTC).strftime("%H:%M:%S.%f")[:-3]
    lines = [f"SET {name} = {literal(value)};" for name, value in one.settings.items()]
    hint = f" -- {{ serverError {one.code} }}" if one.code is not None else ""
    sql = one.sql.strip().rstrip(";")
    if one.data is not None:
        sql += "\n" + one.data
    lines.append(f"/* {at}, {one.seconds:.3f} s */ {sql};{hint}")
    lines += [f"SET {name} = DEFAULT;" for name in one.settings]
    return lines


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


def _shortened(sql: str) -> str:
    line = " ".join(sql.split())
    return line if len(line) <= LONGEST_SHOWN else line[:LONGEST_SHOWN] + " …"
