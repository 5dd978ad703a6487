"""The services beside the nodes of a docker cluster: coordination and the object store."""

from __future__ import annotations

import secrets
from pathlib import Path
from typing import Any

from helpers.cluster.coordination import Coordination
from helpers.cluster.docker_container import USER, Container, Place, mount
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
        self._place = place

    def start(self) -> None:
        if self.running:
            return
        self._child = container = self._place.start()
        container.wait_until_ready(
            f"coordination ({container.image})", self.ask, READY_SECONDS, not_yet=(OSError,)
        )


class DockerStore(Seaweed):
    """SeaweedFS in a container, reached at its address by nodes and by this process."""

    def __init__(self, folder: Path, place: Place) -> None:
        super().__init__(folder)
        self._place = place
        self.url = f"http://{place.address}:{S3_PORT}"
        try:
            (folder / "data").mkdir(parents=True, exist_ok=True)
            self.write_secrets()
        except OSError as error:
            raise EnvironmentFailed(
                f"The object store cannot be set up in {folder}: {error.strerror}."
            ) from None

    def spawn(self) -> Container:
        return self._place.start(self._options)

    def _options(self) -> dict[str, Any]:
        """What is in compose's file, and the identities and keys of this run."""
        files = {name: f"/etc/seaweedfs/{name}" for name in (IDENTITIES, SECURITY)}
        mounts = [
            mount(target, self.folder / name, read_only=True) for name, target in files.items()
        ]
        return {
            "user": USER,
            # They make another administrator, beside the identities; these keys are known to nobody.
            "environment": {
                name: secrets.token_hex(20)
                for name in ("AWS_ACCESS_KEY_ID", "AWS_SECRET_ACCESS_KEY")
            },
            "mounts": [mount("/data", self.folder / "data"), *mounts],
            "command": [f"-ip={self._place.address}", f"-s3.config={files[IDENTITIES]}"],
        }
