"""The crash profile: the server is killed while it executes the last statement of a history.

What was acknowledged before is there when the server runs again, and the last statement is there as a
whole or not at all; if it was acknowledged it is there.
"""

from __future__ import annotations

import os
import threading
import time
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path
from random import Random

from helpers.cluster.client.failures import GONE, QueryFailed
from helpers.explore.execution.concurrent import contents_of
from helpers.explore.execution.play import play
from helpers.explore.execution.player import Player
from helpers.explore.model.histories import ACCEPTED, BETWEEN, History, Sent, answer
from helpers.explore.model.linearize import Partitions, Rows, partitions
from helpers.explore.model.statements import TABLES, HistoryStatement, sql_of
from helpers.explore.model.transitions import apply
from helpers.explore.model.weaknesses import half_done
from pipelines.system.waiting import poll

LAST = (
    "replace",
    "replace",
    "attach-from",
    "insert",
    "drop",
    "truncate",
    "detach",
    "attach",
    "move",
)
SOURCE_PARTS = (3, 30, 150)
LATEST_KILL = 400
"""Milliseconds behind the invocation; most statements have ended long before."""
NEW_PARTS = (-1, -5, -20)
"""Moments that are not times: when so many new parts are in the table's folder."""
LONGEST_WATCH = 5.0
CLONING = ("replace", "attach-from")
DETACHED_LOST = "rows are neither in the table nor detached"
LOST = "an acknowledged statement is lost"
NO_ANSWER = "no answer: the server was killed"


def draw(random: Random, kinds: Sequence[str], table_kinds: Sequence[str]) -> History:
    """Two tables with parts, and a statement during which the server is killed."""
    kind = random.choice([kind for kind in LAST if kind in kinds])
    filled = tuple(
        HistoryStatement("insert-parts", table, number=random.choice(SOURCE_PARTS))
        for table in TABLES[:2]
    )
    before = (HistoryStatement("detach"),) * (kind == "attach")
    last = HistoryStatement(kind, "a", "b", 1, ((500, 9),) if kind == "insert" else ())
    moment = random.choice((random.choice(NEW_PARTS), random.randint(0, LATEST_KILL)))
    return History(dict.fromkeys(TABLES, "plain"), (*filled, *before, last), interruption=moment)


class CrashPlayer(Player):
    """All statements but the last as usual; the last one with a SIGKILL on its way."""

    def play(self) -> None:
        *before, last = self.history.statements or (HistoryStatement(""),)
        if last.kind not in LAST:
            return  # made too short: an INSERT of several parts is all or nothing part by part
        for statement in before:
            self.step(statement)
        outcome = apply(self.state, last)
        if outcome.unspecified:
            return
        self.executed.append(last)
        self.make_tables(last)
        old = self._rows()
        acknowledged = self._killed_during(last)
        self.node.start()
        after = self._rows()
        self.note(last, outcome)
        new = dict(partitions(outcome.state))
        wanted = tuple((name, new[name]) for name, _ in old)
        if last.kind == "detach":
            self._attach_again(last, old)
        if after == wanted or (after == old and not acknowledged):
            return
        kind = LOST if after == old else BETWEEN
        half = not acknowledged and is_half(last, dict(old), dict(after), new)
        causes = (half_done(last.kind),) if half else ()
        self.differs(last, kind, f"{_shown(old)} or {_shown(wanted)}", _shown(after), causes=causes)

    def _attach_again(self, last: HistoryStatement, old: Partitions) -> None:
        """Whatever was detached comes back: no row is lost."""
        back = replace(last, kind="attach")
        (sql,) = sql_of(back, self.database)
        self.ask(sql)
        self.sent.append(Sent(sql, ACCEPTED))
        rows = self._rows()
        if rows != old:
            causes = (half_done(last.kind),)
            self.differs(last, DETACHED_LOST, _shown(old), _shown(rows), causes=causes)

    def _rows(self) -> Partitions:
        return contents_of(self, sorted(self.made))

    def _killed_during(self, statement: HistoryStatement) -> bool:
        """Whether it was acknowledged before the server was gone."""
        sql = sql_of(statement, self.database)[0]
        began = time.monotonic()
        outcome: list[str] = []
        watched = self._folders(statement.table)
        before = _parts_in(watched)

        def send() -> None:
            try:
                self.ask(sql)
                outcome.append(ACCEPTED)
            except QueryFailed as failed:
                outcome.append(answer(failed.code))
            except GONE:
                outcome.append(NO_ANSWER)

        thread = threading.Thread(target=send, daemon=True)
        thread.start()
        self._wait_for_the_moment(thread, watched, before)
        self.node.kill()
        thread.join()
        start = began - self.began
        ended = time.monotonic() - self.began
        self.sent.append(Sent(sql, outcome[0], "", 0, start, ended))
        return outcome[0] == ACCEPTED

    def _folders(self, table: str) -> list[Path]:
        """Where the server keeps the parts of a table, as far as we can see it."""
        rows = self.ask(
            "SELECT arrayJoin(data_paths) FROM system.tables "
            f"WHERE database = '{self.database}' AND name = '{table}'"
        )
        return [folder for row in rows if (folder := Path(row[0])).is_dir()]

    def _wait_for_the_moment(
        self, thread: threading.Thread, watched: list[Path], before: set[str]
    ) -> None:
        moment = self.history.interruption or 0
        if moment >= 0:
            thread.join(moment / 1000)
            return
        poll(
            lambda: len(_parts_in(watched) - before) >= -moment,
            LONGEST_WATCH,
            pause=0.0,
            give_up=lambda: not thread.is_alive(),
        )


def is_half(
    statement: HistoryStatement,
    old: Mapping[str, Rows],
    new: Mapping[str, Rows],
    wanted: Mapping[str, Rows],
) -> bool:
    """Whether a statement has begun to change its tables, and not ended: what clones has added some of the
    source's rows to all old ones; of what others add or remove some is done."""
    table = statement.table
    if statement.kind == "insert":
        return False
    if statement.kind in CLONING:
        if any(new[name] != old[name] for name in old if name != table):
            return False
        before, after = Counter(old[table]), Counter(new[table])
        return before <= after <= before + Counter(old[statement.other])
    return all(
        Counter(old[name]) & Counter(wanted[name])
        <= Counter(new[name])
        <= Counter(old[name]) | Counter(wanted[name])
        for name in old
    )


execute = partial(play, player=CrashPlayer)
"""Execute a history that ends with a kill in a database of its own."""


def _parts_in(folders: list[Path]) -> set[str]:
    # A list of names is quicker than paths, and the moment is short.
    names = (name for folder in folders for name in os.listdir(folder))  # noqa: PTH208
    return {name for name in names if name[0].isdigit()}


def _shown(rows: Partitions) -> str:
    return ", ".join(f"{len(own)} rows in {name}" for name, own in rows)
