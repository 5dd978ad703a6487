"""Spark in containers beside the nodes: referee, generator and exporter run there, a worker less or not."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import docker
import pytest

from helpers.base.paths import ROOT
from helpers.cluster.capabilities import Capability, why_not
from helpers.cluster.docker.choice import image_of
from helpers.cluster.docker.cluster import DockerCluster
from helpers.cluster.docker.spark import WORKERS
from pipelines.clickhouse.server import Server
from tests.docker.clusters import docker_cluster
from tests.pipelines.spark.on_cluster import fill

pytestmark = pytest.mark.xdist_group("docker")
BUCKET = "exports"
HASH = "count(), toString(sum(cityHash64(id, key, name)))"


@pytest.fixture
def cluster(
    engine: docker.DockerClient, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> Iterator[DockerCluster]:
    monkeypatch.delenv("SPARK_MASTER", raising=False)
    with docker_cluster(tmp_path, image_of(None)) as cluster:
        yield cluster


@pytest.mark.nightly
def test_a_worker_container_dies_in_the_middle_and_the_results_are_right(
    cluster: DockerCluster,
) -> None:
    assert why_not(cluster, Capability.SPARK) is None
    spark, node, store = cluster.spark(), cluster.node(), cluster.object_store()
    assert spark is not None
    store.make_bucket(BUCKET)
    node.query("CREATE DATABASE t")
    where = node.endpoint
    server = Server(where.http_url, where.user, where.password, "t")
    fill(server)
    child = subprocess.Popen(
        [
            *(sys.executable, "-m", "tests.docker.on_containers", spark.master),
            *map(json.dumps, (dict(spark.conf), server.options(), vars(store.store()))),
            f"s3://{BUCKET}/t",
        ],
        cwd=ROOT,
        stdout=subprocess.PIPE,
        text=True,
    )
    assert child.stdout
    try:
        middle = child.stdout.readline().split()
        assert middle and middle[0] == "middle", "the comparison ended before its middle"
        cluster.docker_spark.kill_worker(WORKERS[0])
        answer = json.loads(child.stdout.read())
    finally:
        child.kill()
        child.wait()
    assert answer["before"] == list(WORKERS)
    assert answer["after"] == list(WORKERS[1:])
    right, lacking = answer["verdicts"]
    assert right == "None"
    assert "id = 1234" in lacking, lacking
    assert answer["exported"] == [["succeeded", ""]]
    admin = store.store()
    exported = (
        f"s3('{store.url}/{BUCKET}/t/**.parquet', '{admin.access_key}', '{admin.secret_key}', "
        "'Parquet', 'id Int64, key Int64, name Nullable(String)')"
    )
    assert node.query(f"SELECT {HASH} FROM {exported}") == node.query(f"SELECT {HASH} FROM t.t")


def test_another_master_can_be_chosen(
    cluster: DockerCluster, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SPARK_MASTER", "local[2]")
    assert cluster.spark() is None
    assert not cluster.docker_spark.containers
