"""Clusters of processes of our own on loopback: what embedded and binary nodes have in common."""

from __future__ import annotations

import secrets
from abc import abstractmethod
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import TYPE_CHECKING, Generic, TypeVar, Unpack, cast

from helpers.cluster import FIRST_NODE
from helpers.cluster.client.recording import Recorder
from helpers.cluster.cluster import Cluster, NodeOptions
from helpers.cluster.local.configuration import (
    COORDINATION,
    OBJECT_STORE,
    NodeConfig,
    named_collections,
    needs,
)
from helpers.cluster.local.node import LocalNode
from helpers.cluster.node import Node
from helpers.cluster.object_store import ADMIN, READ_ONLY
from helpers.cluster.service import Service
from helpers.cluster.services.hdfs import Hdfs, LocalHdfs
from helpers.cluster.services.hdfs_jars import find_jars
from helpers.cluster.services.java import why_not_startable

if TYPE_CHECKING:
    from helpers.cluster.services.seaweed import Seaweed

DISKS = "disks"  # the bucket of the disks that nodes have in the store
ServiceType = TypeVar("ServiceType", bound=Service)
LocalNodeType = TypeVar("LocalNodeType", bound=LocalNode)


class LocalCluster(Cluster, Generic[LocalNodeType]):
    """Nodes and services below one folder."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.recorder = Recorder()
        self._password = secrets.token_hex(12)
        self._nodes: dict[str, LocalNodeType] = {}
        self._services: dict[str, Service] = {}

    @abstractmethod
    def make_node(self, name: str) -> LocalNodeType:
        """A node of this name that does not run yet."""

    @abstractmethod
    def choose_version(self, node: LocalNodeType, version: str) -> None:
        """Make the node run this version; it is stopped if it runs another one."""

    def node(self, name: str = FIRST_NODE, **options: Unpack[NodeOptions]) -> LocalNodeType:
        node, wanted = self._planned(name, options)
        node.configure(wanted, self._values(wanted))
        return node

    def several(
        self, names: Sequence[str], **options: Unpack[NodeOptions]
    ) -> Sequence[LocalNodeType]:
        # The services that they need are started here, once and before them.
        planned = [self._planned(name, options) for name in names]
        values = [self._values(wanted) for _, wanted in planned]
        with ThreadPoolExecutor(max_workers=len(names)) as pool:
            starts = [
                pool.submit(node.configure, wanted, known)
                for (node, wanted), known in zip(planned, values, strict=True)
            ]
        for start in starts:
            start.result()
        return [node for node, _ in planned]

    def _planned(self, name: str, options: NodeOptions) -> tuple[LocalNodeType, NodeConfig]:
        """A node of this name, and the configuration that it is to have."""
        node = self._nodes.get(name)
        if node is None:
            node = self._nodes[name] = self.make_node(name)
            node.recorder = self.recorder
        version, ports = options.get("version"), options.get("ports")
        if version is not None:
            self.choose_version(node, version)
        if ports is not None:
            node.take_ports(ports)
        config = dict(options.get("config") or {})
        if collections := options.get("collections"):
            config["named_collections"] = named_collections(collections)
        wanted = NodeConfig.of(options.get("fragments", ()), config, options.get("users"))
        if wanted == NodeConfig() and node.running:
            wanted = node.config  # nothing is asked for: as it is
        return node, wanted

    def object_store(self, *, tls: bool = False) -> Seaweed:
        from helpers.cluster.services.seaweed import (
            SeaweedStore,  # here: its client takes half a second
        )

        name = "s3-tls" if tls else "s3"
        return self._started(name, lambda: SeaweedStore(self.folder / name, tls=tls))

    def hdfs(self) -> Hdfs:
        return self._started("hdfs", lambda: LocalHdfs(self.folder / "hdfs"))

    def _started(self, name: str, make: Callable[[], ServiceType]) -> ServiceType:
        """A running service, made when it is first asked for."""
        if name not in self._services:
            self._services[name] = make()
        service = cast(ServiceType, self._services[name])
        service.start()
        return service

    def why_no_hdfs(self) -> str | None:
        return why_not_startable(find_jars)

    def stop_idle(self, needed: Sequence[Node]) -> None:
        """An idle server takes 3 % of a core; a dozen of them in each worker would be felt."""
        for node in self._nodes.values():
            if node not in needed and node.name != FIRST_NODE:
                node.kill()

    def close(self) -> None:
        for node in self._nodes.values():
            node.kill()
            node.release_ports()
        for service in self._services.values():
            service.release()
        self._nodes.clear()
        self._services.clear()

    def _values(self, config: NodeConfig) -> dict[str, str]:
        """What templates may ask for beside the node's own values; services that they need are started."""
        values = {}
        needed = needs(config)
        if OBJECT_STORE in needed:
            store = self.object_store()
            store.make_bucket(DISKS)
            identity = store.identities[ADMIN]
            values["s3_url"] = f"{store.url}/{DISKS}"
            values["s3_access_key"] = identity.access_key
            values["s3_secret_key"] = identity.secret_key
            reader = store.identities[READ_ONLY]
            values["s3_read_only_access_key"] = reader.access_key
            values["s3_read_only_secret_key"] = reader.secret_key
        if COORDINATION in needed:
            coordination = self.coordination()
            values["coordination_host"] = coordination.host
            values["coordination_port"] = str(coordination.port)
        return values
