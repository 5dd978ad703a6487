"""Asking a node: typed rows, expected refusals, sessions, statements in the background.

Over the native protocol (session.py). HTTP is for what needs a format or raw bytes.
"""

from __future__ import annotations

import threading
import time
from abc import ABC, abstractmethod
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from typing import Any

from helpers import mutants
from helpers.cluster import http
from helpers.cluster.background import Background
from helpers.cluster.failures import NodeDied, QueryFailed, QueryTimedOut, describe
from helpers.cluster.session import DYING_SECONDS, ERROR_PREVIEW, LOST, Endpoint, Row, Session
from helpers.recording import Recorder, Statement, now, preview
from helpers.timeouts import scaled


class Queries(ABC):
    """The asking half of a node, the same whatever environment the node lives in."""

    name: str
    endpoint: Endpoint
    recorder: Recorder
    database: str = ""

    def __init__(self) -> None:
        self._idle: dict[tuple[str, str, int], list[Session]] = {}
        self._lock = threading.Lock()
        self._sessions = 0
        self.backgrounds: list[Background] = []

    # What an environment has to tell.

    @abstractmethod
    def password(self, user: str) -> str: ...

    @abstractmethod
    def log_tail(self, lines: int, about: str = "") -> str:
        """The last lines of the server's log; those that contain `about`, if there are any."""

    @abstractmethod
    def raise_if_dead(self, during: str, grace: float = 0.0) -> None:
        """Raise NodeDied, with the last log lines, if the server is gone though nobody ended it.

        `grace`: a process that is just dying closes its sockets a moment before it can be seen as
        gone; so long it is waited for.
        """

    # Verbs.

    def query(self, sql: str, *, user: str | None = None, **options: Any) -> list[Row]:
        """Typed rows. Options: settings, data (rows of an INSERT … VALUES), query_id, timeout."""
        with self._pooled(user) as session:
            return session.query(sql, **options)

    def value(self, sql: str, **options: Any) -> Any:
        """The one value of a query that returns one row of one column."""
        rows = self.query(sql, **options)
        if len(rows) != 1 or len(rows[0]) != 1:
            raise AssertionError(
                describe(
                    f"{self.name} returned {len(rows)} rows where one value is expected",
                    query=sql,
                    actual=preview(rows),
                )
            )
        return rows[0][0]

    def column(self, sql: str, **options: Any) -> list[Any]:
        """The first column of a query."""
        return [row[0] for row in self.query(sql, **options)]

    def fails(
        self, sql: str, *, code: int, text: str = "", user: str | None = None, **options: Any
    ) -> QueryFailed:
        """The statement has to be refused, with this code and this fragment of the message."""
        with self._pooled(user) as session:
            return session.fails(sql, code=code, text=text, **options)

    @contextmanager
    def session(self, user: str | None = None) -> Iterator[Session]:
        """A connection of one's own: temporary tables and SET stay until the block ends."""
        with self._lock:
            self._sessions += 1
            number = self._sessions
        session = Session(self, user, number)
        try:
            yield session
        finally:
            session.close()

    def background(self, sql: str, *, user: str | None = None, **options: Any) -> Background:
        """Start a statement and go on; the handle tells, waits and kills."""
        handle = Background(self, Session(self, user, None), sql, options)
        self.backgrounds.append(handle)
        return handle

    def http(
        self, sql: str, *, user: str | None = None, body: bytes | None = None, **parameters: Any
    ) -> bytes:
        """The answer as raw bytes, over HTTP: for FORMATs, uploads and texts that are not UTF-8."""
        started, at, code, outcome = time.perf_counter(), now(), None, "connection lost"
        who = user or self.endpoint.user
        try:
            answer: bytes = mutants.ACTIVE.speak(
                self,
                sql,
                who,
                lambda text: http.post(
                    self.endpoint, text, who, self.password(who), self.database, body, parameters
                ),
                mutants.HTTP,
            )
            outcome = preview(answer)
            return answer
        except http.Refused as refused:
            code = refused.code
            outcome = f"refused: {refused.message.splitlines()[0][:ERROR_PREVIEW]}"
            raise QueryFailed(
                code=refused.code,
                message=refused.message,
                node=self.name,
                sql=sql,
                user=who,
                seconds=time.perf_counter() - started,
                read_log=partial(self.log_tail, 5),
            ) from None
        except TimeoutError:
            outcome = "no answer in time"
            raise QueryTimedOut(
                describe(
                    f"{self.name} did not answer over HTTP within {scaled(http.HTTP_SECONDS):.0f} s",
                    query=sql,
                    log=self.log_tail(5),
                )
            ) from None
        except OSError:
            self.raise_if_dead(sql, DYING_SECONDS)
            raise
        finally:
            self.recorder.take(
                Statement(
                    node=self.name,
                    sql=sql,
                    at=at,
                    user=user,
                    database=self.database or None,
                    settings=parameters,
                    seconds=round(time.perf_counter() - started, 6),
                    outcome=outcome,
                    code=code,
                )
            )

    def drop_connections(self) -> None:
        """Close what is idle; the next query connects anew."""
        with self._lock:
            for sessions in self._idle.values():
                for session in sessions:
                    session.close()
            self._idle.clear()

    @contextmanager
    def _pooled(self, user: str | None) -> Iterator[Session]:
        key = (user or self.endpoint.user, self.database, self.endpoint.tcp_port)
        with self._lock:
            idle = self._idle.setdefault(key, [])
            session = idle.pop() if idle else None
        if session is None:
            session = Session(self, user, None)
        try:
            yield session
        except (QueryTimedOut, NodeDied, *LOST):
            session.close()
            raise
        except BaseException:
            self._give_back(key, session)
            raise
        else:
            self._give_back(key, session)

    def _give_back(self, key: tuple[str, str, int], session: Session) -> None:
        if session.has_state:
            session.close()  # what one statement set must not reach the next one by chance
            return
        with self._lock:
            self._idle.setdefault(key, []).append(session)
