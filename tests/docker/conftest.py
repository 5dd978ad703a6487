"""The engine that the tests of this folder use; without one they are skipped, but not on CI."""

from __future__ import annotations

import os
from collections.abc import Iterator

import docker
import pytest

from helpers.base.errors import EnvironmentFailed
from helpers.base.time_limits import scaled
from helpers.cluster.docker import cleanup as docker_cleanup
from helpers.cluster.docker import compose
from helpers.cluster.docker import images as docker_images
from helpers.cluster.docker.engine import connect
from pipelines.system.waiting import poll

NEEDED = ["clickhouse", "seaweedfs", "nettools"]
FOR_REPLICAS = ["clickhouse-18", "zookeeper"]  # what nightly tests need beside them


@pytest.fixture(scope="session")
def engine() -> Iterator[docker.DockerClient]:
    """An engine with the images that most tests need; building them takes a minute the first time."""
    try:
        client = connect()
        compose.find_program()
        build(client, NEEDED)
    except EnvironmentFailed as failed:
        if os.environ.get("CI"):
            raise
        pytest.skip(str(failed))
    yield client
    poll(lambda: not docker_cleanup.abandoned(client), scaled(60), pause=0.2)
    assert docker_cleanup.abandoned(client) == [], "a test has left something in the engine"


@pytest.fixture(scope="session")
def engine_for_replicas(engine: docker.DockerClient) -> docker.DockerClient:
    """The engine, with the images of replicated servers as well."""
    build(engine, FOR_REPLICAS)
    return engine


def build(client: docker.DockerClient, names: list[str]) -> None:
    """Build those of these images that are missing."""
    if docker_images.missing(client, names):
        docker_images.build(connect(docker_images.BUILD_SECONDS), names, print)
