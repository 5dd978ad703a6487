"""On which versions a deviation was seen: docs/deviations.json, written by `reproduce --record`.

An engine that cannot listen executes the scripts that need neither the background nor a configuration, in
processes of its own.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path

from helpers.base.errors import RegressionError
from helpers.base.files import write_whole
from helpers.base.versions import numbers, short
from helpers.cluster.client.failures import NodeDied, first_paragraph
from helpers.cluster.client.recording import Recorder
from helpers.cluster.engines.offline import OfflineEngine, ScriptFailed
from helpers.deviations.reproduction import (
    ACCEPTED,
    REFUSED,
    Check,
    Command,
    Script,
    one_line_message,
)
from helpers.report import seen_versions

DEVIATES, AS_REQUIRED, DIFFERENT, CANNOT_RUN = "deviates", "as required", "different", "cannot run"


def verdict(checks: Sequence[Check], broken: bool) -> str:
    """What a version was seen to do."""
    if broken or not checks:
        return CANNOT_RUN
    if all(check.holds for check in checks):
        return AS_REQUIRED
    return DEVIATES if all(check.as_recorded for check in checks) else DIFFERENT


def record(version: str, verdicts: Mapping[str, str], known: Iterable[str]) -> None:
    """Add what a version does to the record, and drop deviations that are gone."""
    ids = set(known)
    kept = {id: dict(of) for id, of in seen_versions.read_seen().items() if id in ids}
    for id, word in verdicts.items():
        kept.setdefault(id, {})[short(version)] = word
    ordered = {
        id: dict(sorted(kept[id].items(), key=lambda pair: numbers(pair[0]))) for id in sorted(kept)
    }
    lines = [f" {json.dumps(id)}: {json.dumps(of)}" for id, of in ordered.items()]
    write_whole(seen_versions.FILE, ("{\n" + ",\n".join(lines) + "\n}\n").encode())


def offline_verdicts(scripts: Mapping[str, Script], version: str, folder: Path) -> dict[str, str]:
    """What an engine that cannot listen does; without the scripts that it cannot execute."""
    found = {}
    for number, (name, script) in enumerate(scripts.items()):
        if _is_plain(script):
            place = folder / str(number)
            place.mkdir()
            engine = OfflineEngine(version, place, Recorder())
            try:
                found[name] = verdict(_executed(script, engine), broken=False)
            except (RegressionError, AssertionError, NodeDied):
                found[name] = CANNOT_RUN
    return found


def _is_plain(script: Script) -> bool:
    return not script.fragments and not any(
        command.background or command.wait_until or command.wait_for for command in script.commands
    )


def _executed(script: Script, engine: OfflineEngine) -> list[Check]:
    """Execute a script; what follows a refusal is executed in another process."""
    before = ["CREATE DATABASE IF NOT EXISTS reproduction", "USE reproduction"]
    answers: list[str] = []
    left = list(script.commands)
    while left:
        statements = [*before, *(command.statement.bare for command in left)]
        try:
            rows = engine.execute(statements)
        except ScriptFailed as failed:
            if failed.number < len(before):
                raise
            rows = [engine.rows(number) for number in range(failed.number)]
            answers += map(_answer, rows[len(before) :])
            message = one_line_message(failed.message.removeprefix("DB::Exception: "))
            answers.append(f"{REFUSED} with code {failed.code}: {message}")
            left = left[failed.number - len(before) + 1 :]
        else:
            answers += map(_answer, rows[len(before) :])
            left = []
    return _checks(script.commands, answers)


def _checks(commands: Sequence[Command], answers: Sequence[str]) -> list[Check]:
    """Raise where a statement that only prepares something was refused."""
    checks = []
    for command, answer in zip(commands, answers, strict=True):
        if command.expected is not None:
            checks.append(
                Check(command.statement.shown, command.expected, command.observed, answer)
            )
        elif answer.startswith(REFUSED) and command.statement.expected_code is None:
            raise RegressionError(first_paragraph(answer))
    return checks


def _answer(rows: Sequence[Sequence[object]]) -> str:
    return "\n".join(", ".join(map(str, row)) for row in rows) or ACCEPTED
