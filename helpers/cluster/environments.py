"""Environments by name: what `--env` may say and what each gives."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from helpers.cluster.cluster import Cluster
from helpers.cluster.embedded import EmbeddedCluster
from helpers.cluster.engine import find_engine
from helpers.errors import UsageError, nearest

DEFAULT = "embedded"
ENVIRONMENTS: dict[str, Callable[[Path, str | None], Cluster]] = {
    DEFAULT: lambda folder, version: EmbeddedCluster(folder, version=version),
}


def check(environment: str, version: str | None, say: Callable[[str], None]) -> None:
    """Whether such a cluster could be opened; installs an engine that is not here yet."""
    if environment not in ENVIRONMENTS:
        raise UsageError(
            f"There is no environment {environment!r}: there is {', '.join(sorted(ENVIRONMENTS))}."
            + nearest(environment, ENVIRONMENTS)
        )
    find_engine(version, say)


def open_cluster(environment: str, folder: Path, version: str | None) -> Cluster:
    """A cluster of this environment that keeps its data below a folder."""
    return ENVIRONMENTS[environment](folder, version)
