"""What runs leave on servers and stores of somebody else: databases, named collections and buckets.

All their names start with the run's, so that whoever ends a run, or finds what a killed one has left,
knows what to remove.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from datetime import UTC, datetime, timedelta

from helpers.base.errors import EnvironmentFailed
from helpers.cluster.client.failures import NO_ANSWER
from helpers.cluster.remote.endpoint import endpoint_of, explained, unrecorded
from helpers.cluster.remote.node import RemoteNode
from helpers.cluster.remote.store import RemoteStore
from helpers.cluster.remote.url import parse
from helpers.cluster.target import Target

PREFIX = "regression"
OWNED = re.compile(rf"{PREFIX}[_-](\d{{8}})[_-](\d{{6}})[_-]([0-9a-f]{{4}})[_-]")
# A run of somebody else may still be running; none takes this long.
LONGEST_RUN = timedelta(days=1)


def prefix_of(run: str) -> str:
    return f"{PREFIX}_{word(run)}_"


def word(text: str) -> str:
    return re.sub(r"[^a-z0-9]+", "_", text.lower())


def remove_leftovers(target: Target, runs: Sequence[str]) -> None:
    """Remove what these runs created, on every server and in the store."""
    _remove(target, lambda name: _run_of(name) in runs)


def sweep(target: Target, ended: Sequence[str]) -> tuple[list[str], list[str]]:
    """Remove what runs left that have ended, or that began so long ago that they must have; the names of
    what was removed, and those of what may belong to a run that lives elsewhere."""
    now = datetime.now(UTC)
    kept: list[str] = []

    def is_left(name: str) -> bool:
        run = _run_of(name)
        if run is None:
            return False
        left = run in ended or now - _began(run) > LONGEST_RUN
        if not left:
            kept.append(name)
        return left

    return _remove(target, is_left), kept


def _remove(target: Target, is_left: Callable[[str], bool]) -> list[str]:
    url = parse(target.clickhouse_url)
    removed = []
    for host, port in url.hosts:
        try:
            node = unrecorded(f"{host}:{port}", endpoint_of(url, host, port))
            for database in filter(is_left, node.column("SELECT name FROM system.databases")):
                node.drop_database(database)
                removed.append(f"{node.name}: database {database}")
            for collection in filter(is_left, _collections(node)):
                node.query(f"DROP NAMED COLLECTION IF EXISTS {collection}")
                removed.append(f"{node.name}: named collection {collection}")
            node.drop_connections()
        except NO_ANSWER as error:
            raise EnvironmentFailed(
                f"Databases that start with {PREFIX}_ may be left: "
                + explained(url, host, port, error)
            ) from None
    if target.s3_url is not None:
        store = RemoteStore(target.s3_url)
        removed += [f"{store.url}: bucket {bucket}" for bucket in store.remove_all(is_left)]
    return removed


def _collections(node: RemoteNode) -> list[str]:
    """The named collections that we may see; older servers have none."""
    table = (
        "SELECT name FROM system.tables WHERE database = 'system' AND name = 'named_collections'"
    )
    return node.column("SELECT name FROM system.named_collections") if node.column(table) else []


def _run_of(name: str) -> str | None:
    """The run that a database, named collection or bucket belongs to, if it is one of ours."""
    owned = OWNED.match(name)
    return "-".join(owned.groups()) if owned else None


def _began(run: str) -> datetime:
    try:
        return datetime.strptime(run[:15], "%Y%m%d-%H%M%S").replace(tzinfo=UTC)
    except ValueError:  # digits that are no time: not the name of a run
        return datetime.now(UTC)
