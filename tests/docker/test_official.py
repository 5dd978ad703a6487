"""Nodes of an image with the entrypoint of the official one: they start, and start again."""

from __future__ import annotations

import docker
import pytest
from docker.errors import ContainerError

from helpers.cluster import docker_recipes

from .conftest import build

pytestmark = pytest.mark.xdist_group("docker")


@pytest.fixture(scope="module")
def image(engine: docker.DockerClient) -> str:
    build(engine, ["official"])
    return docker_recipes.find("official").reference


def configuration(users: str) -> str:
    """A command that puts these users into the image's configuration and starts its entrypoint."""
    text = f"<clickhouse><profiles><default/></profiles><users>{users}</users></clickhouse>"
    return f"echo '{text}' > /etc/clickhouse-server/users.xml; exec /entrypoint.sh true"


def output(engine: docker.DockerClient, image: str, users: str, **variables: str) -> str:
    """What the entrypoint prints in place of starting a server."""
    printed: bytes = engine.containers.run(
        image,
        ["-c", configuration(users)],
        entrypoint="/bin/bash",
        environment=variables,
        remove=True,
        stderr=True,
    )
    return printed.decode()


def test_the_entrypoint_wants_a_user_default(engine: docker.DockerClient, image: str) -> None:
    """Also where it is told to leave users alone: what the official one does."""
    with pytest.raises(ContainerError, match=r"Not found: users\.default"):
        output(engine, image, "<somebody/>", CLICKHOUSE_SKIP_USER_SETUP="1")
    skipped = output(engine, image, "<default/>", CLICKHOUSE_SKIP_USER_SETUP="1")
    assert "stays as it is" in skipped
    assert "gets no access from the network" in output(engine, image, "<default/>")
    assert "the user one is made" in output(engine, image, "<default/>", CLICKHOUSE_USER="one")
