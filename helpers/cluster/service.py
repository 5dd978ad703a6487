"""Services that servers depend on, whatever environment they live in: they can be killed and frozen."""

from __future__ import annotations

import contextlib
import signal
import socket
from abc import ABC, abstractmethod

from helpers.base.errors import EnvironmentFailed
from helpers.cluster.client.interception import action
from helpers.cluster.processes import process


class Service(ABC):
    """A service whose acknowledged data survive `kill` and `start`."""

    @property
    @abstractmethod
    def running(self) -> bool: ...

    @abstractmethod
    def start(self) -> None:
        """Start it and wait until it answers; nothing happens if it runs."""

    @abstractmethod
    def kill(self) -> None:
        """End it with SIGKILL; what was acknowledged is still there after `start`."""

    @abstractmethod
    def freeze(self) -> None:
        """Let requests hang until `thaw`."""

    @abstractmethod
    def thaw(self) -> None: ...

    def release(self) -> None:
        """End it for good and give back what it holds on this machine."""
        self.kill()


class ProgramService(process.HasProcess, Service):
    """A service that is one program, a process or a container."""

    name: str
    """What messages call it."""

    @action
    def kill(self) -> None:
        if self._child is not None:
            self._child.kill()

    @action
    def freeze(self) -> None:
        self._alive().signal(signal.SIGSTOP)

    @action
    def thaw(self) -> None:
        self._alive().signal(signal.SIGCONT)

    def _alive(self) -> process.Program:
        if self._child is None or not self._child.alive:
            raise EnvironmentFailed(f"{self.name} is not running.")
        return self._child


class Coordination(Service):
    """ZooKeeper or ClickHouse Keeper. Sessions and data survive `kill` and `start`."""

    host: str
    port: int
    """Where servers reach it."""

    def ask(self) -> None:
        """OSError unless it serves clients: it then says in which mode; `ruok` is answered before that."""
        answer = b""
        where = (self.host, self.port)
        with contextlib.closing(socket.create_connection(where, timeout=1)) as link:
            link.sendall(b"srvr")
            while received := link.recv(4096):
                answer += received
        if b"Mode:" not in answer:
            raise OSError("it does not serve yet")
