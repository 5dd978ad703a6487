"""The one interface behind which every environment stands: nodes, an object store, an end."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from types import TracebackType
from typing import Self

from helpers.cluster.node import Node
from helpers.cluster.object_store import ObjectStore
from helpers.recording import Recorder

FIRST_NODE = "node1"


class Cluster(ABC):
    """Nodes by name and, where it is asked for, an object store. Everything starts on first use."""

    environment: str
    recorder: Recorder

    @abstractmethod
    def node(
        self,
        name: str = FIRST_NODE,
        *,
        fragments: tuple[str, ...] = (),
        config: Mapping[str, str] | None = None,
        users: Mapping[str, str] | None = None,
        version: str | None = None,
    ) -> Node:
        """A running node of this name with (at least) this configuration.

        `fragments` name templates in configs/fragments, `config` and `users` are XML texts by name
        that ClickHouse merges over its configuration. A node that runs with another configuration
        is restarted with this one; its data stays. `version` is another engine's.
        """

    @property
    @abstractmethod
    def nodes(self) -> list[Node]:
        """Those that were asked for so far."""

    @abstractmethod
    def object_store(self, *, tls: bool = False) -> ObjectStore:
        """A running S3 store."""

    @abstractmethod
    def why_no_object_store(self) -> str | None: ...

    @abstractmethod
    def why_no_process_control(self) -> str | None:
        """Why servers cannot be killed, frozen and restarted here, or None if they can."""

    @abstractmethod
    def record_to(self, recorder: Recorder) -> None:
        """Where all nodes record their statements from now on."""

    @abstractmethod
    def rest(self, awake: Sequence[Node]) -> None:
        """Nodes other than these are not needed for now; they start again when they are asked for."""

    @abstractmethod
    def close(self) -> None:
        """End every server, now; whatever state it is in."""

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()
