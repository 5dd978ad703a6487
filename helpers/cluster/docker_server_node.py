"""A ClickHouse server of any image in a container: official ones, and Debian's 18.16."""

from __future__ import annotations

from pathlib import Path

from helpers.cluster.binary_node import Binary, BinaryNode
from helpers.cluster.docker_container import Place
from helpers.cluster.docker_node import DockerNode
from helpers.recording import Recorder


class DockerServerNode(DockerNode, BinaryNode):
    """What a server needs to be told is the same in a container as on the host."""

    def __init__(
        self,
        name: str,
        folder: Path,
        binary: Binary,
        password: str,
        recorder: Recorder,
        place: Place,
    ) -> None:
        DockerNode.__init__(self, name, folder, str(binary.path), password, recorder, place)
        self.binary = binary
        self.older_words = binary.older_words
