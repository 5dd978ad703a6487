"""Servers out of a binary (`--env binary`), as child processes on loopback, with a coordination service."""

from __future__ import annotations

import re
import tempfile
from pathlib import Path

from helpers.base.errors import EnvironmentFailed, UsageError
from helpers.cluster.binary.node import UNKNOWN_SETTING, Binary, BinaryNode
from helpers.cluster.binary.program import OPTION, checked, unpack_itself
from helpers.cluster.client.failures import Unavailable
from helpers.cluster.local.cluster import LocalCluster
from helpers.cluster.service import Coordination
from helpers.cluster.services.java import why_not_startable
from helpers.cluster.services.keeper import Keeper, find_keeper
from helpers.cluster.services.zookeeper import ZooKeeper, find_jars

ONE_BINARY = "another version: this environment has one binary"


class BinaryCluster(LocalCluster[BinaryNode]):
    """Nodes of one binary, and the services that they ask for."""

    environment = "binary"

    def __init__(self, folder: Path, path: Path, coordination: str | None = None) -> None:
        super().__init__(folder)
        self.binary = Binary(path)
        self._coordination = coordination

    def make_node(self, name: str) -> BinaryNode:
        return BinaryNode(name, self.folder / name, self.binary, self._password)

    def choose_version(self, node: BinaryNode, version: str) -> None:
        raise Unavailable(ONE_BINARY)

    def why_no_second_engine(self) -> str | None:
        return ONE_BINARY

    def coordination(self) -> Coordination:
        return self._started("coordination", self._make_coordination)

    def _make_coordination(self) -> Coordination:
        folder, keeper = self.folder / "coordination", self._keeper()
        return Keeper(folder, keeper) if keeper else ZooKeeper(folder)

    def _keeper(self) -> tuple[str | Path, ...] | None:
        return None if self._coordination == "zookeeper" else find_keeper(self.binary.path)

    def why_no_coordination(self) -> str | None:
        if self._keeper():
            return None
        if self._coordination == "keeper":
            return f"{self.binary.path} has no Keeper (tried: keeper --help)"
        return why_not_startable(find_jars)


def prepare(given: str | Path | None) -> str:
    """Start one server to check the program and our configuration; returns its name and version."""
    path = checked(given)
    unpack_itself(path)
    with (
        tempfile.TemporaryDirectory(prefix="regression-binary-") as folder,
        BinaryCluster(Path(folder), path) as cluster,
    ):
        try:
            version = cluster.node().version
        except EnvironmentFailed as failed:
            raise _explained(path, failed, Path(folder)) from None
    return f"{path.name} {version}"


def _explained(
    path: Path, failed: EnvironmentFailed, folder: Path
) -> UsageError | EnvironmentFailed:
    """Why it did not come up, in one line. A program that wrote no log has not read our configuration."""
    unknown = re.findall(rf"{UNKNOWN_SETTING} '?\w+", str(failed))
    if unknown:
        return EnvironmentFailed(
            f"{OPTION} {path} is too old for the configuration it is started with: {unknown[-1]}."
        )
    lines = [line.strip() for line in str(failed).splitlines() if line.strip()]
    headline, last = lines[0].partition(" Its last output")[0], lines[-1] if len(lines) > 1 else ""
    if not any(folder.glob("*/server.log")):
        return UsageError(f"{OPTION} {path} is no ClickHouse server: {headline} {last}".strip())
    return EnvironmentFailed(f"{headline} {last}".strip())
