"""A server that is a process of our own on loopback, whatever program it runs."""

from __future__ import annotations

import secrets
import shutil
import signal
from abc import abstractmethod
from collections.abc import Mapping, Sequence
from pathlib import Path

from helpers.base.errors import EnvironmentFailed, NotReadyInTime
from helpers.base.time_limits import scaled
from helpers.cluster.client.failures import NO_ANSWER, NodeDied, describe
from helpers.cluster.client.interception import CALLS, action
from helpers.cluster.client.recording import Recorder
from helpers.cluster.client.session import Endpoint
from helpers.cluster.local import configuration as node_config
from helpers.cluster.local.configuration import NodeConfig
from helpers.cluster.local.server_log import ServerLog
from helpers.cluster.node import Node, User
from helpers.cluster.processes import process
from helpers.cluster.processes.ports import LOOPBACK, ReservedPort, reserve, reserve_free

READY_SECONDS = 30.0
STOP_SECONDS = 20.0
ADMINISTRATOR = "regression"
PORT_TAKEN = "Address already in use"


class LocalNode(process.HasProcess, Node):
    """A server process of our own. What it executes, and with which files, is left to subclasses."""

    port_count = 2

    def __init__(self, name: str, folder: Path, password: str) -> None:
        super().__init__()
        self.name = name
        self.folder = folder
        self.config = NodeConfig()
        self.values: dict[str, str] = {}
        self._passwords = {ADMINISTRATOR: password}
        self._ended_by_us = True
        self._has_run = False
        self._version: str | None = None
        self._ports: list[ReservedPort] = []
        self.take_ports(None)

    # What is executed, and for whom.

    listen_host = LOOPBACK
    clients = LOOPBACK
    """The addresses that users of the node may come from."""

    @property
    @abstractmethod
    def program(self) -> str:
        """What it runs, for messages."""

    @abstractmethod
    def command(self) -> list[str | Path]:
        """How the server is started in its folder."""

    @abstractmethod
    def environment(self) -> dict[str, str] | None:
        """The environment variables that it gets; None: ours."""

    def own_values(self) -> dict[str, str]:
        """What templates may ask for beside ports, user and folder."""
        return {}

    @property
    def templates(self) -> node_config.Templates:
        """The files in configs/ that its configuration is made of: those of a wheel's engine."""
        return node_config.OF_WHEEL

    # Process verbs.

    @property
    def version(self) -> str:
        if self._version is None:
            self._version = str(self.value("SELECT version()"))
        return self._version

    def take_ports(self, wanted: tuple[int, int] | None) -> None:
        """Listen on these two ports (native, HTTP) from the next start on, or on any free ones."""
        self.release_ports()
        if wanted is None:
            self._ports = reserve_free(self.port_count)
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
            self._ports += reserve_free(self.port_count - len(wanted))
        native, http, *_ = self.ports
        self.endpoint = Endpoint(
            LOOPBACK, native, http, ADMINISTRATOR, self._passwords[ADMINISTRATOR]
        )

    @property
    def ports(self) -> list[int]:
        """The native one, the one for HTTP, and any others of the program's own."""
        return [port.number for port in self._ports]

    def release_ports(self) -> None:
        for port in self._ports:
            port.release()
        self._ports = []

    def start(self) -> None:
        if self.running:
            return
        try:
            self._start()
        except NotReadyInTime:
            # On a busy machine a new node may be slow. One that has run, and has data, is what is tested.
            if self._has_run:
                raise
            self._set_aside()
            self._start()
        self._has_run = True

    def _set_aside(self) -> None:
        """Keep the files of a node that never answered for whoever looks into it; the next one is new."""
        aside = self.folder.with_name(f"{self.folder.name}-not-ready")
        shutil.rmtree(aside, ignore_errors=True)
        self.folder.rename(aside)

    def _start(self) -> None:
        for attempt in (1, 2, 3):
            child = self._spawn()
            try:
                self._wait_until_ready(child)
                return
            except EnvironmentFailed as failed:
                # A program that does not know our reservations has taken the port: choose others.
                if attempt == 3 or PORT_TAKEN not in str(failed):
                    raise
                self.take_ports(None)

    @action
    def stop(self) -> None:
        self.drop_connections()
        child = self._child
        self._ended_by_us = True
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

    @action
    def kill(self) -> None:
        self._ended_by_us = True
        if self._child is not None:
            self._child.kill()
        self.drop_connections()

    @action
    def freeze(self) -> None:
        if self._child is not None:
            self._child.signal(signal.SIGSTOP)

    @action
    def thaw(self) -> None:
        if self._child is not None:
            self._child.signal(signal.SIGCONT)

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
        if self.running:
            self.stop()
        else:
            # It does not run, so this only cleans up and is no action of the scenario.
            with CALLS.hidden():
                self.stop()
        self.config = config
        self.values = dict(values)
        self.start()

    @action
    def add_users(self, users: Sequence[User]) -> None:
        texts = dict(self.config.users)
        for user in users:
            password = user.password or secrets.token_hex(12)
            self._passwords[user.name] = password
            texts[f"user-{user.name}"] = node_config.user_xml(user, password, self.clients)
        self.configure(
            NodeConfig.of(self.config.fragments, dict(self.config.config), texts), self.values
        )

    # Logs.

    @property
    def log_file(self) -> Path:
        return self.folder / "server.log"

    def log_tail(self, lines: int, about: str = "") -> str:
        return ServerLog(self.log_file).tail(lines, about)

    def log_position(self) -> int:
        return ServerLog(self.log_file).position()

    def log_since(self, position: int) -> str:
        return ServerLog(self.log_file).since(position)

    def launch(self) -> process.Program:
        """Start the server in its folder, with the files that are there."""
        return process.start(
            self.command(),
            cwd=self.folder,
            output=self.folder / "output.log",
            env=self.environment(),
        )

    def _spawn(self) -> process.Program:
        values = {
            **self.values,
            **self.own_values(),
            "name": self.name,
            "folder": str(self.folder),
            "listen_host": self.listen_host,
            "clients": self.clients,
            "tcp_port": str(self.endpoint.tcp_port),
            "http_port": str(self.endpoint.http_port),
            "user": ADMINISTRATOR,
            "password": self.endpoint.password,
        }
        self._version = None
        self._ended_by_us = True  # until it answers, its end is a failed start and no death
        try:
            self.folder.mkdir(parents=True, exist_ok=True)
            node_config.write(self.folder, self.config, values, self.templates)
            self._child = self.launch()
        except OSError as error:
            raise EnvironmentFailed(
                f"{self.name} cannot be started in {self.folder}: {error.strerror}."
            ) from None
        return self._child

    def _wait_until_ready(self, child: process.Program) -> None:
        database, self.database = self.database, ""
        recorder, self.recorder = self.recorder, Recorder()
        try:
            child.wait_until_ready(
                f"{self.name} ({self.program})",
                lambda: self.query("SELECT 1", timeout=1),
                READY_SECONDS,
                not_yet=NO_ANSWER,
                log=self.folder / "server.err.log",
            )
        except NotReadyInTime as slow:
            log = process.tail(self.log_file, 15)
            raise NotReadyInTime(
                f"{slow}\nThe end of its log:\n{log}" if log else str(slow)
            ) from None
        finally:
            self.database, self.recorder = database, recorder
        self._ended_by_us = False
