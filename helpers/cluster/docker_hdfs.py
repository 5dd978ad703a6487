"""HDFS beside the nodes of a docker cluster: a name node and a data node in containers."""

from __future__ import annotations

from collections.abc import Callable

from helpers.cluster.docker_container import Place
from helpers.cluster.hdfs import Hdfs

# As they are called in docker-compose/hdfs, where they find each other by these names.
NAME_NODE, DATA_NODE = "namenode", "datanode"
PORT, WEB_PORT = 8020, 50070


class DockerHdfs(Hdfs):
    """Its data is in volumes of the run."""

    def __init__(self, place: Callable[[str], Place]) -> None:
        super().__init__()
        self._places = [place(name) for name in (NAME_NODE, DATA_NODE)]
        self._host = self._places[0].address
        self.url = f"hdfs://{self._host}:{PORT}"

    def start(self) -> None:
        if not self.running:
            self._programs = [place.start() for place in self._places]
            self._wait_until_ready(self._host, WEB_PORT)
