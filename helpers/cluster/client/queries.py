"""Statements on a node: typed rows, expected refusals, sessions, statements in the background.

Over the native protocol (session.py). HTTP is for what needs a format or raw bytes.
"""

from __future__ import annotations

import threading
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from typing import Any

from helpers.base.time_limits import scaled
from helpers.cluster.client.background import Background
from helpers.cluster.client.failures import GONE, QueryFailed, QueryTimedOut, describe
from helpers.cluster.client.interception import CALLS
from helpers.cluster.client.recording import Execution, Recorder, Statement, now, preview
from helpers.cluster.client.session import DYING_SECONDS, HTTP_SECONDS, Endpoint, Row, Session
from helpers.cluster.client.tampering import INTERCEPTOR, Channel
from pipelines.clickhouse import http as clickhouse_http

ERROR_PREVIEW = 300
HTTP_CHANNEL = Channel(empty=b"", refusal=clickhouse_http.Refused, lost=GONE)

# Parameters of the HTTP interface that are no settings.
NO_SETTINGS = ("database", "default_format", "query_id", "wait_end_of_query")


@dataclass(frozen=True)
class Prepared:
    """A statement as it is to be sent, or the answer to give in its place."""

    sql: str
    settings: Mapping[str, Any]
    answer: bytes | None


class Queries(ABC):
    """The part of a node that executes statements, the same in every environment."""

    name: str
    endpoint: Endpoint
    recorder: Recorder
    database: str = ""
    settings: Mapping[str, Any] = {}
    """What every statement is executed with, unless it says otherwise."""

    def __init__(self) -> None:
        self._idle: dict[tuple[str, str, int], list[Session]] = {}
        self._lock = threading.Lock()
        self._sessions = 0
        self.backgrounds: list[Background] = []

    # What an environment provides.

    @abstractmethod
    def password(self, user: str) -> str: ...

    @abstractmethod
    def log_tail(self, lines: int, about: str = "") -> str:
        """The last lines of the server's log; those that contain `about`, if there are any."""

    @abstractmethod
    def raise_if_dead(self, during: str, grace: float = 0.0) -> None:
        """Raise NodeDied, with the last log lines, if the server has ended by itself.

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
        """The values of a query that returns one column."""
        rows = self.query(sql, **options)
        if any(len(row) != 1 for row in rows):
            raise AssertionError(
                describe(
                    f"{self.name} returned several columns where one is expected",
                    query=sql,
                    actual=preview(rows),
                )
            )
        return [value for (value,) in rows]

    def fails(
        self, sql: str, *, code: int, text: str = "", user: str | None = None, **options: Any
    ) -> QueryFailed:
        """The statement has to be refused, with this code and this fragment of the message."""
        with self._pooled(user) as session:
            return session.fails(sql, code=code, text=text, **options)

    @contextmanager
    def session(self, user: str | None = None) -> Iterator[Session]:
        """A separate connection: temporary tables and SET last until the block ends."""
        with self._lock:
            self._sessions += 1
            number = self._sessions
        session = Session(self, user, number)
        try:
            yield session
        finally:
            session.close()

    def background(self, sql: str, *, user: str | None = None, **options: Any) -> Background:
        """Start a statement and return at once; the handle waits for it or kills it."""
        handle = Background(self, Session(self, user, None), sql, options)
        self.backgrounds.append(handle)
        return handle

    def http(
        self, sql: str, *, user: str | None = None, body: bytes | None = None, **parameters: Any
    ) -> bytes:
        """The answer as raw bytes, over HTTP: for FORMATs, uploads and texts that are not UTF-8."""
        who = user or self.endpoint.user

        def post(text: str, settings: Mapping[str, Any]) -> bytes:
            return clickhouse_http.post(
                self.endpoint.http_url,
                text,
                user=who,
                password=self.password(who),
                parameters={"database": self.database, **self.settings, **settings},
                data=body,
                seconds=scaled(HTTP_SECONDS),
            )

        return self._over_http(sql, user, parameters, post)

    def prepare(self, sql: str, *, user: str | None = None, **parameters: Any) -> Prepared:
        """Record and intercept a statement that another process will send over HTTP."""
        prepared, answer = self._prepare_all(sql, user, **parameters)
        return prepared[0] if prepared and not answer else Prepared(sql, parameters, answer)

    def _prepare_all(
        self, sql: str, user: str | None = None, **parameters: Any
    ) -> tuple[list[Prepared], bytes]:
        """All that is to be sent in place of a statement, and the answer that was given instead."""
        prepared: list[Prepared] = []

        def keep(text: str, settings: Mapping[str, Any]) -> bytes:
            prepared.append(Prepared(text, settings, None))
            return b""

        return prepared, self._over_http(sql, user, parameters, keep)

    def _over_http(
        self,
        sql: str,
        user: str | None,
        parameters: Mapping[str, Any],
        execute: Callable[[str, Mapping[str, Any]], bytes],
    ) -> bytes:
        at, who, call = now(), user or self.endpoint.user, CALLS.identify(sql)
        settings = {name: value for name, value in parameters.items() if name not in NO_SETTINGS}
        statement = Statement(
            node=self.name,
            sql=sql,
            at=at,
            user=user,
            database=parameters.get("database", self.database) or None,
            settings=settings,
            place=call.place if call else "",
            occurrence=call.occurrence if call else 0,
            query_id=parameters.get("query_id", ""),
        )
        with self.recorder.executing(statement) as execution:
            execution.outcome = "connection lost"
            try:
                answer: bytes = INTERCEPTOR.intercept(
                    self, call, sql, parameters, who, HTTP_CHANNEL, execute
                )
            except clickhouse_http.Refused as refused:
                raise self.refused(execution, refused.code, refused.message, sql, who) from None
            except TimeoutError:
                raise self.timed_out(execution, sql, scaled(HTTP_SECONDS), " over HTTP") from None
            except OSError:
                self.raise_if_dead(sql, DYING_SECONDS)
                raise
            execution.rows, execution.columns = answer.count(b"\n"), 1
            execution.outcome = preview(answer)
            return answer

    def refused(
        self, execution: Execution, code: int, message: str, sql: str, user: str, query_id: str = ""
    ) -> QueryFailed:
        """Record a refusal; the exception to raise for it."""
        execution.code = code
        execution.outcome = f"refused: {message.splitlines()[0][:ERROR_PREVIEW]}"
        return QueryFailed(
            code=code,
            message=message,
            node=self.name,
            sql=sql,
            user=user,
            seconds=execution.seconds,
            query_id=query_id,
            read_log=partial(self.log_tail, 5, query_id),
        )

    def timed_out(
        self, execution: Execution, sql: str, seconds: float, over: str = ""
    ) -> QueryTimedOut:
        """Record that there was no answer; the exception to raise for it."""
        execution.outcome = "no answer in time"
        return QueryTimedOut(
            describe(
                f"{self.name} did not answer{over} within {seconds:.0f} s",
                query=sql,
                log=self.log_tail(5),
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
        except (QueryTimedOut, *GONE):
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
