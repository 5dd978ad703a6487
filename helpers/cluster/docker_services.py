"""The services beside the nodes of a docker cluster: coordination and the object store."""

from __future__ import annotations

import os
import secrets
from pathlib import Path
from typing import Any

import docker.types

from helpers.cluster.coordination import Coordination
from helpers.cluster.docker_container import Container
from helpers.cluster.docker_node import Place
from helpers.cluster.seaweed import IDENTITIES, SECURITY, Seaweed
from helpers.cluster.service import ProgramService
from helpers.errors import EnvironmentFailed

READY_SECONDS = 60.0
S3_PORT = 8333


class DockerCoordination(ProgramService, Coordination):
    """ZooKeeper or Keeper in a container."""

    name = "coordination"

    def __init__(self, place: Place, port: int) -> None:
        self.host, self.port = place.address, port
        self._make = place.make
        self.container: Container | None = None

    def start(self) -> None:
        if self.running:
            return
        if self.container is None:
            self.container = self._make({})
        self.container.start()
        self._child = self.container
        self.container.wait_until_ready(
            f"coordination ({self.container.image})", self._ask, READY_SECONDS, not_yet=(OSError,)
        )

    def _ask(self) -> None:
        if not self.serves():
            raise OSError("it does not serve yet")


class DockerStore(Seaweed):
    """SeaweedFS in a container, reached at its address by nodes and by this process."""

    def __init__(self, folder: Path, place: Place) -> None:
        super().__init__(folder)
        self._make, self._address = place.make, place.address
        self.url = f"http://{place.address}:{S3_PORT}"
        self.container: Container | None = None
        try:
            (folder / "data").mkdir(parents=True, exist_ok=True)
            self.write_secrets()
        except OSError as error:
            raise EnvironmentFailed(
                f"The object store cannot be set up in {folder}: {error.strerror}."
            ) from None

    def spawn(self) -> Container:
        if self.container is None:
            self.container = self._make(self._options())
        self.container.start()
        return self.container

    def _options(self) -> dict[str, Any]:
        """What is in compose's file, and the identities and keys of this run."""
        files = {name: f"/etc/seaweedfs/{name}" for name in (IDENTITIES, SECURITY)}
        mounts = [
            docker.types.Mount(target, str(self.folder / name), type="bind", read_only=True)
            for name, target in files.items()
        ]
        data = docker.types.Mount("/data", str(self.folder / "data"), type="bind")
        return {
            "user": f"{os.getuid()}:{os.getgid()}",
            # It takes these for an administrator's, beside the identities: nobody knows them.
            "environment": {
                name: secrets.token_hex(20)
                for name in ("AWS_ACCESS_KEY_ID", "AWS_SECRET_ACCESS_KEY")
            },
            "mounts": [data, *mounts],
            "command": [f"-ip={self._address}", f"-s3.config={files[IDENTITIES]}"],
        }
