"""The engine that the tests of this folder use; without one they are skipped, but not on CI."""

from __future__ import annotations

import os
from collections.abc import Iterator

import docker
import pytest

from helpers.cluster import compose, docker_cleanup, docker_images
from helpers.cluster.docker_client import connect
from helpers.errors import EnvironmentFailed
from helpers.timeouts import scaled
from pipelines.waiting import poll

NEEDED = ["clickhouse", "clickhouse-18", "zookeeper", "seaweedfs", "nettools"]


@pytest.fixture(scope="session")
def engine() -> Iterator[docker.DockerClient]:
    """An engine with the images that tests need; building them takes minutes the first time."""
    try:
        client = connect()
        compose.find_program()
        if docker_images.missing(client, NEEDED):
            docker_images.build(connect(docker_images.BUILD_SECONDS), NEEDED, print)
    except EnvironmentFailed as failed:
        if os.environ.get("CI"):
            raise
        pytest.skip(str(failed))
    yield client
    poll(lambda: not docker_cleanup.abandoned(client), scaled(60), pause=0.2)
    assert docker_cleanup.abandoned(client) == [], "a test has left something in the engine"
