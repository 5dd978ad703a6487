"""One connection to a node, over the native protocol by clickhouse-driver: the place where statements are
made, recorded, and turned into rows or failures."""

from __future__ import annotations

import logging
import time
import uuid
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Any

from clickhouse_driver import errors as driver_errors

from helpers import mutants
from helpers.cluster import driver
from helpers.cluster.failures import QueryFailed, QueryTimedOut, describe
from helpers.recording import Statement, literals, now, preview
from helpers.timeouts import scaled

if TYPE_CHECKING:
    from helpers.cluster.queries import Queries

# The driver logs every refused connection to the console while we wait for a node to come up.
logging.getLogger("clickhouse_driver").addHandler(logging.NullHandler())
logging.getLogger("clickhouse_driver").propagate = False

Row = tuple[Any, ...]
QUERY_SECONDS = 60.0
CONNECT_SECONDS = 10.0
ERROR_PREVIEW = 300
DYING_SECONDS = 0.5
NOT_TEXT = "the message is not UTF-8; ask by http() for its code and its bytes"
LOST = (driver_errors.NetworkError, EOFError, ConnectionError, OSError)


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

    def _refused(
        self, code: int, message: str, sql: str, started: float, query_id: str
    ) -> QueryFailed:
        return QueryFailed(
            code=code,
            message=message,
            node=self.node.name,
            sql=sql,
            user=self.user,
            seconds=time.perf_counter() - started,
            query_id=query_id,
        )

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
            raise self._refused(code, message, sql, started, query_id) from None
        except UnicodeDecodeError:
            # The driver stumbled over raw bytes in the server's message, and the code is lost with it.
            code, outcome = 0, f"refused: {NOT_TEXT}"
            raise self._refused(code, NOT_TEXT, sql, started, query_id) from None
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
        except LOST as error:
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
