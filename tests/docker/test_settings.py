"""Nodes in containers have the settings of embedded nodes: all of them, with either entrypoint."""

from __future__ import annotations

from pathlib import Path

import docker
import pytest

from helpers.cluster.docker import recipes as docker_recipes
from helpers.cluster.embedded.cluster import EmbeddedCluster
from helpers.cluster.node import Node
from tests.docker.clusters import docker_cluster
from tests.docker.conftest import build

pytestmark = pytest.mark.xdist_group("docker")


def settings(node: Node) -> dict[str, str]:
    """What a node reports, also of settings of tables."""
    return {
        f"{table}.{name}": value
        for table in ("settings", "merge_tree_settings")
        for name, value in node.query(f"SELECT name, toString(value) FROM system.{table}")
    }


@pytest.mark.parametrize("name", ["clickhouse", "official"])
def test_containers_have_the_same_settings(
    engine: docker.DockerClient, tmp_path: Path, name: str
) -> None:
    build(engine, [name])
    image = docker_recipes.find(name).reference
    with (
        EmbeddedCluster(tmp_path / "embedded") as embedded,
        docker_cluster(tmp_path / "docker", image) as containers,
    ):
        ours, theirs = settings(embedded.node()), settings(containers.node())
    assert len(ours) > 1000
    assert {key: (ours[key], theirs.get(key)) for key in ours if ours[key] != theirs.get(key)} == {}
    assert ours["settings.mutations_sync"] == ours["settings.async_insert"] == "0"
