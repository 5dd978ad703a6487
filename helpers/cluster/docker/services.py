"""The services beside the nodes of a docker cluster: coordination, the object store and HDFS."""

from __future__ import annotations

import secrets
from collections.abc import Callable
from pathlib import Path
from typing import Any

from helpers.base.errors import EnvironmentFailed
from helpers.cluster.docker.container import USER, Container, Place, mount
from helpers.cluster.service import Coordination, ProgramService
from helpers.cluster.services.hdfs import Hdfs
from helpers.cluster.services.seaweed import IDENTITIES, SECURITY, Seaweed

READY_SECONDS = 60.0
S3_PORT = 8333
# As they are called in docker-compose/hdfs, where they find each other by these names.
NAME_NODE, DATA_NODE = "namenode", "datanode"
HDFS_PORT, HDFS_WEB_PORT = 8020, 50070


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


class DockerHdfs(Hdfs):
    """A name node and a data node in containers; their data is in volumes of the run."""

    def __init__(self, place: Callable[[str], Place]) -> None:
        super().__init__()
        self._places = [place(name) for name in (NAME_NODE, DATA_NODE)]
        self._host = self._places[0].address
        self.url = f"hdfs://{self._host}:{HDFS_PORT}"

    def start(self) -> None:
        if not self.running:
            self._programs = [place.start() for place in self._places]
            self._wait_until_ready(self._host, HDFS_WEB_PORT)
