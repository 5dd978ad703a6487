"""Asking a node: typed rows, expected refusals, sessions, statements in the background.

Over the native protocol by clickhouse-driver. HTTP is for what needs a format or raw bytes.
"""

from __future__ import annotations

import logging
import threading
import time
import uuid
from abc import ABC, abstractmethod
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from typing import Any

from clickhouse_driver import errors as driver_errors

from helpers import mutants
from helpers.cluster import driver, http
from helpers.cluster.background import Background
from helpers.cluster.failures import NodeDied, QueryFailed, QueryTimedOut, describe
from helpers.recording import Recorder, Statement, literals, now, preview
from helpers.timeouts import scaled

# The driver logs every refused connection to the console while we wait for a node to come up.
logging.getLogger("clickhouse_driver").addHandler(logging.NullHandler())
logging.getLogger("clickhouse_driver").propagate = False

Row = tuple[Any, ...]
QUERY_SECONDS = 60.0
CONNECT_SECONDS = 10.0
ERROR_PREVIEW = 300
DYING_SECONDS = 0.5
NOT_TEXT = "the message is not UTF-8; ask by http() for its code and its bytes"
_LOST = (driver_errors.NetworkError, EOFError, ConnectionError, OSError)


@dataclass(frozen=True)
class Endpoint:
    """Where a node listens and who we are there."""

    host: str
    tcp_port: int
    http_port: int
    user: str
    password: str


class Session:
    """One connection: temporary tables and SET live as long as it does."""

    def __init__(self, node: Queries, user: str | None, number: int | None) -> None:
        self.node = node
        self.user = user or node.endpoint.user
        self.number = number
        self.has_state = False
        self.client = driver.Client(
            host=node.endpoint.host,
            port=node.endpoint.tcp_port,
            user=self.user,
            password=node.password(self.user),
            database=node.database,
        )

    def query(
        self,
        sql: str,
        *,
        settings: Mapping[str, Any] | None = None,
        data: Sequence[Any] | None = None,
        query_id: str | None = None,
        timeout: float = QUERY_SECONDS,
    ) -> list[Row]:
        """Typed rows; raises QueryFailed where the server refuses."""
        try:
            return self._run(sql, settings, data, query_id, timeout)
        except QueryFailed as failed:
            failed.read_log = partial(self.node.log_tail, 5, failed.query_id)
            raise

    def fails(self, sql: str, *, code: int, text: str = "", **options: Any) -> QueryFailed:
        """Run a statement that has to be refused, with this code and this fragment of the message."""
        __tracebackhide__ = True
        try:
            rows = self._run(
                sql,
                options.get("settings"),
                options.get("data"),
                options.get("query_id"),
                options.get("timeout", QUERY_SECONDS),
            )
        except QueryFailed as failed:
            if failed.code == code and text in failed.message:
                return failed
            wanted = f"code {code}" + (f" and {text!r}" if text else "")
            raise AssertionError(
                describe(
                    f"{self.node.name} refused the statement otherwise than expected",
                    query=sql,
                    expected=wanted,
                    actual=f"code {failed.code}: {failed.message}",
                    log=self.node.log_tail(5, failed.query_id),
                )
            ) from None
        raise AssertionError(
            describe(
                f"{self.node.name} accepted a statement that it has to refuse",
                query=sql,
                expected=f"code {code}" + (f" and {text!r}" if text else ""),
                actual=f"success, {preview(rows)}",
            )
        )

    def close(self) -> None:
        self.client.hang_up()

    def _limit_silence(self, seconds: float) -> None:
        connection = self.client.connection
        connection.send_receive_timeout = seconds
        # Before a query the driver connects, or asks an old connection whether it still lives.
        connection.connect_timeout = min(seconds, scaled(CONNECT_SECONDS))
        connection.sync_request_timeout = min(seconds, scaled(CONNECT_SECONDS))
        if connection.connected:
            connection.socket.settimeout(seconds)

    def _run(
        self,
        sql: str,
        settings: Mapping[str, Any] | None,
        data: Sequence[Any] | None,
        query_id: str | None,
        timeout: float,
    ) -> list[Row]:
        started, at = time.perf_counter(), now()
        outcome, code = "", None
        query_id = query_id or str(uuid.uuid4())
        self.has_state = self.has_state or driver.leaves_state(sql)
        self._limit_silence(scaled(timeout))
        try:
            answer = mutants.ACTIVE.speak(
                self.node,
                sql,
                self.user,
                lambda text: self.client.execute(
                    text,
                    data,
                    settings=dict(settings) if settings else None,
                    query_id=query_id,
                ),
            )
        except driver_errors.ServerException as error:
            if data is not None:
                self.client.hang_up()  # the server may still expect rows
            code, message = error.code, error.message
            outcome = f"refused: {message.splitlines()[0][:ERROR_PREVIEW]}"
            raise QueryFailed(
                code=code,
                message=message,
                node=self.node.name,
                sql=sql,
                user=self.user,
                seconds=time.perf_counter() - started,
                query_id=query_id,
            ) from None
        except UnicodeDecodeError:
            # The driver stumbled over raw bytes in the server's message, and the code is lost with it.
            code, outcome = 0, f"refused: {NOT_TEXT}"
            raise QueryFailed(
                code=code,
                message=NOT_TEXT,
                node=self.node.name,
                sql=sql,
                user=self.user,
                seconds=time.perf_counter() - started,
                query_id=query_id,
            ) from None
        except (driver_errors.SocketTimeoutError, TimeoutError):
            outcome = "no answer in time"
            self.client.hang_up()
            raise QueryTimedOut(
                describe(
                    f"{self.node.name} did not answer within {scaled(timeout):.0f} s",
                    query=sql,
                    log=self.node.log_tail(5),
                )
            ) from None
        except _LOST as error:
            outcome = f"connection lost: {type(error).__name__}"
            self.client.hang_up()
            self.node.raise_if_dead(sql, DYING_SECONDS)
            raise
        else:
            rows: list[Row] = answer if isinstance(answer, list) else []
            outcome = preview(rows)
            return rows
        finally:
            self.node.recorder.take(
                Statement(
                    node=self.node.name,
                    sql=sql,
                    at=at,
                    user=None if self.user == self.node.endpoint.user else self.user,
                    database=self.node.database or None,
                    session=self.number,
                    settings=dict(settings or {}),
                    data=literals(data) if data is not None else None,
                    seconds=round(time.perf_counter() - started, 6),
                    outcome=outcome,
                    code=code,
                )
            )


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
        except (QueryTimedOut, NodeDied, *_LOST):
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
