"""The concurrent profile: several clients at once, judged by whether some order explains what they saw."""

from __future__ import annotations

import threading
import time
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import partial
from random import Random
from typing import NoReturn

from helpers.cluster.client.failures import QueryFailed
from helpers.cluster.client.session import Session
from helpers.explore.execution.observe import Observation, observed, read_sql
from helpers.explore.execution.play import play
from helpers.explore.execution.player import Player
from helpers.explore.model.histories import (
    CANCELLED_AND_DONE,
    READ_BETWEEN,
    TOGETHER,
    Client,
    History,
    Sent,
    answer,
)
from helpers.explore.model.linearize import (
    QUERY_WAS_CANCELLED,
    Call,
    Operation,
    Partitions,
    Verdict,
    check,
    is_about,
    partitions,
    step,
)
from helpers.explore.model.schema import Schema
from helpers.explore.model.statements import KILL, READ, HistoryStatement, sql_of
from helpers.explore.model.tables import ModelState, Part
from helpers.explore.model.transitions import CLONING
from helpers.explore.model.weaknesses import cancelled, causes_of
from pipelines.system.waiting import poll

TABLES = ("a", "b", "c")
CLIENTS = ("replace", "insert", "attach-from", "drop", "move", READ, KILL)
CHANGES = ("patch", "update-column", "drop-column", "add-column", "update", "delete", READ)
KINDS = (*CLIENTS, *CHANGES)
SLEEP = 0.02
"""Seconds for which statements that change rows look at each of them, so that they overlap."""
SOURCE_PARTS = (3, 12, 40)
# Statements are to meet: most are about one partition of one table.
PARTITIONS = (1, 1, 1, 1, 1, 2)
TARGETS = ("a", "a", "a", "a", "b", "c")
SOURCES = ("b", "c", "b", "c", "a")
FEW = 3
"""A history has statements of so many kinds at most: statements of few kinds overlap more often."""
MOST_OF_A_KIND = 2
"""What two statements do when they meet, three do as well."""
KILL_SECONDS = 0.3
"""How long a client that kills waits for a statement to kill."""
MIXTURE = "no order of the statements leads to these rows"
# What statements read is throttled to this, so that they take a little longer and overlap.
SLOWLY = {"max_local_read_bandwidth": 20_000}


def draw(random: Random, kinds: Sequence[str], table_kinds: Sequence[str]) -> History:
    """Tables with parts, and a few clients with a statement or two each: about partitions, or about rows."""
    about = [
        (chosen, always)
        for clients, always in ((CLIENTS, "replace"), (CHANGES, "patch"))
        if (chosen := [kind for kind in dict.fromkeys(clients) if kind in kinds])
    ]
    chosen, always = random.choice(about)
    some = random.sample(chosen, random.randint(1, min(FEW, len(chosen))))
    clients = _clients(random, [kind for kind in (always, *some) if kind in chosen])
    changes = always == "patch"
    counts = {name: random.choice(SOURCE_PARTS[:1] if changes else SOURCE_PARTS) for name in TABLES}
    schema = Schema(further="UInt32", patches=True) if changes else Schema()
    return History(dict.fromkeys(TABLES, "plain"), _filled(counts, clients), clients, schema)


def _clients(random: Random, kinds: Sequence[str]) -> tuple[Client, ...]:
    """Two to four clients with a statement or two of these kinds each."""
    return tuple(
        tuple(_statement(random, kinds) for _ in range(random.randint(1, 2)))
        for _ in range(random.randint(2, 4))
    )


def _statement(random: Random, kinds: Sequence[str]) -> HistoryStatement:
    kind, table, number = random.choice(kinds), random.choice(TARGETS), random.randint(1, 4)
    other = random.choice([name for name in SOURCES if name != table or kind not in CLONING])
    rows = ((100 + number, 2),) if kind == "insert" else ()
    # What changes rows does so in all partitions.
    partition = 1 if "patch" in kinds else random.choice(PARTITIONS)
    return HistoryStatement(kind, table, other, partition, rows, number)


def _filled(counts: Mapping[str, int], clients: Sequence[Client]) -> Client:
    """Parts in the partitions that the clients are about, and in no others: a shorter history is
    executed more often."""
    used = {
        (name, statement.partition)
        for client in clients
        for statement in client
        if statement.kind != KILL
        for name in statement.tables
    }
    return tuple(
        HistoryStatement(
            "insert-parts",
            table,
            partition=partition,
            number=counts[table] if partition == 1 else SOURCE_PARTS[0],
        )
        for table, partition in sorted(used)
    )


def contents_of(player: Player, tables: Sequence[str], partition: int = 1) -> Partitions:
    """The rows of a partition as the server has them, whatever parts they are in."""
    known = {name: replace(player.state.tables[name], columns=()) for name in tables}
    parts = observed(player.ask(read_sql(player.database, known))).parts
    return tuple(
        (
            name,
            tuple(
                sorted(
                    row
                    for p, part in parts.get(name, {}).values()
                    if p == partition
                    for row in part
                )
            ),
        )
        for name in tables
    )


def in_order(state: ModelState, observation: Observation) -> ModelState:
    """The same with the parts of each table in the order of their numbers, which the server gives: it is
    the one in which another statement may remove some of their clones."""
    tables = {
        name: replace(
            table,
            parts=tuple(
                Part(partition, tuple(row[:2] for row in rows))
                for _, (partition, rows) in sorted(
                    observation.parts.get(name, {}).items(),
                    key=lambda named: int(named[0].split("_")[1]),
                )
            ),
        )
        for name, table in state.tables.items()
    }
    return ModelState(tables)


class ConcurrentPlayer(Player):
    """Fills the tables, runs the clients side by side, reads what is left, and looks for an order."""

    def play(self) -> None:
        super().play()
        for statement in self.history.every_statement:
            self.make_tables(statement)
        before = in_order(self._with_all(), self.observation)
        calls = self._race()
        self.counts.statements += len(calls)
        # Statements on different partitions do not see each other; KILL QUERY changes none.
        for partition in sorted(
            {statement.partition for statement in self.history.every_statement}
        ):
            own = [call for call in calls if is_about(call.operation, partition)]
            self._judge(before, own, partition)

    def _judge(self, start: ModelState, calls: list[Call[Operation]], partition: int) -> None:
        began = time.monotonic() - self.began
        left = contents_of(self, sorted(self.state.tables), partition)
        calls.append(Call(Operation(None, seen=left), began, began))
        self.counts.states.add(hash(left) & 0xFFFFFFFF)
        verdict = check(partitions(start, partition), calls, step)
        if verdict is Verdict.NOT_LINEARIZABLE:
            verdict, causes = causes_of(start, calls, partition)
            if verdict is not Verdict.UNDECIDED:
                self._report(partitions(start, partition), calls, left, causes)
        if verdict is Verdict.UNDECIDED:
            self.counts.undecided += 1

    def _with_all(self) -> ModelState:
        return ModelState({name: self.state.tables[name] for name in self.made})

    def _race(self) -> list[Call[Operation]]:
        """All clients at the same time, each on a connection of its own."""
        self.state = self._with_all()
        barrier = threading.Barrier(len(self.history.clients))
        calls: list[Call[Operation]] = []
        lock = threading.Lock()

        gone: list[BaseException] = []

        def client(number: int, statements: Sequence[HistoryStatement]) -> None:
            with self.node.session() as session:
                session.query("SELECT 1")
                barrier.wait()
                for place, statement in enumerate(statements):
                    began = time.monotonic() - self.began
                    sql, refusal, seen = self._sent_by(session, number, place, statement)
                    ended = time.monotonic() - self.began
                    with lock:
                        calls.append(Call(Operation(statement, refusal, seen), began, ended))
                        self.sent.append(Sent(sql, answer(refusal), "", number, began, ended))
                        self.counts.transitions.add(f"{statement.kind} {answer(refusal)}")

        def guarded(number: int, statements: Sequence[HistoryStatement]) -> None:
            try:
                client(number, statements)
            except threading.BrokenBarrierError:
                pass  # another one says why
            except BaseException as error:
                gone.append(error)  # raised again where the threads are joined
                barrier.abort()

        threads = [
            threading.Thread(target=guarded, args=(number, statements), daemon=True)
            for number, statements in enumerate(self.history.clients, start=1)
        ]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        if gone:
            raise gone[0]
        return calls

    def _sent_by(
        self, session: Session, number: int, place: int, statement: HistoryStatement
    ) -> tuple[str, int | None, Partitions]:
        """What a client has sent, the code that it was refused with, and what it has read."""
        if statement.kind == KILL:
            sql = f"KILL QUERY WHERE query_id LIKE '{self.database}-%' ASYNC"
            poll(lambda: bool(session.query(sql)), KILL_SECONDS)
            return sql, None, ()
        sql = sql_of(statement, self.database, self.history.schema)[0]
        if statement.kind != READ and statement.kind in CHANGES and " WHERE " in sql:
            sql = sql.replace(" WHERE ", f" WHERE NOT sleepEachRow({SLEEP}) AND ")
        settings = {} if statement.kind == READ else SLOWLY
        try:
            answered = session.query(
                sql, settings=settings, query_id=f"{self.database}-{number}-{place}"
            )
        except QueryFailed as failed:
            return sql, failed.code, ()
        if statement.kind != READ:
            return sql, None, ()
        return sql, None, ((statement.table, tuple(sorted((int(k), int(v)) for k, v in answered))),)

    def _report(
        self,
        start: Partitions,
        calls: list[Call[Operation]],
        left: Partitions,
        causes: tuple[str, ...],
    ) -> NoReturn:
        """Say what it is: a read, a cancelled statement that was executed, or statements that met."""
        actual = "; ".join(
            f"{name}: {len(rows)} rows {rows if len(rows) < 7 else ''}".rstrip()
            for name, rows in left
        )
        expected = "the rows of some order"
        writes = [call for call in calls if call.operation.kind != READ]
        if check(start, writes, step) is Verdict.LINEARIZABLE:
            meeting = _kinds(calls)
            self.differs(TOGETHER, READ_BETWEEN, expected, actual, meeting=meeting, causes=causes)
        stopped = [call.operation.statement for call in writes if _stopped(call.operation)]
        for statement in filter(None, stopped):
            if causes == (cancelled(statement.kind),):
                self.differs(statement, CANCELLED_AND_DONE, expected, actual, causes=causes)
        meeting = _kinds(writes)
        self.differs(TOGETHER, MIXTURE, expected, actual, meeting=meeting, causes=causes)


def _stopped(operation: Operation) -> bool:
    return operation.refusal == QUERY_WAS_CANCELLED


def _kinds(calls: Sequence[Call[Operation]]) -> tuple[str, ...]:
    """The statements by kind, but for those that were refused; what was cancelled may have been executed."""
    kinds = Counter(
        call.operation.kind
        for call in calls
        if call.operation.statement is not None
        and (call.operation.refusal is None or _stopped(call.operation))
    )
    return tuple(sorted(kind for kind in kinds for _ in range(min(kinds[kind], MOST_OF_A_KIND))))


execute = partial(play, player=ConcurrentPlayer)
"""Execute a concurrent history in a database of its own."""
