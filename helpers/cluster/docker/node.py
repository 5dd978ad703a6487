"""A ClickHouse server in a container.

Its folder is mounted under the same path inside and outside: logs, files of parts and user files are plain
files for both, and what a server says about its paths is true on the host.
"""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

from helpers.cluster.binary.node import Binary, BinaryNode
from helpers.cluster.client.session import Endpoint
from helpers.cluster.docker.container import USER, Container, Place, mount, own_user
from helpers.cluster.local.node import ADMINISTRATOR, LocalNode
from helpers.cluster.processes.ports import LOOPBACK

NATIVE, HTTP, INTERSERVER = 9000, 8123, 9009
CONFIGURATION = "/etc/clickhouse-server"
DATA = "/var/lib/clickhouse"


class DockerNode(LocalNode):
    """A node of the image that the project builds from the wheel."""

    listen_host = "0.0.0.0"  # inside the container's own network
    clients = "::/0"

    def __init__(self, name: str, folder: Path, image: str, password: str, place: Place) -> None:
        self.image = image
        self._place = place
        self._published: tuple[int, int] | None = None
        LocalNode.__init__(self, name, folder, password)

    @property
    def program(self) -> str:
        return self.image

    def use_image(self, image: str) -> None:
        """Run this image from the next start on; the data stays."""
        self._discard()
        self.image = image

    @property
    def container(self) -> Container | None:
        return self._place.container

    def command(self) -> list[str | Path]:
        return []  # the image knows

    def environment(self) -> dict[str, str]:
        return {
            "TZ": "UTC",
            "NODE_HTTP_PORT": str(self.endpoint.http_port),
            "NODE_USER": ADMINISTRATOR,
            "NODE_PASSWORD": self.endpoint.password,
            # One process, not one that watches another: what is killed and frozen is the server.
            "CLICKHOUSE_WATCHDOG_ENABLE": "0",
        }

    def own_values(self) -> dict[str, str]:
        return {"interserver_host": self._place.address, "interserver_port": str(INTERSERVER)}

    @property
    def address(self) -> tuple[str, int]:
        return self._place.address, self.endpoint.tcp_port

    def take_ports(self, wanted: tuple[int, int] | None) -> None:
        """Listen on these two ports and publish them on loopback; without them nothing is published,
        and the container's own address is used."""
        if wanted != self._published:
            self._discard()
            self._published = wanted
        host, ports = (LOOPBACK, wanted) if wanted else (self._place.address, (NATIVE, HTTP))
        self.endpoint = Endpoint(host, *ports, ADMINISTRATOR, self.password(ADMINISTRATOR))

    def release_ports(self) -> None:
        """The engine holds them as long as the container is there."""

    def launch(self) -> Container:
        return self._place.start(self._options)

    def _options(self) -> dict[str, Any]:
        folder, data = str(self.folder), self.folder / "data"
        data.mkdir(exist_ok=True)
        options: dict[str, Any] = {
            "image": self.image,
            "user": USER,
            "working_dir": folder,
            "environment": self.environment(),
            "mounts": [
                mount(folder, folder),
                mount(CONFIGURATION, folder),
                mount(DATA, data),
                *own_user(self.folder),
            ],
        }
        if self._published is not None:
            options["ports"] = {number: (LOOPBACK, number) for number in self._published}
        return options

    def _set_aside(self) -> None:
        self._discard()
        super()._set_aside()

    def _discard(self) -> None:
        self.stop()
        self._place.discard()
        self._child = None


class DockerServerNode(DockerNode, BinaryNode):
    """A node of an image with a server (an official one, or Debian's 18.16), configured as a binary is."""

    def __init__(
        self, name: str, folder: Path, binary: Binary, password: str, place: Place
    ) -> None:
        DockerNode.__init__(self, name, folder, str(binary.path), password, place)
        self.binary = binary
        self.older_statements = binary.older_statements

    def environment(self) -> dict[str, str]:
        """The server keeps the user who runs the scenarios (`USER`), also if that is root.

        Otherwise the entrypoint of an official image gives root's files to the user 101 and becomes it. What
        is written for the next start belongs to root again, and that server cannot read it. Images before
        CLICKHOUSE_RUN_AS_ROOT have CLICKHOUSE_UID and CLICKHOUSE_GID.
        """
        as_root = {
            "CLICKHOUSE_RUN_AS_ROOT": "1",
            "CLICKHOUSE_DO_NOT_CHOWN": "1",
            "CLICKHOUSE_UID": "0",
            "CLICKHOUSE_GID": "0",
        }
        return {**super().environment(), **(as_root if os.getuid() == 0 else {})}
