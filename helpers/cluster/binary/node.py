"""A server process of our own, started from a given binary."""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from helpers.base.errors import EnvironmentFailed
from helpers.cluster.baseline import PROFILE, PROFILES
from helpers.cluster.client.failures import Unavailable
from helpers.cluster.local.configuration import Templates
from helpers.cluster.local.node import LocalNode
from helpers.cluster.node import User
from helpers.cluster.older_syntax import AnyVersionNode
from helpers.cluster.processes.ports import LOOPBACK

UNKNOWN_SETTING = "Unknown setting"
TEMPLATES = Templates(("server.xml",), PROFILES)
EARLIER_TEMPLATES = replace(TEMPLATES, over_users=(PROFILE,))
OLDER_TEMPLATES = replace(TEMPLATES, over_users=())
# What a server is tried with next that does not know a setting.
NEXT = {TEMPLATES: EARLIER_TEMPLATES, EARLIER_TEMPLATES: OLDER_TEMPLATES}


class Binary:
    """A program, and what is known of it from starting it."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.templates = TEMPLATES
        self.older_statements: set[str] = set()
        """The statements that it needs in older syntax."""

    @property
    def command(self) -> list[str | Path]:
        """How the server is started: a program with another name is the multi-call binary."""
        is_server = self.path.name.startswith("clickhouse-server")
        return [self.path] if is_server else [self.path, "server"]


class BinaryNode(AnyVersionNode, LocalNode):
    """A server with an interserver listener of its own."""

    port_count = 3

    def __init__(self, name: str, folder: Path, binary: Binary, password: str) -> None:
        super().__init__(name, folder, password)
        self.binary = binary
        self.older_statements = binary.older_statements

    @property
    def program(self) -> str:
        return str(self.binary.path)

    def command(self) -> list[str | Path]:
        return [*self.binary.command, f"--config-file={self.folder / 'config.xml'}"]

    def environment(self) -> dict[str, str]:
        # One process, not one that watches another: what is killed and frozen is the server.
        return {**os.environ, "CLICKHOUSE_WATCHDOG_ENABLE": "0"}

    @property
    def templates(self) -> Templates:
        return self.binary.templates

    @property
    def is_outdated(self) -> bool:
        return self.binary.templates is OLDER_TEMPLATES

    def own_values(self) -> dict[str, str]:
        return {"interserver_host": LOOPBACK, "interserver_port": str(self.ports[2])}

    def start(self) -> None:
        tried = self.binary.templates  # another node may learn the same meanwhile
        try:
            super().start()
        except EnvironmentFailed as failed:
            if UNKNOWN_SETTING not in str(failed) or tried is OLDER_TEMPLATES:
                raise
            self.binary.templates = NEXT[tried]
            self.start()

    def add_users(self, users: Sequence[User]) -> None:
        if not self.value(
            "SELECT count() FROM system.tables WHERE database = 'system' AND name = 'grants'"
        ):
            raise Unavailable("users with grants: this server gives every user all rights")
        super().add_users(users)
