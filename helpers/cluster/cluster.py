"""The interface of every environment: nodes, and the services beside them."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Self, TypedDict, Unpack

from helpers.cluster import FIRST_NODE
from helpers.cluster.client.failures import Unavailable
from helpers.cluster.client.interception import action
from helpers.cluster.client.recording import Recorder
from helpers.cluster.engines.offline import OfflineEngine
from helpers.cluster.node import Node
from helpers.cluster.object_store import ObjectStore
from helpers.cluster.service import Coordination
from helpers.cluster.services.hdfs import Hdfs

NO_PARTITION = "the network between servers cannot be cut in this environment"
NO_WHEELS = "engines out of wheels are those of --env embedded"
Peer = Node | Coordination
Collections = Mapping[str, Mapping[str, str]]


class NodeOptions(TypedDict, total=False):
    """What a node is asked for with.

    `fragments` name templates in configs/fragments, `config` and `users` are XML texts by name that
    ClickHouse merges over its configuration. `collections` are named collections, by names that
    `Cluster.own_name` has made. `version` is another engine's. `ports` are the native one and the one for
    HTTP, where they are not to be any free ones.
    """

    fragments: tuple[str, ...]
    config: Mapping[str, str] | None
    users: Mapping[str, str] | None
    collections: Collections | None
    version: str | None
    ports: tuple[int, int] | None


@dataclass(frozen=True)
class Spark:
    """A Spark beside the nodes: its master, and the settings by which a session of this process uses it."""

    master: str
    conf: Mapping[str, str]


class Cluster(ABC):
    """Nodes by name and, where they are asked for, the services beside them. Everything starts on first
    use. What an environment cannot give it refuses with Unavailable, which blocks the scenario."""

    environment: str
    recorder: Recorder
    _nodes: Mapping[str, Node]
    folder: Path
    """Where it keeps its data; services that exchange files with this process see it under the same path."""

    database_prefix: str = ""
    """What names of databases start with, where servers are shared with others."""

    def own_name(self, name: str) -> str:
        """The name of an object that is not in a database, unique on servers that are shared with others."""
        return f"{self.database_prefix}{name}"

    @abstractmethod
    def node(self, name: str = FIRST_NODE, **options: Unpack[NodeOptions]) -> Node:
        """A running node of this name with (at least) this configuration.

        A node that runs with another configuration is restarted with this one; its data stays.
        """

    def several(self, names: Sequence[str], **options: Unpack[NodeOptions]) -> Sequence[Node]:
        """Running nodes of these names, all with this configuration; where it is possible they are
        started at the same time."""
        return [self.node(name, **options) for name in names]

    @property
    def nodes(self) -> list[Node]:
        """The nodes that were asked for so far."""
        return list(self._nodes.values())

    @abstractmethod
    def object_store(self, *, tls: bool = False) -> ObjectStore:
        """A running S3 store."""

    def hdfs(self) -> Hdfs:
        """A running HDFS."""
        raise Unavailable(str(self.why_no_hdfs()))

    @abstractmethod
    def why_no_hdfs(self) -> str | None:
        """Why there is no HDFS here, or None if there is one."""

    def spark(self) -> Spark | None:
        """A running Spark beside the nodes; None: the one of SPARK_MASTER, or on this machine."""
        return None

    def why_no_spark(self) -> str | None:
        """Why there can be no Spark beside the nodes, or None if it is as `spark` says."""
        return None

    def why_no_object_store(self) -> str | None:
        """Why there is no S3 store here, or None if there is one."""
        return None

    def coordination(self) -> Coordination:
        """The running coordination service of the nodes with the fragment `replication`."""
        raise Unavailable(str(self.why_no_coordination()))

    @abstractmethod
    def why_no_coordination(self) -> str | None:
        """Why tables cannot be replicated here, or None if they can."""

    @abstractmethod
    def why_no_second_engine(self) -> str | None:
        """Why a node's data cannot be given to a server of another version, or None if it can."""

    def offline(self, version: str, folder: Path | None = None) -> OfflineEngine:
        """An engine of this version on a data folder of its own, or on another engine's."""
        raise Unavailable(NO_WHEELS)

    def why_not_every_engine(self) -> str | None:
        """Why `offline` has not every version but the oldest, or None if it has."""
        return NO_WHEELS

    def why_no_oldest_engine(self) -> str | None:
        """Why `offline` has not the oldest version, which has no wheel for every Python."""
        return NO_WHEELS

    def why_no_process_control(self) -> str | None:
        """Why servers cannot be killed, frozen and restarted here, or None if they can."""
        return None

    def why_no_partition(self) -> str | None:
        """Why the network between servers cannot be cut here, or None if it can."""
        return NO_PARTITION

    @contextmanager
    def partition(self, node: Node, *peers: Peer) -> Iterator[None]:
        """Cut a node off from these while the block runs; clients reach all of them as before."""
        self.cut_off(node, *peers)
        try:
            yield
        finally:
            self.heal(node)

    @action
    def cut_off(self, node: Node, *peers: Peer) -> None:
        """Drop everything between a node and these, until `heal` or a restart of the node."""
        self._cut_off(node, *peers)

    def heal(self, node: Node) -> None:
        """Remove what `cut_off` has done to a node."""
        raise Unavailable(NO_PARTITION)

    def _cut_off(self, node: Node, *peers: Peer) -> None:
        raise Unavailable(NO_PARTITION)

    def why_over(self) -> str | None:
        """Why no server can be started here any more, whatever scenarios do; None if one can."""
        return None

    def record_to(self, recorder: Recorder) -> None:
        """Have all nodes record their statements to this recorder from now on."""
        self.recorder = recorder
        for node in self.nodes:
            node.recorder = recorder

    @abstractmethod
    def stop_idle(self, needed: Sequence[Node]) -> None:
        """Stop nodes other than these; they start again when they are asked for."""

    @abstractmethod
    def close(self) -> None:
        """Kill every server, in whatever state it is."""

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()
