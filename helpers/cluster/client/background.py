"""A statement that runs while the scenario goes on."""

from __future__ import annotations

import socket
import threading
import time
import uuid
from collections.abc import Mapping
from contextlib import suppress
from typing import Any

from helpers.base.time_limits import scaled
from helpers.cluster.client.failures import describe
from helpers.cluster.client.interception import CALLS
from helpers.cluster.client.server import Row, Server
from helpers.cluster.client.session import Session


class Background:
    """The handle of a statement: whether and how long it runs, waiting, killing, disconnecting."""

    def __init__(
        self, node: Server, session: Session, sql: str, options: Mapping[str, Any]
    ) -> None:
        self.node = node
        self.sql = sql
        self.query_id = str(options.get("query_id") or uuid.uuid4())
        self.rows: list[Row] | None = None
        self.error: BaseException | None = None
        self._session = session
        self._options = {"timeout": 600.0, **options, "query_id": self.query_id}
        self.started = time.monotonic()
        self.collected = False
        """Whether the outcome was read."""
        self._ended: float | None = None
        self._place = CALLS.place()
        self._thread = threading.Thread(
            target=self._run, name=f"background {sql[:40]}", daemon=True
        )
        self._thread.start()

    @property
    def done(self) -> bool:
        return not self._thread.is_alive()

    @property
    def elapsed(self) -> float:
        """Seconds so far, or until it ended."""
        return (self._ended or time.monotonic()) - self.started

    @property
    def running(self) -> bool:
        """Whether the server is working on it now."""
        sql = f"SELECT count() FROM system.processes WHERE query_id = '{self.query_id}'"
        return self.node.query(sql) == [(1,)]

    def wait(self, timeout: float = 60.0) -> list[Row]:
        """Its rows; raises what `outcome` returns or raises."""
        error = self.outcome(timeout)
        if error is not None:
            raise error
        return self.rows or []

    def outcome(self, timeout: float = 60.0) -> BaseException | None:
        """What it failed with, or None if it succeeded; an AssertionError if it does not end in time."""
        self.collected = True
        self._thread.join(scaled(timeout))
        if self._thread.is_alive():
            raise AssertionError(
                describe(
                    f"a statement in the background of {self.node.name} did not end "
                    f"within {scaled(timeout):.0f} s",
                    query=self.sql,
                    log=self.node.log_tail(5),
                )
            )
        return self.error

    def kill(self) -> None:
        """KILL QUERY; its outcome is then code 394, or success if it was faster."""
        self.node.query(f"KILL QUERY WHERE query_id = '{self.query_id}' ASYNC")

    def disconnect(self) -> None:
        """Cut its connection, as a client that crashes does."""
        connection = self._session.client.connection
        with suppress(OSError, AttributeError):
            connection.socket.shutdown(socket.SHUT_RDWR)

    def _run(self) -> None:
        try:
            with CALLS.from_place(self._place):
                self.rows = self._session.query(self.sql, **self._options)
        except BaseException as error:
            self.error = error
        finally:
            self._ended = time.monotonic()
            self._session.close()
