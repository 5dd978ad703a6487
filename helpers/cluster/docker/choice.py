"""The images that a cluster of containers is made of: which one servers run, and whether it is here."""

from __future__ import annotations

import contextlib
import os
from collections.abc import Callable
from dataclasses import dataclass

import docker
from docker.errors import DockerException

from helpers.base.errors import EnvironmentFailed, UsageError
from helpers.cluster.docker import cleanup as docker_cleanup
from helpers.cluster.docker import compose
from helpers.cluster.docker import images as docker_images
from helpers.cluster.docker import recipes as docker_recipes
from helpers.cluster.docker.engine import connect, find_image, how_to_get_images
from helpers.cluster.target import Target

OFFICIAL, KEEPER = "clickhouse/clickhouse-server", "clickhouse/clickhouse-keeper"
ZOOKEEPER, SEAWEEDFS = "zookeeper:3.9", "chrislusf/seaweedfs:4.48"
ZOOKEEPER_PORT, KEEPER_PORT = 2181, 9181
WHEEL = "clickhouse"  # the label of images that the project builds from the wheel


def is_wheel(client: docker.DockerClient, image: str) -> bool:
    """Whether an image is one that the project builds from the wheel, by its label."""
    known = find_image(client, image)
    if known is None:
        return True  # reported when a container is to be made of it
    return str(known.labels.get(docker_images.IMAGE, "")).partition(":")[0] == WHEEL


def image_of(version: str | None) -> str:
    """The project's own image of a version."""
    if version == "18.16":
        return docker_recipes.find("clickhouse-18").reference
    return docker_recipes.clickhouse(version).reference


@dataclass(frozen=True)
class Images:
    """The images of a docker cluster, and the port of its coordination service."""

    clickhouse: str
    coordination: str
    coordination_port: int
    store: str


def images_of(target: Target) -> Images:
    """The images that were named, else the project's own where they are, else the official ones."""
    if target.clickhouse_image is not None and target.clickhouse_version is not None:
        raise UsageError("Of --clickhouse-image and --clickhouse-version only one can be given.")
    clickhouse = target.clickhouse_image or image_of(target.clickhouse_version)
    keeper = target.coordination == "keeper" or (
        target.coordination is None and "keeper" in (target.coordination_image or "")
    )
    with contextlib.closing(connect()) as client:
        coordination = target.coordination_image or os.environ.get("COORDINATION_IMAGE")
        if coordination is None and keeper:
            name, _, tag = clickhouse.rpartition(":")
            coordination = f"{KEEPER}:{tag if name == OFFICIAL else 'latest'}"
        return Images(
            clickhouse=clickhouse,
            coordination=coordination or _service(client, clickhouse, "zookeeper", ZOOKEEPER),
            coordination_port=KEEPER_PORT if keeper else ZOOKEEPER_PORT,
            store=target.store_image
            or os.environ.get("SEAWEEDFS_IMAGE")
            or _service(client, clickhouse, "seaweedfs", SEAWEEDFS),
        )


def _service(client: docker.DockerClient, clickhouse: str, recipe: str, official: str) -> str:
    """The image of a service: the project's own, or the official one next to an image of somebody else."""
    own = docker_recipes.find(recipe).reference
    ours = clickhouse.startswith(f"{docker_recipes.REPOSITORY}/")
    return own if ours or find_image(client, own) is not None else official


def prepare(target: Target, say: Callable[[str], None]) -> str:
    """Whether a cluster of these images can be opened; says what it is. Leftovers of killed runs go."""
    chosen = images_of(target)
    client = connect()
    with contextlib.closing(client):
        compose.find_program()
        gone = docker_cleanup.sweep(client)
        if gone:
            say(f"Removed what a run that was killed had left in Docker: {', '.join(gone)}")
        named = [target.clickhouse_image, target.coordination_image, target.store_image]
        if target.coordination == "keeper":
            named.append(chosen.coordination)
        for image in dict.fromkeys(filter(None, named)):
            _pull(client, image, say)
        for image in {chosen.coordination, chosen.store} & {ZOOKEEPER, SEAWEEDFS}:
            with contextlib.suppress(
                EnvironmentFailed
            ):  # what needs them is blocked, with the reason
                _pull(client, image, say)
        require(client, chosen.clickhouse)
        digest = client.images.get(chosen.clickhouse).short_id
    return f"image {chosen.clickhouse} ({digest.removeprefix('sha256:')})"


def _pull(client: docker.DockerClient, image: str, say: Callable[[str], None]) -> None:
    """Get an image that was named and is not here; a registry's own words are shown where it refuses."""
    if find_image(client, image) is not None:
        return
    say(f"Pulling the image {image} …")
    try:
        client.images.pull(image)
    except DockerException as error:
        reason = str(getattr(error, "explanation", None) or error).strip().splitlines()[0]
        raise EnvironmentFailed(
            f"The image {image} is not in this Docker engine and cannot be pulled: {reason}. Load it there "
            "(docker load), name another one, or leave the option out for the project's own "
            "(./regression.py images build)."
        ) from None


def require(client: docker.DockerClient, image: str) -> None:
    """Raise EnvironmentFailed, with what to do, if the engine has no such image."""
    reason = why_missing(client, image)
    if reason is not None:
        raise EnvironmentFailed(reason)


def why_missing(client: docker.DockerClient, image: str) -> str | None:
    """What to do for an image that the engine does not have, or None if it has it."""
    if find_image(client, image) is not None:
        return None
    advice = how_to_get_images()
    if image.startswith(f"{docker_recipes.REPOSITORY}/"):
        own = [recipe.name for recipe in docker_recipes.all_recipes() if recipe.reference == image]
        build = own[0] if own else image.removeprefix(f"{docker_recipes.REPOSITORY}/")
        advice = (
            f"Build it with ./regression.py images build {build}, or name another one with "
            "--clickhouse-image."
        )
    return f"There is no image {image} in this Docker engine. {advice}"
