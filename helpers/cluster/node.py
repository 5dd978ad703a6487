"""One ClickHouse server, whatever environment it lives in."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from helpers.cluster.client.interception import action
from helpers.cluster.client.queries import Queries


@dataclass(frozen=True)
class User:
    """A user of a node: what follows GRANT, e.g. 'SELECT ON db.table'; an empty one may do nothing."""

    name: str
    grants: tuple[str, ...] = ()
    password: str = ""


class Node(Queries):
    """A server that can be asked (Queries), started, stopped, killed, frozen and looked into.

    The verbs raise here: `Node.kill` taken as a function is this one, and must not pass for a kill.
    """

    def __repr__(self) -> str:
        return self.name

    @property
    @abstractmethod
    def version(self) -> str:
        """The version that the server reports, e.g. 26.9.2.1."""

    @property
    def is_outdated(self) -> bool:
        """Whether it lacks settings that our own configuration has. If such a server does not know the syntax
        of a scenario, the scenario is blocked and has not failed."""
        return False

    @property
    @abstractmethod
    def running(self) -> bool:
        """Whether the server process is there, frozen or not."""

    @abstractmethod
    def start(self) -> None:
        """Start it and wait until it answers; nothing happens if it runs."""
        raise NotImplementedError

    @abstractmethod
    def stop(self) -> None:
        """Shut it down in order."""
        raise NotImplementedError

    @abstractmethod
    def kill(self) -> None:
        """End it with SIGKILL, as a crash does."""
        raise NotImplementedError

    @abstractmethod
    def freeze(self) -> None:
        """Stop the process (SIGSTOP): connections stay open, nothing answers."""
        raise NotImplementedError

    @abstractmethod
    def thaw(self) -> None:
        """Let a frozen process go on."""
        raise NotImplementedError

    @property
    def address(self) -> tuple[str, int]:
        """Host and native port at which the other nodes of the cluster reach it."""
        return self.endpoint.host, self.endpoint.tcp_port

    def create_database(self, name: str) -> None:
        self.query(f"CREATE DATABASE {name} ENGINE = Atomic")

    def drop_database(self, name: str) -> None:
        """Remove it with all that is in it, now."""
        self.query(f"DROP DATABASE IF EXISTS {name} SYNC")

    def drop_table(self, name: str) -> None:
        """Remove it with its data, now."""
        self.query(f"DROP TABLE {name} SYNC")

    @action
    def restart(self) -> None:
        self.stop()
        self.start()

    @abstractmethod
    def add_users(self, users: Sequence[User]) -> None:
        """Create these users; restarts the server where it reads users only at its start."""

    @property
    @abstractmethod
    def log_file(self) -> Path:
        """The server's log, as a file that grows."""

    @abstractmethod
    def log_position(self) -> int:
        """A mark in the server's log, for `log_since`."""

    @abstractmethod
    def log_since(self, position: int) -> str:
        """What the server logged after a mark."""
