"""What is known of a server that statements are sent to: where it listens, who we are there, its log."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from helpers.base.errors import EnvironmentFailed
from helpers.base.time_limits import scaled
from helpers.cluster.client.failures import describe
from helpers.cluster.client.recording import Recorder, preview
from pipelines.clickhouse import http as clickhouse_http

Row = tuple[Any, ...]
HTTP_SECONDS = 60.0


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


class Server(ABC):
    """A server, as far as sending statements to it needs to know it; an environment provides the rest."""

    name: str
    endpoint: Endpoint
    recorder: Recorder
    database: str = ""
    settings: Mapping[str, Any] = {}
    """What every statement is executed with, unless it says something else."""

    @abstractmethod
    def password(self, user: str) -> str: ...

    @abstractmethod
    def log_tail(self, lines: int, about: str = "") -> str:
        """The last lines of the server's log; those that contain `about`, if there are any."""

    @abstractmethod
    def raise_if_dead(self, during: str, grace: float = 0.0) -> None:
        """Raise NodeDied, with the last log lines, if the server has ended by itself.

        `grace`: a process that is just dying closes its sockets a moment before its end can be seen.
        """

    @abstractmethod
    def query(self, sql: str, *, user: str | None = None, **options: Any) -> list[Row]:
        """Typed rows. Options: settings, data (rows of an INSERT … VALUES), query_id, timeout."""

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
