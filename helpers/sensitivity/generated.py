"""Mutants made from what a scenario did: one statement, clause, setting, answer or action at a time.

A scenario runs once as it is; from its recorded calls these mutants are made, and it runs again under
each. Its end has to differ. They are not written by hand, and none belongs to a feature.

| operator | what it does |
|---|---|
| drop | acknowledges a statement that changes something, and does not execute it |
| omit | executes a statement without one clause, or without one of the settings sent beside it |
| lose-row, double-row, change-value, swap-values | changes the answer of a statement that reads |
| stale | answers with what the read before it answered |
| other-table … | answers from another table, partition or moment: other_sources.py |
| skip | leaves out an action on files, processes or the store |

A wrong answer stays wrong: the same read gets it again until something is changed. So a check that reads
both sides of a comparison the same way notices nothing.
"""

from __future__ import annotations

import json
import random
import re
import tomllib
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from fnmatch import fnmatchcase
from functools import cache
from pathlib import Path
from typing import Any

from helpers.base.errors import UsageError
from helpers.base.importing import shown
from helpers.cluster.client.interception import STEPS, Call
from helpers.cluster.client.recording import Statement
from helpers.cluster.client.tampering import Answer, InterceptedStatement
from helpers.scenario.marks import Equivalent
from helpers.sensitivity.answers import PERTURBATIONS, Rows, applicable
from helpers.sensitivity.clauses import clauses, is_read
from helpers.sensitivity.mutant import REFUSALS
from helpers.sensitivity.other_sources import (
    OTHER_SOURCES,
    EarlierStatements,
    from_elsewhere,
    remember,
)
from helpers.sensitivity.traced import traced

DROP, OMIT, STALE, SKIP = "drop", "omit", "stale", "skip"
OPERATORS = (DROP, OMIT, *PERTURBATIONS, STALE, *OTHER_SOURCES, SKIP)
VALUES = ("change-value", "swap-values")
# Without these the scenario blocks, which proves nothing about its checks.
RESUMING = ("thaw", "start")
NAME = re.compile(r"([a-z-]+)(?:\[([^]]*)])?@(.+)#(\d+)")
LONGEST_TEXT = 160
SYNTAX_ERROR = 62
WRONG_READ = "wrong read"
EQUIVALENTS = Path(__file__).with_name("equivalents.toml")


@dataclass(frozen=True)
class GeneratedMutant:
    """An operator applied to one call of one scenario."""

    operator: str
    detail: str
    place: str
    occurrence: int
    text: str = ""

    @property
    def name(self) -> str:
        detail = f"[{self.detail}]" if self.detail else ""
        return f"{self.operator}{detail}@{self.place}#{self.occurrence}"

    @property
    def short_text(self) -> str:
        """The statement or action, short enough for a line."""
        return f"{self.text[:LONGEST_TEXT]} …" if len(self.text) > LONGEST_TEXT else self.text

    @classmethod
    def parse(cls, name: str) -> GeneratedMutant:
        """The mutant of this name."""
        match = NAME.fullmatch(name)
        if match is None or match[1] not in OPERATORS:
            raise UsageError(f"{name!r} is not the name of a generated mutant.")
        return cls(match[1], match[2] or "", match[3], int(match[4]))

    def hits(self, call: Call | None) -> bool:
        """Whether it is this call that is tampered with."""
        return call is not None and (call.place, call.occurrence) == (self.place, self.occurrence)

    def skips(self, call: Call) -> bool:
        """Whether this action is left out."""
        return self.operator == SKIP and self.hits(call)

    def tamper(self, statement: InterceptedStatement) -> Answer:
        """What becomes of a statement."""
        if self.operator == STALE:
            return self._stale(statement)
        if not self._answers_wrong(statement):
            answer = statement.execute()
            remember(self.operator, statement, answer)
            return answer
        if self.operator == DROP:
            return statement.acknowledge()
        if self.operator == OMIT:
            return self._omit(statement)
        if self.operator in OTHER_SOURCES:
            answer, wrong = from_elsewhere(self.operator, self.detail, statement)
            return answer if _same_rows(answer, wrong) else statement.respond(wrong)
        return self._perturbed(statement)

    def _answers_wrong(self, statement: InterceptedStatement) -> bool:
        """Whether it is this statement, or the same read once more before anything changed."""
        read = id(statement.node), statement.sql
        if self.hits(statement.call):
            statement.memory[WRONG_READ] = read
            return True
        if self.operator in (DROP, OMIT) or statement.call is None:
            return False
        if WRONG_READ in statement.memory and not is_read(statement.sql):
            forget_wrong_read(statement.memory)
        return statement.memory.get(WRONG_READ) == read

    def _stale(self, statement: InterceptedStatement) -> Answer:
        memory, answer = statement.memory, statement.execute()
        if self._answers_wrong(statement) and "answer" in memory:
            before = memory.setdefault("stale", memory["answer"])
            return answer if _same_rows(answer, before) else statement.respond(before)
        if statement.call is not None and is_read(statement.sql):
            memory["answer"] = answer
        return answer

    def _omit(self, statement: InterceptedStatement) -> Answer:
        if self.detail in statement.settings:
            kept = {
                name: value for name, value in statement.settings.items() if name != self.detail
            }
            return _changed(statement, statement.sql, kept)
        for name, without in clauses(statement.sql).items():
            if name == self.detail:
                return _changed(statement, without, statement.settings)
        return statement.execute()

    def _perturbed(self, statement: InterceptedStatement) -> Answer:
        answer = statement.execute()
        rng = random.Random(self.name)
        wrong = _perturb(answer, self.operator, rng)
        if wrong == answer:
            return answer
        if self.operator in VALUES and isinstance(answer, list):
            # It counts as a change when somebody uses what was changed, or when the scenario ends
            # otherwise: rows that are sorted differ in their order before the wrong value is reached.
            statement.mark_possible()
            return _traced(answer, wrong, statement.mark_changed)
        return statement.respond(wrong)


def forget_wrong_read(memory: dict[str, Any]) -> None:
    """Something is changed: the same read may have another answer from now on."""
    memory.pop(WRONG_READ, None)


def generate(statements: Iterable[Statement], seed: int) -> list[GeneratedMutant]:
    """The mutants of a scenario's calls, in the order of the calls.

    Where one place is passed several times (a table of variants), a random choice decides which of them a
    mutant is for: another seed, another variant. What steps do among themselves is one place, from
    whichever lines of the scenario they are called.
    """
    choices: dict[tuple[str, str, str], list[GeneratedMutant]] = {}
    history = EarlierStatements()
    for statement in statements:
        if not statement.place:
            continue
        for operator, detail in _operations(statement, history):
            mutant = GeneratedMutant(
                operator,
                detail,
                statement.place,
                statement.occurrence,
                " ".join(statement.sql.split()),
            )
            choices.setdefault((operator, detail, _site(statement.place)), []).append(mutant)
        history.add(statement)
    return [
        random.Random(f"{seed} {' '.join(key)}").choice(mutants) for key, mutants in choices.items()
    ]


def _site(place: str) -> str:
    """What counts as one place: the steps alone, where one of them has called another."""
    steps = [line for line in place.split(" > ") if line.startswith(STEPS)]
    return " > ".join(steps) if len(steps) > 1 else place


def reason_if_equivalent(mutant: GeneratedMutant, known: Iterable[Equivalent]) -> str | None:
    """Why a scenario need not notice a mutant, if it is marked as equivalent."""
    label = f"{mutant.operator}[{mutant.detail}]" if mutant.detail else mutant.operator
    for equivalent in (*known, *equivalent_everywhere()):
        if fnmatchcase(label, equivalent.mutant.replace("[", "[[]")) and (
            equivalent.statement in mutant.text
        ):
            return equivalent.reason
    return None


@cache
def equivalent_everywhere() -> tuple[Equivalent, ...]:
    """The mutants that change nothing in any scenario: equivalents.toml."""
    try:
        document = tomllib.loads(EQUIVALENTS.read_text(encoding="utf-8"))
        return tuple(
            Equivalent(mutant, entry["statement"], entry["reason"])
            for entry in document["equivalent"]
            for mutant in entry["mutants"]
        )
    except (KeyError, tomllib.TOMLDecodeError) as error:
        raise UsageError(
            f"{shown(EQUIVALENTS)}: each [[equivalent]] takes mutants, statement and reason ({error})."
        ) from error


def _operations(statement: Statement, history: EarlierStatements) -> Iterable[tuple[str, str]]:
    """What can be done to a call: operator and detail."""
    if statement.is_action:
        if not statement.sql.startswith(RESUMING):
            yield SKIP, ""
        return
    reading = is_read(statement.sql)
    if not reading:
        yield DROP, ""
    for name in clauses(statement.sql):
        yield OMIT, name
    for name in statement.settings:
        yield OMIT, name
    if reading and statement.code is None and not history.has_read(statement):
        for operator in applicable(statement.rows, statement.columns):
            yield operator, ""
        if history.reads and statement.rows:
            yield STALE, ""
        if statement.rows:
            yield from history.operations(statement)


def _changed(statement: InterceptedStatement, sql: str, settings: Mapping[str, Any]) -> Answer:
    """The answer to what was made of a statement. A refusal of it is a change, too, unless what was made
    is no SQL: then it is the operator that is wrong."""
    try:
        return statement.respond(statement.execute(sql, settings))
    except REFUSALS as refused:
        if refused.code != SYNTAX_ERROR:
            statement.mark_possible()
        raise


def _same_rows(answer: Answer, other: Answer) -> bool:
    """Whether two answers differ in nothing but the order of their rows."""
    if isinstance(answer, list) and isinstance(other, list):
        return sorted(map(repr, answer)) == sorted(map(repr, other))
    return bool(answer == other)


def _traced(answer: Rows, wrong: Rows, used: Callable[[], None]) -> Rows:
    """The wrong answer, with values that report their use where it is wrong."""
    return [
        tuple(
            traced(value, used) if value != right else value
            for value, right in zip(row, right_row, strict=True)
        )
        for row, right_row in zip(wrong, answer, strict=True)
    ]


def _json(answer: bytes) -> dict[str, Any] | None:
    """An answer in JSONCompact: how it is broken into lines means nothing."""
    try:
        document = json.loads(answer)
        return document if all(isinstance(row, list) for row in document["data"]) else None
    except (ValueError, KeyError, TypeError):
        return None


def _perturb(answer: Answer, operator: str, rng: random.Random) -> Answer:
    """A wrong answer of the same kind: rows, or lines where it came as bytes."""
    if isinstance(answer, bytes):
        perturb = PERTURBATIONS[operator]
        if (document := _json(answer)) is not None:
            data = [tuple(row) for row in document["data"]]
            return json.dumps({**document, "data": perturb(data, rng)}).encode() if data else answer
        lines: Rows = [(line,) for line in answer.splitlines(keepends=True)]
        return b"".join(row[0] for row in perturb(lines, rng)) if lines else answer
    if not answer or not isinstance(answer, list):
        return answer
    return PERTURBATIONS[operator](answer, rng)
