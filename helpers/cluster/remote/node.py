"""A server that is managed elsewhere: it can be queried, but not started, stopped or configured."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from helpers.cluster.baseline import baseline
from helpers.cluster.client.failures import Unavailable
from helpers.cluster.client.recording import Recorder
from helpers.cluster.client.session import Endpoint
from helpers.cluster.node import User
from helpers.cluster.older_syntax import AnyVersionNode

NO_PROCESS_CONTROL = "a server that can be stopped, killed or frozen: this one runs elsewhere"
NO_CONFIGURATION = "a configuration of its own: this server runs elsewhere"
NO_FILES = "files and log of the server: this one runs elsewhere"
NO_USERS = "users of its own: this server runs elsewhere, and they would be everybody's"


class RemoteNode(AnyVersionNode):
    """One of the servers that an address names."""

    def __init__(self, name: str, endpoint: Endpoint, recorder: Recorder, log: Path) -> None:
        super().__init__()
        self.name = name
        self.endpoint = endpoint
        self.recorder = recorder
        self.older_statements = set()
        self._log = log
        self.settings = self._profile()

    @property
    def version(self) -> str:
        return str(self.value("SELECT version()"))

    @property
    def is_outdated(self) -> bool:
        return "async_insert" not in self.settings

    def password(self, user: str) -> str:
        return self.endpoint.password if user == self.endpoint.user else ""

    # Its process is not ours to control.

    @property
    def running(self) -> bool:
        return True

    def start(self) -> None:
        """It runs."""

    def thaw(self) -> None:
        """It was never frozen."""

    def raise_if_dead(self, during: str, grace: float = 0.0) -> None:
        """Its process cannot be seen from here."""

    def stop(self) -> None:
        raise Unavailable(NO_PROCESS_CONTROL)

    def kill(self) -> None:
        raise Unavailable(NO_PROCESS_CONTROL)

    def freeze(self) -> None:
        raise Unavailable(NO_PROCESS_CONTROL)

    def restart(self) -> None:
        raise Unavailable(NO_PROCESS_CONTROL)

    def add_users(self, users: Sequence[User]) -> None:
        raise Unavailable(NO_USERS)

    # Neither log nor files.

    @property
    def log_file(self) -> Path:
        return self._log

    def log_tail(self, lines: int, about: str = "") -> str:
        return ""

    def log_position(self) -> int:
        return 0

    def log_since(self, position: int) -> str:
        raise Unavailable(NO_FILES)

    def _profile(self) -> Mapping[str, Any]:
        """What our own servers have in their profile, where this one knows it."""
        wanted = baseline()
        known = self.column(f"SELECT name FROM system.settings WHERE name IN {tuple(wanted)}")
        self.drop_connections()  # the one that has asked is without them
        return {name: wanted[name] for name in known}
