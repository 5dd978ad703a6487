"""Fixtures: a cluster for many tests, and a database of its node for each."""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, Literal

import pytest

from helpers.cluster.embedded.cluster import EmbeddedCluster
from helpers.cluster.embedded.node import EmbeddedNode
from helpers.cluster.services.seaweed import SeaweedStore

_numbers = itertools.count(1)


@contextmanager
def own_database(node: EmbeddedNode) -> Iterator[EmbeddedNode]:
    """The node with an empty database; it runs again afterwards, whatever was done to it."""
    database = f"test_{next(_numbers)}"
    node.query(f"CREATE DATABASE {database} ENGINE = Atomic")
    node.database = database
    try:
        yield node
    finally:
        node.thaw()
        node.start()
        node.database = ""
        node.query(f"DROP DATABASE {database} SYNC")


def local_store(cluster: EmbeddedCluster, *, tls: bool = False) -> SeaweedStore:
    """The store of an embedded cluster, with its ports and processes."""
    store = cluster.object_store(tls=tls)
    assert isinstance(store, SeaweedStore)
    return store


def cluster_fixture(scope: Literal["module", "session"], folder: str = "cluster") -> Any:
    """A fixture: an embedded cluster for all tests of a module or of the session."""

    @pytest.fixture(scope=scope)
    def cluster(tmp_path_factory: pytest.TempPathFactory) -> Iterator[EmbeddedCluster]:
        with EmbeddedCluster(tmp_path_factory.mktemp(folder)) as cluster:
            yield cluster

    return cluster


def node_fixture() -> Any:
    """A fixture: a running node with an empty database, whatever an earlier test did to the node."""

    @pytest.fixture
    def node(cluster: EmbeddedCluster) -> Iterator[EmbeddedNode]:
        with own_database(cluster.node()) as node:
            yield node

    return node
