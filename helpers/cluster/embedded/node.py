"""A server process of our own, out of a wheel."""

from __future__ import annotations

import os
import sys
from pathlib import Path

from helpers.cluster.engines.engine import Engine
from helpers.cluster.local.node import ADMINISTRATOR, LocalNode

SERVER = Path(__file__).with_name("server.py")


class EmbeddedNode(LocalNode):
    """A process that loads the engine of a wheel and opens its listeners."""

    def __init__(self, name: str, folder: Path, engine: Engine, password: str) -> None:
        super().__init__(name, folder, password)
        self.engine = engine

    @property
    def program(self) -> str:
        return f"ClickHouse {self.engine.version}"

    def command(self) -> list[str | Path]:
        return [sys.executable, "-I", "-S", SERVER, self.engine.folder]

    def environment(self) -> dict[str, str]:
        return {
            **os.environ,
            "TZ": "UTC",  # the engine of the wheel does not read it from its configuration
            "NODE_HTTP_PORT": str(self.endpoint.http_port),
            "NODE_USER": ADMINISTRATOR,
            "NODE_PASSWORD": self.endpoint.password,
        }
