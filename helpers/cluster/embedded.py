"""The default environment: real servers out of wheels, as child processes on loopback."""

from __future__ import annotations

import secrets
from collections.abc import Mapping, Sequence
from pathlib import Path

from helpers.cluster.cluster import FIRST_NODE, Cluster
from helpers.cluster.config import NodeConfig
from helpers.cluster.embedded_node import EmbeddedNode
from helpers.cluster.engine import find_engine
from helpers.cluster.node import Node
from helpers.cluster.object_store import ADMIN, ObjectStore
from helpers.cluster.seaweed import SeaweedStore
from helpers.recording import Recorder


class EmbeddedCluster(Cluster):
    """Nodes and a store below one folder."""

    environment = "embedded"

    def __init__(self, folder: Path, *, version: str | None = None) -> None:
        self.folder = folder
        self.engine = find_engine(version)
        self.recorder = Recorder()
        self._password = secrets.token_hex(12)
        self._nodes: dict[str, EmbeddedNode] = {}
        self._stores: dict[bool, SeaweedStore] = {}

    @property
    def nodes(self) -> list[Node]:
        return list(self._nodes.values())

    def node(
        self,
        name: str = FIRST_NODE,
        *,
        fragments: tuple[str, ...] = (),
        config: Mapping[str, str] | None = None,
        users: Mapping[str, str] | None = None,
        version: str | None = None,
        ports: tuple[int, int] | None = None,
    ) -> EmbeddedNode:
        node = self._nodes.get(name)
        if node is None:
            node = EmbeddedNode(
                name, self.folder / name, self.engine, self._password, self.recorder
            )
            self._nodes[name] = node
        engine = node.engine if version is None else find_engine(version)
        if engine != node.engine:
            node.stop()
            node.engine = engine
        if ports is not None:
            node.take_ports(ports)
        wanted = NodeConfig.of(fragments, config, users)
        if wanted == NodeConfig() and node.running:
            wanted = node.config  # no wish: as it is
        node.configure(wanted, self._values(wanted))
        return node

    def object_store(self, *, tls: bool = False) -> SeaweedStore:
        store = self._stores.get(tls)
        if store is None:
            store = SeaweedStore(self.folder / ("s3-tls" if tls else "s3"), tls=tls)
            self._stores[tls] = store
        store.start()
        return store

    def why_no_object_store(self) -> str | None:
        return None

    def why_no_process_control(self) -> str | None:
        return None

    def record_to(self, recorder: Recorder) -> None:
        self.recorder = recorder
        for node in self._nodes.values():
            node.recorder = recorder

    def rest(self, awake: Sequence[Node]) -> None:
        """An idle server takes 3 % of a core; a dozen of them in each worker would be felt."""
        for node in self._nodes.values():
            if node not in awake and node.name != FIRST_NODE:
                node.kill()

    def close(self) -> None:
        for node in self._nodes.values():
            node.kill()
            node.release_ports()
        for store in self._stores.values():
            store.release()
        self._nodes.clear()
        self._stores.clear()

    def _values(self, config: NodeConfig) -> dict[str, str]:
        """What templates may ask for. A fragment whose name starts with 's3' has the store started."""
        values: dict[str, str] = {}
        if any(fragment.startswith("s3") for fragment in config.fragments):
            store: ObjectStore = self.object_store()
            bucket = "disks"
            store.make_bucket(bucket)
            identity = store.identities[ADMIN]
            values |= {
                "s3_url": f"{store.url}/{bucket}",
                "s3_access_key": identity.access_key,
                "s3_secret_key": identity.secret_key,
            }
        return values
