"""A server process of our own, out of a wheel."""

from __future__ import annotations

import os
import re
import secrets
import signal
import sys
import time
from collections.abc import Mapping, Sequence
from pathlib import Path
from xml.sax.saxutils import escape

from clickhouse_driver import errors as driver_errors

from helpers.cluster import config as node_config
from helpers.cluster import process
from helpers.cluster.config import NodeConfig
from helpers.cluster.engine import Engine
from helpers.cluster.failures import NodeDied, QueryFailed, QueryTimedOut, describe
from helpers.cluster.node import Node, User
from helpers.cluster.ports import LOOPBACK, ReservedPort, reserve, reserve_free
from helpers.cluster.session import Endpoint
from helpers.errors import EnvironmentFailed
from helpers.recording import Recorder
from helpers.timeouts import scaled

READY_SECONDS = 30.0
STOP_SECONDS = 20.0
LOG_LINE = 400
LOG_ENTRY = re.compile(r"\d{4}\.\d\d\.\d\d ")
LOG_LAG_SECONDS = 0.025
LOG_SETTLES_SECONDS = 0.25
SERVER = Path(__file__).with_name("server.py")
ADMINISTRATOR = "regression"
PORT_TAKEN = "Address already in use"
NOT_READY = (driver_errors.Error, OSError, EOFError)


class EmbeddedNode(Node):
    """A server process of our own."""

    def __init__(
        self, name: str, folder: Path, engine: Engine, password: str, recorder: Recorder
    ) -> None:
        super().__init__()
        self.name = name
        self.folder = folder
        self.engine = engine
        self.recorder = recorder
        self.config = NodeConfig()
        self.values: dict[str, str] = {}
        self._passwords = {ADMINISTRATOR: password}
        self._child: process.Child | None = None
        self._ended_by_us = True
        self._frozen = False
        self._version: str | None = None
        self._ports: list[ReservedPort] = []
        self.take_ports(None)

    # Process verbs.

    @property
    def version(self) -> str:
        if self._version is None:
            self._version = str(self.value("SELECT version()"))
        return self._version

    @property
    def running(self) -> bool:
        return self._child is not None and self._child.alive

    @property
    def pid(self) -> int | None:
        return self._child.pid if self._child is not None and self._child.alive else None

    def take_ports(self, wanted: tuple[int, int] | None) -> None:
        """Listen on these two ports (native, HTTP) from the next start on, or on any free ones."""
        self.release_ports()
        if wanted is None:
            self._ports = reserve_free(2)
        else:
            for number in wanted:
                port = reserve(number)
                if port is None:
                    self.release_ports()
                    raise EnvironmentFailed(
                        f"Port {number} on {LOOPBACK} is taken; name another one or end what "
                        f"listens there (ss -ltnp 'sport = {number}')."
                    )
                self._ports.append(port)
        native, http = (port.number for port in self._ports)
        self.endpoint = Endpoint(
            LOOPBACK, native, http, ADMINISTRATOR, self._passwords[ADMINISTRATOR]
        )

    def release_ports(self) -> None:
        for port in self._ports:
            port.release()
        self._ports = []

    def start(self) -> None:
        if self.running:
            return
        for attempt in (1, 2, 3):
            child = self._spawn()
            try:
                self._wait_until_ready(child)
                return
            except EnvironmentFailed as failed:
                # Somebody who does not know our reservations was faster: take other ports.
                if attempt == 3 or PORT_TAKEN not in str(failed):
                    raise
                self.take_ports(None)

    def stop(self) -> None:
        self.drop_connections()
        child = self._child
        self._ended_by_us = True
        self._frozen = False
        if child is None or not child.alive:
            return
        child.signal(signal.SIGCONT)
        child.signal(signal.SIGTERM)
        if not child.wait(scaled(STOP_SECONDS)):
            log = self.log_tail(10)
            child.kill()
            raise EnvironmentFailed(
                describe(
                    f"{self.name} did not stop in {STOP_SECONDS:.0f} s and was killed", log=log
                )
            )

    def kill(self) -> None:
        self._ended_by_us = True
        self._frozen = False
        if self._child is not None:
            self._child.kill()
        self.drop_connections()

    def freeze(self) -> None:
        if self._child is not None:
            self._frozen = True
            self._child.signal(signal.SIGSTOP)

    def thaw(self) -> None:
        if self._child is not None:
            self._frozen = False
            self._child.signal(signal.SIGCONT)

    @property
    def frozen(self) -> bool:
        return self._frozen

    def raise_if_dead(self, during: str, grace: float = 0.0) -> None:
        if self._ended_by_us or self._child is None or not self._child.wait(grace):
            return
        raise NodeDied(
            describe(
                f"{self.name} died: {self._child.ending}",
                during=during,
                output=self._child.last_output(5),
                log=self.log_tail(15),
            )
        )

    # Users and configuration.

    def password(self, user: str) -> str:
        return self._passwords.get(user, "")

    def configure(self, config: NodeConfig, values: Mapping[str, str]) -> None:
        """Run with this configuration: started if it does not run, restarted if it has another."""
        if self.running and config == self.config:
            return
        node_config.check(config)
        self.stop()
        self.config = config
        self.values = dict(values)
        self.start()

    def add_users(self, users: Sequence[User]) -> None:
        texts = dict(self.config.users)
        for user in users:
            password = user.password or secrets.token_hex(12)
            self._passwords[user.name] = password
            texts[f"user-{user.name}"] = _user_xml(user, password)
        self.configure(
            NodeConfig.of(self.config.fragments, dict(self.config.config), texts), self.values
        )

    # Logs.

    @property
    def log_file(self) -> Path:
        return self.folder / "server.log"

    def log_tail(self, lines: int, about: str = "") -> str:
        """The last lines that say something: no stack traces, no traces of sessions and plans."""
        self._settled_log_size()
        told = [
            line
            for line in process.tail(self.log_file, 400).splitlines()
            if LOG_ENTRY.match(line) and "<Trace>" not in line
        ]
        told = [line for line in told if about in line] or told
        return "\n".join(line.partition(", Stack trace (")[0][:LOG_LINE] for line in told[-lines:])

    def log_position(self) -> int:
        return self._settled_log_size()

    def log_since(self, position: int) -> str:
        if self._settled_log_size() == 0:
            return ""
        with self.log_file.open("rb") as stream:
            stream.seek(position)
            return stream.read().decode("utf-8", "replace")

    def _settled_log_size(self) -> int:
        """The size of the log once it has stopped growing: the server writes it from a thread of its
        own, a few milliseconds after the fact, and knows no statement that would flush it."""
        size, deadline = -1, time.monotonic() + LOG_SETTLES_SECONDS
        while True:
            before, size = size, self.log_file.stat().st_size if self.log_file.exists() else 0
            if size == before or time.monotonic() > deadline:
                return size
            time.sleep(LOG_LAG_SECONDS)

    def _spawn(self) -> process.Child:
        values = {
            **self.values,
            "name": self.name,
            "folder": str(self.folder),
            "tcp_port": str(self.endpoint.tcp_port),
            "http_port": str(self.endpoint.http_port),
            "user": ADMINISTRATOR,
            "password": self.endpoint.password,
        }
        self._version = None
        self._frozen = False
        self._ended_by_us = True  # until it answers, its end is a failed start and no death
        try:
            self.folder.mkdir(parents=True, exist_ok=True)
            node_config.write(self.folder, self.config, values)
            self._child = process.start(
                [sys.executable, "-I", "-S", SERVER, self.engine.folder],
                cwd=self.folder,
                output=self.folder / "output.log",
                env={
                    **os.environ,
                    "NODE_HTTP_PORT": str(self.endpoint.http_port),
                    "NODE_USER": ADMINISTRATOR,
                    "NODE_PASSWORD": self.endpoint.password,
                },
            )
        except OSError as error:
            raise EnvironmentFailed(
                f"{self.name} cannot be started in {self.folder}: {error.strerror}."
            ) from None
        return self._child

    def _wait_until_ready(self, child: process.Child) -> None:
        """Ready is when it answers; its exit code says nothing."""
        deadline = time.monotonic() + scaled(READY_SECONDS)
        database, self.database = self.database, ""
        recorder, self.recorder = self.recorder, Recorder()
        try:
            while True:
                try:
                    self.query("SELECT 1", timeout=1)
                    self._ended_by_us = False
                    return
                except (*NOT_READY, QueryFailed, QueryTimedOut) as error:
                    reason = (str(error) or type(error).__name__).splitlines()[0]
                if not child.alive or time.monotonic() > deadline:
                    child.kill()
                    raise EnvironmentFailed(
                        f"{self.name} (ClickHouse {self.engine.version}) did not come up "
                        f"({child.ending}; last answer: {reason}). Its last words:\n"
                        f"{child.last_output(5)}\n{process.tail(self.folder / 'server.err.log', 5)}"
                    )
                time.sleep(0.01)
        finally:
            self.database, self.recorder = database, recorder


def _user_xml(user: User, password: str) -> str:
    """A user as ClickHouse reads it; without a grant it gets one that is taken away again, because
    a user without a list of grants may do everything."""
    grants = user.grants or ("USAGE ON *.*",)
    queries = "".join(f"<query>GRANT {escape(grant)}</query>" for grant in grants)
    return (
        f"<clickhouse><users><{user.name}><password>{escape(password)}</password>"
        "<networks><ip>127.0.0.1</ip></networks><profile>default</profile><quota>default</quota>"
        f"<grants>{queries}</grants></{user.name}></users></clickhouse>"
    )
