"""One connection to a node, over the native protocol by clickhouse-driver: the place where statements are
made, recorded, and turned into rows or failures."""

from __future__ import annotations

import logging
import os
import uuid
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from clickhouse_driver import errors as driver_errors

from helpers.base.errors import EnvironmentFailed
from helpers.base.time_limits import scaled
from helpers.cluster.client import driver
from helpers.cluster.client.failures import GONE, LOST, QueryFailed, describe
from helpers.cluster.client.interception import CALLS, Call
from helpers.cluster.client.recording import Statement, literals, now, preview
from helpers.cluster.client.tampering import INTERCEPTOR, Channel
from pipelines.clickhouse import http as clickhouse_http

if TYPE_CHECKING:
    from helpers.cluster.client.queries import Queries

# The driver logs every refused connection to the console while we wait for a node to come up.
logging.getLogger("clickhouse_driver").addHandler(logging.NullHandler())
logging.getLogger("clickhouse_driver").propagate = False

Row = tuple[Any, ...]
QUERY_SECONDS = 60.0
HTTP_SECONDS = 60.0
CONNECT_SECONDS = 10.0
DYING_SECONDS = 0.5
NOT_TEXT = "the message is not UTF-8; ask by http() for its code and its bytes"
NATIVE = Channel(
    empty=[],
    refusal=lambda code, text: driver_errors.ServerException(text, code),
    lost=GONE,
)


@dataclass(frozen=True)
class Endpoint:
    """Where a node listens and who we are there."""

    host: str
    tcp_port: int
    http_port: int
    user: str
    password: str
    secure: bool = False

    @property
    def http_url(self) -> str:
        host = f"[{self.host}]" if ":" in self.host else self.host
        return f"{'https' if self.secure else 'http'}://{host}:{self.http_port}"

    def post(self, sql: str, parameters: Mapping[str, str], user: str = "") -> bytes:
        """Execute a statement over HTTP without recording it, as ourselves or as a user without a password;
        raises Refused, or EnvironmentFailed if the server does not answer."""
        try:
            return clickhouse_http.post(
                self.http_url,
                sql,
                user=user or self.user,
                password="" if user else self.password,
                parameters=parameters,
                seconds=scaled(HTTP_SECONDS),
            )
        except OSError as error:
            raise EnvironmentFailed(f"The server did not answer: {error}.") from None

    def commands(self, database: str = "") -> list[str]:
        """How to connect: the command of the client, and an address for a browser or curl."""
        chosen = f" --database {database}" if database else ""
        address = self.http_url.replace("://", f"://{self.user}:{self.password}@", 1)
        return [
            f"  clickhouse-client --host {self.host} --port {self.tcp_port} "
            f"--user {self.user} --password {self.password}{chosen}"
            + (" --secure" if self.secure else ""),
            f"  {address}/?{f'database={database}&' if database else ''}query=SELECT+1",
        ]


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
            secure=node.endpoint.secure,
            ca_certs=os.environ.get("SSL_CERT_FILE"),
            settings=dict(node.settings),
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
        call = CALLS.identify(sql)
        statement = self._statement(sql, settings or {}, data, call)
        query_id = query_id or str(uuid.uuid4())
        self.has_state = self.has_state or driver.leaves_state(sql)
        self._limit_silence(scaled(timeout))
        with self.node.recorder.executing(statement) as execution:
            try:
                answer = INTERCEPTOR.intercept(
                    self.node,
                    call,
                    sql,
                    settings or {},
                    self.user,
                    NATIVE,
                    lambda text, chosen: self.client.execute(
                        text, data, settings=dict(chosen) or None, query_id=query_id
                    ),
                )
            except (driver_errors.ServerException, UnicodeDecodeError) as error:
                if data is not None:
                    self.client.hang_up()  # the server may still expect rows
                code, message = _refusal(error)
                raise self.node.refused(
                    execution, code, message, sql, self.user, query_id
                ) from None
            except (driver_errors.SocketTimeoutError, TimeoutError):
                self.client.hang_up()
                raise self.node.timed_out(execution, sql, scaled(timeout)) from None
            except LOST as error:
                execution.outcome = f"connection lost: {type(error).__name__}"
                self.client.hang_up()
                self.node.raise_if_dead(sql, DYING_SECONDS)
                raise
            rows: list[Row] = answer if isinstance(answer, list) else []
            execution.outcome = preview(rows)
            execution.rows, execution.columns = len(rows), len(rows[0]) if rows else 0
            return rows

    def fails(self, sql: str, *, code: int, text: str = "", **options: Any) -> QueryFailed:
        """Run a statement that has to be refused, with this code and this fragment of the message."""
        __tracebackhide__ = True
        wanted = f"code {code}" + (f" and {text!r}" if text else "")
        try:
            rows = self.query(sql, **options)
        except QueryFailed as failed:
            if failed.code == code and text in failed.message:
                return failed
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
                expected=wanted,
                actual=f"success, {preview(rows)}",
            )
        )

    def close(self) -> None:
        self.client.hang_up()

    def _statement(
        self, sql: str, settings: Mapping[str, Any], data: Sequence[Any] | None, call: Call | None
    ) -> Statement:
        """A statement as it is recorded."""
        return Statement(
            node=self.node.name,
            sql=sql,
            at=now(),
            user=None if self.user == self.node.endpoint.user else self.user,
            database=self.node.database or None,
            session=self.number,
            settings=dict(settings),
            data=literals(data) if data is not None else None,
            place=call.place if call else "",
            occurrence=call.occurrence if call else 0,
        )

    def _limit_silence(self, seconds: float) -> None:
        connection = self.client.connection
        connection.send_receive_timeout = seconds
        # Before a query the driver connects, or asks an old connection whether it still lives.
        connection.connect_timeout = min(seconds, scaled(CONNECT_SECONDS))
        connection.sync_request_timeout = min(seconds, scaled(CONNECT_SECONDS))
        if connection.connected:
            connection.socket.settimeout(seconds)


def _refusal(error: driver_errors.ServerException | UnicodeDecodeError) -> tuple[int, str]:
    """Code and message of a refusal. The driver fails on raw bytes in a message, and loses the code."""
    if isinstance(error, UnicodeDecodeError):
        return 0, NOT_TEXT
    return error.code, error.message
