"""One ClickHouse, one S3 store and one Spark session for all tests of the pipelines."""

from __future__ import annotations

import itertools
from collections.abc import Iterator

import pytest
from pyspark.sql import SparkSession

from helpers.cluster.embedded.cluster import EmbeddedCluster
from helpers.cluster.embedded.node import EmbeddedNode
from helpers.cluster.object_store import ObjectStore
from pipelines.clickhouse.server import Server
from pipelines.s3.store import Store
from pipelines.spark.session import session_in_background, stop_session
from tests.databases import cluster_fixture, node_fixture
from tests.pipelines.clickhouse.source import ROWS as TABLE_ROWS

BUCKET = "lake"
_numbers = itertools.count(1)


@pytest.fixture(scope="session")
def spark() -> Iterator[SparkSession]:
    yield session_in_background("local[2]").result()
    stop_session()


cluster = cluster_fixture("session")
node = node_fixture()


@pytest.fixture
def server(node: EmbeddedNode) -> Server:
    """The node as the pipelines see it."""
    where = node.endpoint
    return Server(where.http_url, where.user, where.password, node.database)


@pytest.fixture(scope="session")
def object_store(cluster: EmbeddedCluster) -> ObjectStore:
    store = cluster.object_store()
    store.make_bucket(BUCKET)
    return store


@pytest.fixture
def store(object_store: ObjectStore) -> Iterator[Store]:
    """The store as the pipelines see it; whatever the test did to it, it runs afterwards."""
    yield object_store.store()
    object_store.start()


@pytest.fixture
def path(object_store: ObjectStore) -> str:
    """A place of its own on S3."""
    return f"s3://{BUCKET}/set{next(_numbers)}"


@pytest.fixture
def table(node: EmbeddedNode) -> str:
    """Two parts in each of three partitions, which no merge touches."""
    node.query("CREATE TABLE t (p UInt8, n UInt64) ENGINE = MergeTree PARTITION BY p ORDER BY n")
    node.query("SYSTEM STOP MERGES t")
    for half in (0, 1):
        node.query(
            f"INSERT INTO t SELECT number % 3, number * 2 + {half} FROM numbers({TABLE_ROWS // 2})"
        )
    return "t"
