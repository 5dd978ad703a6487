"""Answers from elsewhere: a read is answered from another table, another partition, or another moment.

Checks that read both sides of a comparison from one place notice none of these.

| operator | what a read answers |
|---|---|
| other-table | the same of another table of the scenario |
| other-partition | the same of another partition |
| earlier | what the same read answered before the last change |
| first-variant | in a loop, what the first variant answered |
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

from helpers.cluster.client.recording import Statement
from helpers.cluster.client.tampering import Answer, InterceptedStatement
from helpers.sensitivity.clauses import is_read
from helpers.sensitivity.mutant import REFUSALS

OTHER_TABLE, OTHER_PARTITION, EARLIER, FIRST_VARIANT = (
    "other-table",
    "other-partition",
    "earlier",
    "first-variant",
)
OTHER_SOURCES = (OTHER_TABLE, OTHER_PARTITION, EARLIER, FIRST_VARIANT)
CREATED = re.compile(r"\s*CREATE TABLE (?:IF NOT EXISTS )?(?:\w+\.)?(\w+)")
PARTITION = re.compile(r"\b((?:_?partition(?:_id)?|p)\s*=\s*'?)(\d+)\b")


@dataclass
class EarlierStatements:
    """What a scenario did before a statement."""

    tables: list[str] = field(default_factory=list)
    changes: int = 0
    reads: dict[tuple[str, str], int] = field(default_factory=dict)

    def operations(self, statement: Statement) -> Iterator[tuple[str, str]]:
        """The operators for a read that had an answer, each with its detail."""
        table = self._read_table(statement.sql)
        others = [name for name in self.tables if name != table]
        if table and others:
            yield OTHER_TABLE, f"{table} from {others[-1]}"
        if PARTITION.search(statement.sql):
            yield OTHER_PARTITION, ""
        if (statement.node, statement.sql) in self.reads:
            yield EARLIER, ""
        if statement.occurrence > 1:
            yield FIRST_VARIANT, ""

    def has_read(self, statement: Statement) -> bool:
        """Whether the same was read since the last change: then it has the answer that was given there."""
        return self.reads.get((statement.node, statement.sql)) == self.changes

    def add(self, statement: Statement) -> None:
        """The statement has ended."""
        if statement.is_action or not is_read(statement.sql):
            self.changes += 1
            created = CREATED.match(statement.sql)
            if created and created[1] not in self.tables:
                self.tables.append(created[1])
        else:
            self.reads[statement.node, statement.sql] = self.changes

    def _read_table(self, sql: str) -> str | None:
        words = set(re.findall(r"\w+", sql))
        named = [name for name in self.tables if name in words]
        return named[0] if len(named) == 1 else None


def wrong_sql(operator: str, detail: str, sql: str) -> str:
    """The statement that is executed in place of a read."""
    if operator == OTHER_TABLE:
        table, _, other = detail.partition(" from ")
        return re.sub(rf"\b{re.escape(table)}\b", other, sql)
    return PARTITION.sub(lambda match: match[1] + ("2" if match[2] == "1" else "1"), sql)


def from_elsewhere(
    operator: str, detail: str, statement: InterceptedStatement
) -> tuple[Answer, Answer]:
    """The right answer to a read, and the wrong one; the right one twice where there is no other."""
    answer = statement.execute()
    if operator in (OTHER_TABLE, OTHER_PARTITION):
        try:
            return answer, statement.execute(wrong_sql(operator, detail, statement.sql))
        except REFUSALS:
            return answer, answer  # the other table has no such column
    return answer, statement.memory.get(_remembered(operator, statement), answer)


def remember(operator: str, statement: InterceptedStatement, answer: Answer) -> None:
    """Keep an answer that a later read may get again."""
    if operator == EARLIER:
        statement.memory[_remembered(operator, statement)] = answer
    elif operator == FIRST_VARIANT and statement.call is not None:
        statement.memory.setdefault(_remembered(operator, statement), answer)


def _remembered(operator: str, statement: InterceptedStatement) -> Any:
    if operator == EARLIER:
        return "answer", id(statement.node), statement.sql
    return "answer", statement.call.place if statement.call else ""
