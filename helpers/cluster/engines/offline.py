"""Engines that cannot listen: each executes scripts on a data folder, in a process of its own.

That is all that a ClickHouse before 26.7 can do out of its wheel, and later ones can do it, too. A script
is one process, so what follows in the next one is found as after a restart of a server. A statement is
acknowledged by the one behind it, which writes a file: so a process can be killed right after a statement.
"""

from __future__ import annotations

import re
import shutil
import sys
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any, NoReturn

from helpers.base.time_limits import scaled
from helpers.cluster.client.failures import NodeDied, QueryFailed, Unavailable, describe
from helpers.cluster.client.interception import CALLS
from helpers.cluster.client.queries import Queries
from helpers.cluster.client.recording import Recorder, Statement, literal, now
from helpers.cluster.client.session import Endpoint, Row
from helpers.cluster.engines.engine import default_folder, default_version
from helpers.cluster.engines.wheels import BY_CLICKHOUSE, LISTENING, Wheel
from helpers.cluster.processes import process
from pipelines.system.waiting import poll

PROGRAM = Path(__file__).with_name("offline_program.py")
SCRIPT_SECONDS = 60.0
NOBODY = Endpoint("", 0, 0, "default", "")
NO_LISTENER = "an engine that executes scripts listens to nobody"
STAY = "SELECT sleepEachRow(1) FROM system.numbers SETTINGS max_block_size = 1 FORMAT Null"
_ROWS = re.compile(r"\s*(SELECT|WITH|SHOW|EXISTS|DESCRIBE|CHECK)\b", re.IGNORECASE)
_REFUSAL = re.compile(r"Code: (\d+)\. (DB::Exception: .*)", re.DOTALL)


class ScriptFailed(QueryFailed):
    """A statement of a script was refused; `number` is its place, from 0 on."""

    number: int


def engine_folder(version: str) -> Path | None:
    """Where the library of this ClickHouse is, if it is installed."""
    wheel = BY_CLICKHOUSE[version]
    if wheel == Wheel(LISTENING, default_version()):
        return default_folder()
    return wheel.folder if wheel.is_installed else None


def why_no_engines(versions: Iterable[str]) -> str | None:
    """Which of these versions are missing and why, or None."""
    missing = [version for version in versions if engine_folder(version) is None]
    failures = {version: BY_CLICKHOUSE[version].failure for version in missing}
    reasons = [f"{v}: {file.read_text().strip()}" for v, file in failures.items() if file.exists()]
    untried = [version for version, file in failures.items() if not file.exists()]
    if untried:
        reasons.append(
            f"ClickHouse {', '.join(untried)} not installed (./regression.py engines fetch)"
        )
    return "; ".join(reasons) or None


class OfflineEngine(Queries):
    """A ClickHouse of some version on a data folder. Rows are texts, in the form of TabSeparated."""

    def __init__(self, version: str, folder: Path, recorder: Recorder) -> None:
        super().__init__()
        self.name = f"ClickHouse {version}"
        self.endpoint = NOBODY
        self.recorder = recorder
        engine = engine_folder(version)
        if engine is None:
            raise Unavailable(str(why_no_engines([version])))
        self.engine = engine
        self.folder = folder
        self._child: process.Child | None = None

    @property
    def data(self) -> Path:
        """The data folder, in the layout of a server of this version."""
        return self.folder / "data"

    def execute(self, statements: Sequence[str]) -> list[list[Row]]:
        """Execute a script and end in order: the rows of each statement; ScriptFailed at a refusal."""
        child = self._start(self._prepared(statements))
        if not child.wait(scaled(SCRIPT_SECONDS)):
            child.kill()
            raise AssertionError(f"{self.name} did not end within {scaled(SCRIPT_SECONDS):.0f} s")
        self._raise_if_refused(statements, child)
        return [self.rows(number) for number in range(len(statements))]

    def execute_and_die(self, statements: Sequence[str]) -> None:
        """Execute a script and kill the process as soon as its last statement is acknowledged."""
        child = self._start(self._prepared(statements), STAY)
        last = self._mark(len(statements) - 1)
        acknowledged = poll(
            last.exists, scaled(SCRIPT_SECONDS), pause=0.005, give_up=lambda: not child.alive
        )
        alive = child.alive
        child.kill()
        self._raise_if_refused(statements, child)
        assert acknowledged and alive, f"{self.name} was not killed after its answer: it had ended"

    def query(self, sql: str, *, user: str | None = None, **options: Any) -> list[Row]:
        """One statement as a script of its own, which is slow."""
        return self.execute([sql])[0]

    # What needs a listener.

    def session(self, user: str | None = None) -> NoReturn:
        raise Unavailable(NO_LISTENER)

    def background(self, sql: str, *, user: str | None = None, **options: Any) -> NoReturn:
        raise Unavailable(NO_LISTENER)

    def http(self, sql: str, **options: Any) -> NoReturn:
        raise Unavailable(NO_LISTENER)

    def password(self, user: str) -> str:
        return ""

    def log_tail(self, lines: int, about: str = "") -> str:
        return self._child.last_output(lines) if self._child is not None else ""

    def raise_if_dead(self, during: str, grace: float = 0.0) -> None:
        """Its process ends after every script."""

    # The process.

    @property
    def _answers(self) -> Path:
        return self.folder / "answers"

    def _answer(self, number: int) -> Path:
        return self._answers / f"{number}.rows"

    def _mark(self, number: int) -> Path:
        return self._answers / f"{number}.done"

    def _prepared(self, statements: Sequence[str]) -> list[list[str]]:
        """The statements to execute for each given one. Mutants may change those that write."""
        scripts = []
        for sql in statements:
            if not _ROWS.match(sql):
                scripts.append([statement.sql for statement in self._prepare_all(sql)[0]])
                continue
            call = CALLS.identify(sql)
            place, occurrence = (call.place, call.occurrence) if call else ("", 0)
            self.recorder.take(Statement(self.name, sql, now(), place=place, occurrence=occurrence))
            scripts.append([sql])
        return scripts

    def _start(self, script: Sequence[Sequence[str]], *more: str) -> process.Child:
        shutil.rmtree(self._answers, ignore_errors=True)
        self._answers.mkdir(parents=True)
        lines: list[str] = []
        for number, texts in enumerate(script):
            rows = f" INTO OUTFILE {literal(self._answer(number))}"
            lines += [f"{sql}{rows}" if _ROWS.match(sql) else sql for sql in texts]
            lines.append(f"SELECT 1 INTO OUTFILE {literal(self._mark(number))}")
        file = self.folder / "script.sql"
        file.write_text(";\n".join([*lines, *more]))
        output = self.folder / "output.log"
        output.unlink(missing_ok=True)
        program: list[str | Path] = [sys.executable, "-I", "-S", PROGRAM]
        command = [*program, self.engine, self.data, file]
        self._child = process.start(command, cwd=self.folder, output=output)
        return self._child

    def _raise_if_refused(self, statements: Sequence[str], child: process.Child) -> None:
        answered = [self._mark(number).exists() for number in range(len(statements))]
        if all(answered):
            return
        number = answered.index(False)
        sql = statements[number]
        output = child.output.read_text(errors="replace")
        refusal = _REFUSAL.search(output)
        if refusal is None:
            raise NodeDied(
                describe(f"{self.name} died: {child.ending}", during=sql, output=output[-1000:])
            )
        failed = ScriptFailed(
            code=int(refusal[1]),
            message=refusal[2],
            node=self.name,
            sql=sql,
            user=self.endpoint.user,
            seconds=0.0,
        )
        failed.number = number
        raise failed

    def rows(self, number: int) -> list[Row]:
        """What a statement of the last script has answered."""
        file = self._answer(number)
        text = file.read_text() if file.exists() else ""
        return [tuple(line.split("\t")) for line in text.splitlines()]
