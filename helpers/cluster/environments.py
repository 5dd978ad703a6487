"""The environments that `--env` can name: which options each takes, how it is prepared and opened."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from helpers.base.errors import UsageError
from helpers.base.signals import ending_at_once
from helpers.cluster import DEFAULT_ENVIRONMENT
from helpers.cluster.baseline import choose
from helpers.cluster.target import Target, settings_of
from helpers.setup import later

if TYPE_CHECKING:
    from helpers.cluster.cluster import Cluster

Say = Callable[[str], None]


@dataclass(frozen=True)
class Environment:
    """A kind of cluster.

    `options` are those beside `--env` that it takes. `prepare` installs what is missing, says what the
    servers come from, and raises UsageError or EnvironmentFailed if such a cluster cannot be opened. It
    runs once, before the workers. `open` returns a cluster that keeps its data below a folder; every
    worker opens one of its own, in <run>/data/<worker>. `remove_leftovers` removes what runs, by their
    names, have left outside of their folders: of this run in the end, of killed ones before. With
    `with_spark` its services are made of Spark's packages.
    """

    options: tuple[str, ...]
    prepare: Callable[[Target, Say], str]
    open: Callable[[Target, Path], Cluster]
    with_spark: bool = False
    remove_leftovers: Callable[[Target, Sequence[str]], None] = lambda target, runs: None


# Their modules are imported when they are asked for: clients and libraries take a second, for which --list
# and --plan need not wait.


def _embedded() -> Environment:
    from helpers.cluster.embedded.cluster import EmbeddedCluster
    from helpers.cluster.engines.engine import find_engine

    return Environment(
        options=("--clickhouse-version",),
        prepare=lambda target, say: str(find_engine(target.clickhouse_version, say)),
        open=lambda target, folder: EmbeddedCluster(folder, version=target.clickhouse_version),
    )


def _binary() -> Environment:
    from helpers.cluster.binary import cluster as binary
    from helpers.cluster.binary.program import checked

    return Environment(
        options=("--clickhouse-binary", "--coordination"),
        prepare=lambda target, say: binary.prepare(target.clickhouse_binary),
        open=lambda target, folder: binary.BinaryCluster(
            folder, checked(target.clickhouse_binary), target.coordination
        ),
        with_spark=True,
    )


def _docker() -> Environment:
    from helpers.cluster.docker import choice as docker_choice
    from helpers.cluster.docker import cluster as docker_cluster

    return Environment(
        options=(
            *("--clickhouse-version", "--clickhouse-image"),
            *("--coordination", "--coordination-image", "--store-image"),
        ),
        prepare=docker_choice.prepare,
        open=lambda target, folder: docker_cluster.DockerCluster(
            folder, docker_choice.images_of(target)
        ),
        with_spark=True,
    )


def _remote() -> Environment:
    from helpers.cluster.remote import cluster as remote
    from helpers.cluster.remote import leftovers as remote_leftovers

    return Environment(
        options=("--clickhouse-url", "--s3-url"),
        prepare=lambda target, say: remote.prepare(target),
        open=lambda target, folder: remote.RemoteCluster(folder, target),
        remove_leftovers=remote_leftovers.remove_leftovers,
    )


ENVIRONMENTS: dict[str, Callable[[], Environment]] = {
    DEFAULT_ENVIRONMENT: _embedded,
    "binary": _binary,
    "docker": _docker,
    "remote": _remote,
}


def find(target: Target) -> Environment:
    """The environment of this name; a UsageError if it cannot use an option."""
    environment = ENVIRONMENTS[target.env]()
    for option in target.options:
        if option not in (*environment.options, "--setting"):
            takers = [name for name, make in ENVIRONMENTS.items() if option in make().options]
            raise UsageError(
                f"{option} means nothing to --env {target.env}: leave it out, or give --env "
                f"{' or '.join(takers)}."
            )
    return environment


def check(target: Target, say: Say) -> str:
    """Whether such a cluster could be opened; installs what it needs and is not here yet.

    Returns what its servers come from.
    """
    with ending_at_once():  # modules are imported, which an exception must not interrupt
        environment = find(target)
    if environment.with_spark:
        later.ensure(say)
    return environment.prepare(target, say)


def remove_leftovers(target: Target, runs: Sequence[str]) -> None:
    """Remove what these runs have left outside of their folders."""
    if runs:
        find(target).remove_leftovers(target, runs)


def open_cluster(target: Target, folder: Path) -> Cluster:
    """A cluster of this environment that keeps its data below a folder."""
    choose(settings_of(target.setting))
    return find(target).open(target, folder)
