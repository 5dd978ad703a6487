"""HDFS beside the nodes of a docker cluster: a name node and a data node in containers."""

from __future__ import annotations

import signal
from collections.abc import Callable

from helpers.cluster.docker_container import Container
from helpers.cluster.docker_node import Place
from helpers.cluster.hdfs import READY_SECONDS, Hdfs, takes_blocks
from helpers.interception import action

# As they are called in docker-compose/hdfs, where they find each other by these names.
NAME_NODE, DATA_NODE = "namenode", "datanode"
PORT, WEB_PORT = 8020, 50070


class DockerHdfs(Hdfs):
    """Its data is in volumes of the run."""

    def __init__(self, place: Callable[[str], Place]) -> None:
        self._places = {name: place(name) for name in (NAME_NODE, DATA_NODE)}
        self._containers: dict[str, Container] = {}
        self._host = self._places[NAME_NODE].address
        self.url = f"hdfs://{self._host}:{PORT}"

    @property
    def running(self) -> bool:
        return bool(self._containers) and all(
            container.alive for container in self._containers.values()
        )

    def start(self) -> None:
        if self.running:
            return
        for name, place in self._places.items():
            if name not in self._containers:
                self._containers[name] = place.make({})
            self._containers[name].start()
        for name, container in self._containers.items():
            container.wait_until_ready(
                f"HDFS, {name} ({container.image})", self._ask, READY_SECONDS, not_yet=(OSError,)
            )

    @action
    def kill(self) -> None:
        for container in self._containers.values():
            container.kill()

    @action
    def freeze(self) -> None:
        for container in self._containers.values():
            container.signal(signal.SIGSTOP)

    @action
    def thaw(self) -> None:
        for container in self._containers.values():
            container.signal(signal.SIGCONT)

    def _ask(self) -> None:
        if not takes_blocks(self._host, WEB_PORT):
            raise OSError("no data node has registered yet")
