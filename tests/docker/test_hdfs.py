"""HDFS in containers beside the nodes."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import docker
import pytest

from helpers.cluster.docker import images as docker_images
from helpers.cluster.docker.choice import image_of
from helpers.cluster.docker.cluster import DockerCluster
from helpers.cluster.docker.engine import connect
from tests.docker.clusters import docker_cluster
from tests.hdfs import SUM_AND_KEY, write_rows

pytestmark = [pytest.mark.xdist_group("docker"), pytest.mark.nightly]


@pytest.fixture
def cluster(engine: docker.DockerClient, tmp_path: Path) -> Iterator[DockerCluster]:
    if docker_images.missing(engine, ["hdfs"]):
        docker_images.build(connect(docker_images.BUILD_SECONDS), ["hdfs"], print)
    with docker_cluster(tmp_path, image_of(None)) as cluster:
        yield cluster


def test_clickhouse_writes_and_reads_and_a_crash_loses_nothing(cluster: DockerCluster) -> None:
    assert cluster.why_no_hdfs() is None
    node, hdfs = cluster.node(), cluster.hdfs()
    read = write_rows(node, hdfs.url)
    assert node.query(read) == SUM_AND_KEY
    hdfs.kill()
    assert not hdfs.running
    assert cluster.hdfs() is hdfs
    assert node.query(read) == SUM_AND_KEY
