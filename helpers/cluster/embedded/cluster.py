"""The default environment: real servers out of wheels, as child processes on loopback."""

from __future__ import annotations

import tempfile
from functools import partial
from pathlib import Path

from helpers.base.errors import failure_of
from helpers.cluster.embedded.node import EmbeddedNode
from helpers.cluster.engines.engine import KNOWN, find_engine
from helpers.cluster.engines.offline import OfflineEngine, why_no_engines
from helpers.cluster.engines.wheels import BY_CLICKHOUSE, OLDEST
from helpers.cluster.local.cluster import LocalCluster

NO_INTERSERVER = (
    "the engine of the wheel has no interserver listener, over which replicas fetch parts"
)


class EmbeddedCluster(LocalCluster[EmbeddedNode]):
    """Nodes of one engine, or of several, and a store below one folder."""

    environment = "embedded"

    def __init__(self, folder: Path, *, version: str | None = None) -> None:
        super().__init__(folder)
        self.engine = find_engine(version)

    def make_node(self, name: str) -> EmbeddedNode:
        return EmbeddedNode(name, self.folder / name, self.engine, self._password)

    def choose_version(self, node: EmbeddedNode, version: str) -> None:
        engine = find_engine(version)
        if engine != node.engine:
            node.stop()
            node.engine = engine

    def why_no_second_engine(self) -> str | None:
        quietly = partial(find_engine, say=lambda _: None)
        return failure_of(*(partial(quietly, version) for version in KNOWN[:2]))

    def offline(self, version: str, folder: Path | None = None) -> OfflineEngine:
        if folder is None:
            below = self.folder / "offline"
            below.mkdir(parents=True, exist_ok=True)
            folder = Path(tempfile.mkdtemp(dir=below))
        return OfflineEngine(version, folder, self.recorder)

    def why_not_every_engine(self) -> str | None:
        return why_no_engines([version for version in BY_CLICKHOUSE if version != OLDEST])

    def why_no_oldest_engine(self) -> str | None:
        return why_no_engines([OLDEST])

    def why_no_coordination(self) -> str | None:
        return NO_INTERSERVER
