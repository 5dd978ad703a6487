"""A ClickHouse server in a container.

Its folder is mounted under the same path inside and outside: logs, files of parts and user files are plain
files for both, and what a server says about its paths is true on the host.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import docker.types

from helpers.cluster.docker_container import Container
from helpers.cluster.local_node import ADMINISTRATOR, LocalNode
from helpers.cluster.ports import LOOPBACK
from helpers.cluster.session import Endpoint
from helpers.recording import Recorder

NATIVE, HTTP, INTERSERVER = 9000, 8123, 9009
CONFIGURATION = "/etc/clickhouse-server"
DATA = "/var/lib/clickhouse"


@dataclass(frozen=True)
class Place:
    """Where a service of a cluster is to be: its address in the network, which it keeps, and how its
    container is made; the options are those that are the caller's to choose."""

    address: str
    make: Callable[[dict[str, Any]], Container]


class DockerNode(LocalNode):
    """A node of the image that the project builds from the wheel."""

    listen_host = "0.0.0.0"  # inside the container's own network
    clients = "::/0"

    def __init__(
        self,
        name: str,
        folder: Path,
        image: str,
        password: str,
        recorder: Recorder,
        place: Place,
    ) -> None:
        self._image = image
        self._address = place.address
        self._make = place.make
        self._container: Container | None = None
        self._published: tuple[int, int] | None = None
        LocalNode.__init__(self, name, folder, password, recorder)

    @property
    def program(self) -> str:
        return self._image

    @property
    def image(self) -> str:
        return self._image

    def use_image(self, image: str) -> None:
        """Run this image from the next start on; the data stays."""
        self.stop()
        self._discard()
        self._image = image

    @property
    def container(self) -> Container | None:
        return self._container

    def command(self) -> list[str | Path]:
        return []  # the image knows

    def environment(self) -> dict[str, str]:
        return {
            "NODE_HTTP_PORT": str(self.endpoint.http_port),
            "NODE_USER": ADMINISTRATOR,
            "NODE_PASSWORD": self.endpoint.password,
            # One process, not one that watches another: what is killed and frozen is the server.
            "CLICKHOUSE_WATCHDOG_ENABLE": "0",
        }

    def own_values(self) -> dict[str, str]:
        return {"interserver_host": self._address, "interserver_port": str(INTERSERVER)}

    @property
    def address(self) -> tuple[str, int]:
        return self._address, self.endpoint.tcp_port

    def take_ports(self, wanted: tuple[int, int] | None) -> None:
        """Listen on these two ports and publish them on loopback; without them nothing is published,
        and the container's own address is used."""
        if wanted != self._published:
            self.stop()
            self._discard()
            self._published = wanted
        host, ports = (LOOPBACK, wanted) if wanted else (self._address, (NATIVE, HTTP))
        self.endpoint = Endpoint(host, *ports, ADMINISTRATOR, self.password(ADMINISTRATOR))

    def release_ports(self) -> None:
        """The engine holds them as long as the container is there."""

    def launch(self) -> Container:
        if self._container is None:
            self._container = self._make(self._options())
        self._container.start()
        return self._container

    def _options(self) -> dict[str, Any]:
        folder = str(self.folder)
        data = self.folder / "data"
        data.mkdir(exist_ok=True)
        options: dict[str, Any] = {
            "image": self._image,
            "user": f"{os.getuid()}:{os.getgid()}",  # files of the node belong to whoever runs this
            "working_dir": folder,
            "environment": self.environment(),
            "mounts": [
                docker.types.Mount(target, source, type="bind")
                for target, source in (
                    (folder, folder),
                    (CONFIGURATION, folder),
                    (DATA, str(data)),
                )
            ],
        }
        if self._published is not None:
            options["ports"] = {number: (LOOPBACK, number) for number in self._published}
        return options

    def _discard(self) -> None:
        if self._container is not None:
            self._container.remove()
        self._container = self._child = None
