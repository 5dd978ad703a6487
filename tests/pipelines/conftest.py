"""One ClickHouse, one S3 store and one Spark session for all tests of the pipelines."""

from __future__ import annotations

import itertools
from collections.abc import Iterator

import pytest
from pyspark.sql import SparkSession

from helpers.cluster.embedded import EmbeddedCluster, EmbeddedNode
from helpers.cluster.object_store import ADMIN, ObjectStore
from pipelines.s3 import Store
from pipelines.server import Server
from pipelines.session import session_in_background, stop_session

BUCKET = "lake"
_numbers = itertools.count(1)


@pytest.fixture(scope="session")
def spark() -> Iterator[SparkSession]:
    yield session_in_background("local[2]").result()
    stop_session()


@pytest.fixture(scope="session")
def cluster(tmp_path_factory: pytest.TempPathFactory) -> Iterator[EmbeddedCluster]:
    with EmbeddedCluster(tmp_path_factory.mktemp("cluster")) as cluster:
        yield cluster


@pytest.fixture
def node(cluster: EmbeddedCluster) -> Iterator[EmbeddedNode]:
    """A running node with an empty database."""
    node = cluster.node()
    database = f"pipelines_{next(_numbers)}"
    node.query(f"CREATE DATABASE {database} ENGINE = Atomic")
    node.database = database
    try:
        yield node
    finally:
        node.database = ""
        node.query(f"DROP DATABASE {database} SYNC")


@pytest.fixture
def server(node: EmbeddedNode) -> Server:
    """The node as the pipelines see it."""
    where = node.endpoint
    return Server(
        f"http://{where.host}:{where.http_port}", where.user, where.password, node.database
    )


@pytest.fixture(scope="session")
def object_store(cluster: EmbeddedCluster) -> ObjectStore:
    store = cluster.object_store()
    store.make_bucket(BUCKET)
    return store


@pytest.fixture
def store(object_store: ObjectStore) -> Iterator[Store]:
    """The store as the pipelines see it; whatever the test did to it, it runs afterwards."""
    identity = object_store.identities[ADMIN]
    yield Store(object_store.url, identity.access_key, identity.secret_key)
    object_store.start()


@pytest.fixture
def path(object_store: ObjectStore) -> str:
    """A place of its own on S3."""
    return f"s3://{BUCKET}/set{next(_numbers)}"
