"""Statements on a node: typed rows, expected refusals, sessions, statements in the background.

Over the native protocol (session.py). HTTP is for what needs a format or raw bytes.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

from helpers.base.time_limits import scaled
from helpers.cluster.client.background import Background
from helpers.cluster.client.execution import execute as execute_statement
from helpers.cluster.client.execution import statement_of
from helpers.cluster.client.failures import GONE, QueryFailed, QueryTimedOut
from helpers.cluster.client.server import HTTP_SECONDS, Row, Server
from helpers.cluster.client.session import Session
from helpers.cluster.client.tampering import Channel
from pipelines.clickhouse import http as clickhouse_http

OVER_HTTP = Channel(
    empty=b"",
    refusal=clickhouse_http.Refused,
    refusals=(clickhouse_http.Refused,),
    read_refusal=lambda refused: (refused.code, refused.message),
    silent=(TimeoutError,),
    lost=GONE,
    suffix=" over HTTP",
)

# Parameters of the HTTP interface that are no settings.
NO_SETTINGS = ("database", "default_format", "query_id", "wait_end_of_query")


@dataclass(frozen=True)
class Prepared:
    """A statement as it is to be sent, or the answer to give in its place."""

    sql: str
    settings: Mapping[str, Any]
    answer: bytes | None


class Queries(Server):
    """The part of a node that executes statements, the same in every environment."""

    def __init__(self) -> None:
        self._idle: dict[tuple[str, str, int], list[Session]] = {}
        self._lock = threading.Lock()
        self._sessions = 0
        self.backgrounds: list[Background] = []

    def query(self, sql: str, *, user: str | None = None, **options: Any) -> list[Row]:
        """Typed rows. Options: settings, data (rows of an INSERT … VALUES), query_id, timeout."""
        with self._pooled(user) as session:
            return session.query(sql, **options)

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
        settings = {name: value for name, value in parameters.items() if name not in NO_SETTINGS}
        query_id = parameters.get("query_id", "")
        statement = statement_of(
            self,
            sql,
            user,
            settings,
            database=parameters.get("database", self.database) or None,
            query_id=query_id,
        )
        answer: bytes = execute_statement(
            self,
            OVER_HTTP,
            statement,
            parameters,
            execute,
            scaled(HTTP_SECONDS),
            query_id=query_id,
        )
        return answer

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
