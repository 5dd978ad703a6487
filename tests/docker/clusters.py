"""Clusters of containers for tests: one ClickHouse image, and the services that `--env docker` chooses."""

from __future__ import annotations

from pathlib import Path

from helpers.cluster.docker.choice import images_of
from helpers.cluster.docker.cluster import DockerCluster
from helpers.cluster.target import Target


def docker_cluster(folder: Path, image: str) -> DockerCluster:
    return DockerCluster(folder, images_of(Target("docker", clickhouse_image=image)))
