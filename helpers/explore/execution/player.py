"""The player of a history: a database on a server, the model next to it, one statement after the other."""

from __future__ import annotations

import itertools
import time
from contextlib import AbstractContextManager, nullcontext, suppress
from dataclasses import replace
from functools import partial
from typing import Any, NoReturn

from helpers.base.time_limits import scaled
from helpers.cluster.client.failures import GONE, NodeDied, QueryFailed, QueryTimedOut
from helpers.cluster.client.session import Row as ServerRow
from helpers.cluster.node import Node
from helpers.explore.execution.backups import copied, removed
from helpers.explore.execution.observe import (
    Observation,
    difference,
    differing_keys,
    observed,
    partition_ids,
    read_sql,
)
from helpers.explore.execution.round_trips import NOT_BACK, snapshot, travel
from helpers.explore.execution.selects import lines, selects
from helpers.explore.execution.servers import S3_ERROR, faulty
from helpers.explore.model import tables as model
from helpers.explore.model.histories import (
    ACCEPTED,
    NOTHING_SENT,
    Counts,
    Differs,
    History,
    HistoryDifference,
    Sent,
    answer,
)
from helpers.explore.model.partitions import backup_meant, part_meant
from helpers.explore.model.round_trips import trip_of
from helpers.explore.model.statements import (
    COLUMNS,
    DO_NOT_WAIT,
    PARTS_BY_NAME,
    RESTART,
    ROUND_TRIP,
    S3_FAULT,
    SELECT,
    SIGKILL,
    SPARE,
    HistoryStatement,
    sql_of,
)
from helpers.explore.model.tables import ModelState, ModelTable, StatementOutcome
from helpers.explore.model.transitions import apply
from pipelines.system.waiting import poll

DIED = "the server died"
NO_ANSWER = "no answer in time"
UNREADABLE = "tables cannot be read"
OTHER_ANSWER = "another answer under settings"
MUTATION_SECONDS = 10.0
LOOK_EVERY = 3
"""A look at all tables costs as much as several statements."""
_numbers = itertools.count(1)


class Player:
    """A database of its own, the tables of a history in it, and the model next to them."""

    def __init__(self, node: Node, history: History, counts: Counts, prefix: str) -> None:
        self.node = node
        self.history = history
        self.counts = counts
        self.database = f"{prefix}explore{next(_numbers)}"
        self.state: ModelState = model.initial(history.kinds, history.schema)
        self.made: set[str] = set()
        self.sent: list[Sent] = []
        self.executed: list[HistoryStatement] = []
        self.observation = Observation()
        self.thorough = False
        self.unseen = 0  # statements since all tables were read
        self.fault: HistoryStatement | None = None
        self.began = time.monotonic()

    def open(self) -> None:
        self.node.recorder.statements.clear()
        self.ask(f"CREATE DATABASE {self.database} ENGINE = Atomic")

    def close(self) -> None:
        """Leave nothing behind; a server that is gone takes it along."""
        try:
            if self.node.running:
                for sql in removed(self.state, self.database, self.history.schema):
                    with suppress(QueryFailed):  # of a table that is not there because it differed
                        self.node.query(sql)
                self.node.query(f"DROP DATABASE IF EXISTS {self.database} SYNC")
            else:
                self.node.kill()  # it is known to be gone
        except (QueryFailed, QueryTimedOut, *GONE):
            self.node.kill()  # the next history starts it again

    def ask(self, sql: str) -> list[tuple[Any, ...]]:
        """Send a statement and count it."""
        self.counts.statements += 1
        return self.node.query(sql)

    def play(self) -> None:
        """All statements of the history; raises Differs at the first that does otherwise."""
        for statement in self.history.statements:
            self.step(statement)
        if self.unseen:
            self.look()

    def step(self, statement: HistoryStatement) -> None:
        """Execute one statement, and now and then compare all tables with the model."""
        outcome = apply(self.state, statement)
        part = self.part_of(statement)
        if outcome.unspecified or (statement.kind in PARTS_BY_NAME and part is None):
            return
        self.executed.append(statement)
        self.unseen += 1
        self.make_tables(statement)
        with self.met_by_a_fault(outcome):
            refusal, answers = self.send(statement, part or "", answer(outcome.refusal))
        if outcome.may_fail and refusal == S3_ERROR:
            outcome = StatementOutcome(replace(self.state, faulty=False), refusal)
        if statement.kind == "start-merges":
            self._wait_for_mutations(statement.table)
        self.note(statement, outcome)
        if refusal != outcome.refusal:
            self.differs(
                statement,
                f"{answer(refusal)} instead of {answer(outcome.refusal)}",
                answer(outcome.refusal),
                answer(refusal),
            )
        if outcome.answer is not None and answers != outcome.answer:
            self.differs(statement, "another answer", f"{outcome.answer} rows", f"{answers} rows")
        self.state = outcome.state
        if self.thorough or self.unseen >= LOOK_EVERY:
            self.look()

    def _wait_for_mutations(self, table: str) -> None:
        """Changes of columns that were pending are carried out: another one would be refused before that."""
        of_table = f"database = '{self.database}' AND table = '{table}'"
        pending = f"SELECT count() FROM system.mutations WHERE {of_table} AND NOT is_done"
        poll(lambda: self.ask(pending) == [(0,)], scaled(MUTATION_SECONDS))

    def met_by_a_fault(self, outcome: StatementOutcome) -> AbstractContextManager[object]:
        """The store refuses a request of a statement for which a fault was announced."""
        announced, self.fault = self.fault, None
        if announced is None or not outcome.may_fail:
            return nullcontext()
        return faulty(self.node, announced)

    def make_tables(self, statement: HistoryStatement) -> None:
        """Tables come to be when they are first mentioned: a history mostly needs one or two."""
        for name in statement.tables:
            if name not in self.made and name != SPARE:
                kind = self.history.kinds[name]
                self.ask(self.history.schema.create_table(self.database, name, kind))
                self.made.add(name)

    def part_of(self, statement: HistoryStatement) -> str | None:
        """The name of the part that a statement means."""
        table = self.state.tables.get(statement.table)
        if statement.kind not in PARTS_BY_NAME or table is None:
            return None
        part = part_meant(table, statement)
        if part is None:
            return None
        if self.unseen:
            self.look()
        return self.observation.name_of(statement.table, part.partition, part.rows)

    def send(self, statement: HistoryStatement, part: str, expected: str) -> tuple[int | None, int]:
        """The code that it was refused with, if it was, and the number of rows it answered with."""
        if statement.kind == ROUND_TRIP:
            self._round_trip(statement)
            return None, 0
        refusal, answers = None, 0
        for sql in self._sql_of(statement, part):
            began = time.monotonic() - self.began
            try:
                if statement.kind == RESTART:
                    self.node.restart()
                elif statement.kind == SIGKILL:
                    self.node.kill()
                    self.node.start()
                elif statement.kind == S3_FAULT:
                    self.fault = statement
                else:
                    answer_ = self.ask(sql)
                    answers = len(answer_)
            except QueryFailed as failed:
                refusal = failed.code
            ended = time.monotonic() - self.began
            self.sent.append(Sent(sql, answer(refusal), expected, 0, began, ended))
            if refusal is not None:
                break
        if statement.kind == SELECT and refusal is None:
            self._compare_select(statement, answer_)
        return refusal, answers

    def _sql_of(self, statement: HistoryStatement, part: str) -> list[str]:
        table = self.state.tables.get(statement.table)
        if table is None:
            return sql_of(statement, self.database, self.history.schema, part)
        if statement.kind == SELECT:
            return [selects(statement, self.database, table, self.history.schema)[1]]
        if statement.kind == "restore":
            backup = backup_meant(table, statement)
            assert backup is not None, "it would be unspecified"
            schema = self.history.schema
            return copied(self.ask, self.database, statement.table, backup, schema)
        texts = sql_of(statement, self.database, self.history.schema, part, table.further)
        if table.stopped and statement.kind in COLUMNS and "SYSTEM" not in texts[0]:
            texts = [text + DO_NOT_WAIT for text in texts]
        return texts

    def _compare_select(self, statement: HistoryStatement, actual: list[ServerRow]) -> None:
        """Compare an answer with that of the SELECT that reads every row."""
        table = self.state.tables[statement.table]
        expected = self.ask(selects(statement, self.database, table, self.history.schema)[0])
        if actual != expected:
            self.differs(statement, OTHER_ANSWER, lines(expected), lines(actual))

    def _round_trip(self, statement: HistoryStatement) -> None:
        """Send statements that undo each other, and compare the tables with what they were."""
        before = self.state
        sql = snapshot(self.database, self._shown())
        found = travel(self.ask, sql, [partial(self._move_on, step) for step in trip_of(statement)])
        self.state = before
        if found is not None:
            self.sent.append(Sent(sql, ACCEPTED, ACCEPTED))
            self.differs(statement, NOT_BACK, *found)

    def _move_on(self, step: HistoryStatement) -> int | None:
        refusal, _ = self.send(step, "", ACCEPTED)
        self.state = apply(self.state, step).state
        return refusal

    def _shown(self) -> dict[str, ModelTable]:
        """The tables that are there."""
        return {
            name: table
            for name, table in self.state.tables.items()
            if name in self.made or name == SPARE
        }

    def look(self) -> None:
        """Read all tables, compare them with the model, and raise Differs where they differ."""
        shown = self._shown()
        last = self.executed[-1]
        try:
            answer_ = self.ask(read_sql(self.database, shown, disks=self.history.tiered))
        except QueryFailed as failed:
            self.differs(last, f"{UNREADABLE}: code {failed.code}", ACCEPTED, answer(failed.code))
        further = {name: table.further for name, table in shown.items()}
        ids = partition_ids(self.history.schema, self.ask)
        self.observation = observed(answer_, self.history.schema, ids, further)
        if differing := difference(self.state, self.observation):
            table, kind, expected, actual = differing
            keys = differing_keys(self.state.tables[table], self.observation.contents(table))
            self.differs(last, kind, expected, actual, table=table, keys=keys)
        self.unseen = 0

    def gone(self, gone: NodeDied | QueryTimedOut) -> HistoryDifference:
        """A server that ends by itself, or that does not answer, differs whatever it was asked."""
        kind = DIED if isinstance(gone, NodeDied) else NO_ANSWER
        last = self.executed[-1] if self.executed else NOTHING_SENT
        return self.as_difference(last, kind, "an answer", kind, log=str(gone))

    def note(self, statement: HistoryStatement, outcome: StatementOutcome) -> None:
        """Remember which states and transitions were seen."""
        self.counts.states.add(outcome.state.fingerprint())
        self.counts.transitions.add(f"{statement.kind} {answer(outcome.refusal)}")

    def as_difference(
        self, statement: HistoryStatement, kind: str, expected: str, actual: str, **details: Any
    ) -> HistoryDifference:
        """A difference in the history without what was left out and what comes behind it; `details` are
        further fields of HistoryDifference."""
        return HistoryDifference(
            statement,
            kind,
            expected,
            actual,
            replace(self.history, statements=tuple(self.executed)),
            tuple(self.sent),
            database=self.database,
            state=self.state,
            **details,
        )

    def differs(
        self, statement: HistoryStatement, kind: str, expected: str, actual: str, **details: Any
    ) -> NoReturn:
        raise Differs(self.as_difference(statement, kind, expected, actual, **details))
