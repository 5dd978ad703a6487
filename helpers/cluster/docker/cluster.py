"""Servers in containers (`--env docker`): the clusters of docker-compose/, any number of nodes of them."""

from __future__ import annotations

import os
import secrets
import subprocess
from pathlib import Path
from typing import Any

from docker.errors import DockerException

from helpers.base.errors import EnvironmentFailed, failure_of
from helpers.cluster.binary.node import Binary
from helpers.cluster.client.failures import Unavailable
from helpers.cluster.cluster import Peer, Spark
from helpers.cluster.docker import cleanup as docker_cleanup
from helpers.cluster.docker import compose
from helpers.cluster.docker import images as docker_images
from helpers.cluster.docker import recipes as docker_recipes
from helpers.cluster.docker.choice import Images, image_of, is_wheel, require, why_missing
from helpers.cluster.docker.container import Container, Place
from helpers.cluster.docker.engine import connect, explained
from helpers.cluster.docker.network import ClusterNetwork
from helpers.cluster.docker.node import DockerNode, DockerServerNode
from helpers.cluster.docker.services import DockerCoordination, DockerHdfs, DockerStore
from helpers.cluster.docker.spark import DockerSpark
from helpers.cluster.embedded.cluster import NO_INTERSERVER
from helpers.cluster.engines.engine import KNOWN
from helpers.cluster.local.cluster import LocalCluster
from helpers.cluster.node import Node
from helpers.cluster.service import Coordination
from helpers.cluster.services.hdfs import Hdfs

HEALTH_NANOSECONDS = 10 * 10**9  # each check is a process in the container
ONE_IMAGE = (
    "another version: this image has one, and only those of the project have others beside them"
)
NO_TLS = "an object store with TLS: the one in a container has none"
# Compose's files ask for secrets; nodes and stores of a run get their own by configuration.
NO_SECRET = "unused"


class DockerCluster(LocalCluster[DockerNode]):
    """Containers in a network of their own; their data is below a folder of the host."""

    environment = "docker"

    def __init__(self, folder: Path, images: Images) -> None:
        super().__init__(folder.resolve())
        self.images = images
        self.image = image = images.clickhouse
        self.client = connect()
        docker_cleanup.sweep(self.client)
        self.run = f"regression-{secrets.token_hex(4)}"
        self._labels = docker_cleanup.labels_of(self.run)
        self._reaper: subprocess.Popen[bytes] | None = docker_cleanup.start_reaper(self.run)
        # A server of its own, or none: the engine of the wheel.
        self._server = None if is_wheel(self.client, image) else Binary(Path(image))
        try:
            self._network = ClusterNetwork(self.client, self.run, self._labels)
        except BaseException:
            self.close()
            raise
        # It starts when it is asked for.
        self.docker_spark = DockerSpark(
            self.folder / "spark",
            lambda name: self._place("spark", name, name),
            self._network.gateway,
            os.environ.get("SPARK_IMAGE"),
        )

    def make_node(self, name: str) -> DockerNode:
        place = self._place("clickhouse", "node1", name)
        folder = self.folder / name
        if self._server is None:
            return DockerNode(name, folder, self.image, self._password, place)
        return DockerServerNode(name, folder, self._server, self._password, place)

    def choose_version(self, node: DockerNode, version: str) -> None:
        if self._server is not None:
            raise Unavailable(ONE_IMAGE)
        image = image_of(version)
        if image != node.image:
            require(self.client, image)
            node.use_image(image)

    def why_no_second_engine(self) -> str | None:
        if self._server is not None:
            return ONE_IMAGE
        reasons = (why_missing(self.client, image_of(version)) for version in KNOWN[:2])
        return next(filter(None, reasons), None)

    def object_store(self, *, tls: bool = False) -> DockerStore:
        if tls:
            raise Unavailable(NO_TLS)
        name = "object-store"  # which no node has
        return self._started(
            name, lambda: DockerStore(self.folder / name, self._place("s3", "s3", name))
        )

    def why_no_object_store(self) -> str | None:
        return self._why_no_image("s3", "s3")

    def coordination(self) -> Coordination:
        name = "coordination"
        return self._started(
            name,
            lambda: DockerCoordination(
                self._place("clickhouse", name, name), self.images.coordination_port
            ),
        )

    def why_no_coordination(self) -> str | None:
        if self._server is None:
            return NO_INTERSERVER
        return self._why_no_image("clickhouse", "coordination")

    def hdfs(self) -> Hdfs:
        return self._started(
            "hdfs", lambda: DockerHdfs(lambda name: self._place("hdfs", name, name))
        )

    def why_no_hdfs(self) -> str | None:
        return self._why_no_image("hdfs", "namenode")

    def spark(self) -> Spark | None:
        if "SPARK_MASTER" in os.environ:
            return None  # somebody has chosen another one
        self.docker_spark.start()
        return self.docker_spark.session

    def why_no_spark(self) -> str | None:
        if "SPARK_MASTER" in os.environ:
            return None
        named = os.environ.get("SPARK_IMAGE")
        reason = None if named else docker_recipes.why_no_packages_in_debian()
        return reason or why_missing(self.client, named or docker_recipes.find("python").reference)

    def why_no_partition(self) -> str | None:
        missing = docker_images.missing(self.client, ["nettools"])
        return (
            f"the image {docker_recipes.find('nettools').reference} is missing" if missing else None
        )

    def heal(self, node: Node) -> None:
        if isinstance(node, DockerNode) and node.container is not None:
            self._network.heal(node.container)

    def _cut_off(self, node: Node, *peers: Peer) -> None:
        if not isinstance(node, DockerNode) or node.container is None:
            raise EnvironmentFailed(f"{node.name} is no container that runs.")
        addresses = [
            peer.host if isinstance(peer, Coordination) else peer.address[0] for peer in peers
        ]
        self._network.cut(node.container, addresses)

    def why_over(self) -> str | None:
        return failure_of(explained("The run cannot go on")(self.client.ping))

    def close(self) -> None:
        """Remove everything; what cannot be removed now is left to the reaper."""
        for node in self._nodes.values():
            node.drop_connections()
        self._nodes.clear()
        self._services.clear()
        if "docker_spark" in vars(self):  # not if there is not even a network
            self.docker_spark.finish()
        reaper, self._reaper = self._reaper, None
        if reaper is None:
            return
        try:
            docker_cleanup.remove(self.client, self.run)
            reaper.kill()
        except (DockerException, OSError):
            assert reaper.stdin is not None
            reaper.stdin.close()
            return
        reaper.wait()
        self.client.close()

    def _place(self, cluster: str, service: str, name: str) -> Place:
        address = self._network.next_address()

        def make(chosen: dict[str, Any]) -> Container:
            options = self._options(cluster, service, name, chosen)
            return Container(self.client, self._network.network, name, address, options)

        return Place(address, make)

    def _options(
        self, cluster: str, service: str, name: str, chosen: dict[str, Any]
    ) -> dict[str, Any]:
        """The container of a service as Compose has it, with what was chosen for this one."""
        labels = {**self._labels, compose.PROJECT: self.run, compose.SERVICE: name}
        resolved = compose.services(cluster, self._variables())[service]
        options = compose.container_options(cluster, resolved, self.run, labels)
        options["environment"] = {**options.get("environment", {}), **chosen.pop("environment", {})}
        options["command"] = [*options.get("command", []), *chosen.pop("command", [])] or None
        options["healthcheck"] = {**options["healthcheck"], "interval": HEALTH_NANOSECONDS}
        require(self.client, chosen.get("image", options["image"]))
        return {**options, "hostname": name, "name": f"{self.run}-{name}", **chosen}

    def _variables(self) -> tuple[tuple[str, str], ...]:
        """What the files in docker-compose/ ask for: images of the project's own unless others are named."""
        unused = ("CLICKHOUSE_PASSWORD", "S3_ACCESS_KEY", "S3_SECRET_KEY")
        return (
            ("CLICKHOUSE_IMAGE", self.image),
            ("S3_CREATE_BUCKETS", "false"),
            ("COORDINATION_IMAGE", self.images.coordination),
            ("COORDINATION_PORT", str(self.images.coordination_port)),
            ("SEAWEEDFS_IMAGE", self.images.store),
            ("HDFS_IMAGE", os.environ.get("HDFS_IMAGE") or docker_recipes.find("hdfs").reference),
            *((name, NO_SECRET) for name in unused),
        )

    def _why_no_image(self, cluster: str, service: str) -> str | None:
        image = compose.services(cluster, self._variables())[service]["image"]
        return why_missing(self.client, image)
