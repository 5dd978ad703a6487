"""One connection to a server, over the native protocol by clickhouse-driver."""

from __future__ import annotations

import logging
import os
import uuid
from collections.abc import Mapping, Sequence
from typing import Any

from clickhouse_driver import errors as driver_errors

from helpers.base.time_limits import scaled
from helpers.cluster.client import driver
from helpers.cluster.client.execution import execute, statement_of
from helpers.cluster.client.failures import GONE, QueryFailed, describe
from helpers.cluster.client.recording import literals, preview
from helpers.cluster.client.server import Endpoint, Row, Server
from helpers.cluster.client.tampering import Channel

__all__ = ["Endpoint", "Row", "Session"]

# The driver logs every refused connection to the console while we wait for a node to come up.
logging.getLogger("clickhouse_driver").addHandler(logging.NullHandler())
logging.getLogger("clickhouse_driver").propagate = False

QUERY_SECONDS = 60.0
CONNECT_SECONDS = 10.0
NOT_TEXT = "the message is not UTF-8; ask by http() for its code and its bytes"


def _refusal(error: driver_errors.ServerException | UnicodeDecodeError) -> tuple[int, str]:
    """Code and message of a refusal. The driver fails on raw bytes in a message, and loses the code."""
    if isinstance(error, UnicodeDecodeError):
        return 0, NOT_TEXT
    return error.code, error.message


NATIVE = Channel(
    empty=[],
    refusal=lambda code, text: driver_errors.ServerException(text, code),
    refusals=(driver_errors.ServerException, UnicodeDecodeError),
    read_refusal=_refusal,
    silent=(driver_errors.SocketTimeoutError, TimeoutError),
    lost=GONE,
)


class Session:
    """One connection: temporary tables and SET live as long as it does."""

    def __init__(self, node: Server, user: str | None, number: int | None) -> None:
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
        query_id = query_id or str(uuid.uuid4())
        self.has_state = self.has_state or driver.leaves_state(sql)
        self._limit_silence(scaled(timeout))

        def send(text: str, chosen: Mapping[str, Any]) -> Any:
            return self.client.execute(text, data, settings=dict(chosen) or None, query_id=query_id)

        def after_failure(refused: bool) -> None:
            # After a refusal the connection is kept, unless the server may still expect rows.
            if not refused or data is not None:
                self.client.hang_up()

        rows = literals(data) if data is not None else None
        statement = statement_of(
            self.node, sql, self.user, settings or {}, session=self.number, data=rows
        )
        answer = execute(
            self.node,
            NATIVE,
            statement,
            settings or {},
            send,
            scaled(timeout),
            query_id=query_id,
            after_failure=after_failure,
        )
        return answer if isinstance(answer, list) else []

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
                    f"{self.node.name} did not refuse the statement as expected",
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

    def _limit_silence(self, seconds: float) -> None:
        connection = self.client.connection
        connection.send_receive_timeout = seconds
        # Before a query the driver connects, or asks an old connection whether it still lives.
        connection.connect_timeout = min(seconds, scaled(CONNECT_SECONDS))
        connection.sync_request_timeout = min(seconds, scaled(CONNECT_SECONDS))
        if connection.connected:
            connection.socket.settimeout(seconds)
