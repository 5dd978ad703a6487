"""Which images a cluster is made of, and what is said of one that cannot be had."""

from __future__ import annotations

import pytest

from helpers.base.errors import EnvironmentFailed
from helpers.cluster.docker.choice import images_of, prepare
from helpers.cluster.target import Target

OFFICIAL = "clickhouse/clickhouse-server:26.3"


def test_services_follow_the_image_of_the_servers() -> None:
    """The project's own images next to its own; Keeper of the same version where it is asked for."""
    own = images_of(Target("docker"))
    assert (own.coordination, own.coordination_port) == ("regression/zookeeper:3.9", 2181)
    keeper = images_of(Target("docker", clickhouse_image=OFFICIAL, coordination="keeper"))
    assert keeper.coordination == "clickhouse/clickhouse-keeper:26.3"
    assert keeper.coordination_port == 9181


def test_images_that_are_named_are_taken() -> None:
    chosen = images_of(
        Target("docker", coordination_image="x/keeper:1", store_image="y/seaweedfs:2")
    )
    assert (chosen.coordination, chosen.coordination_port) == ("x/keeper:1", 9181)
    assert chosen.store == "y/seaweedfs:2"


@pytest.mark.parametrize("option", ["coordination_image", "store_image", "clickhouse_image"])
def test_an_image_that_cannot_be_pulled(option: str) -> None:
    said: list[str] = []
    image = "127.0.0.1:1/none/such:1"
    with pytest.raises(EnvironmentFailed, match=r"cannot be pulled: .*127\.0\.0\.1:1.*docker load"):
        prepare(Target("docker", **{option: image}), said.append)
    assert said == [f"Pulling the image {image} …"]
