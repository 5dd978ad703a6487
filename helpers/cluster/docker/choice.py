"""The images that a cluster of containers is made of: which one servers run, and whether it is here."""

from __future__ import annotations

import contextlib
from collections.abc import Callable

import docker
from docker.errors import DockerException

from helpers.base.errors import EnvironmentFailed, UsageError
from helpers.cluster.docker import cleanup as docker_cleanup
from helpers.cluster.docker import compose
from helpers.cluster.docker import images as docker_images
from helpers.cluster.docker import recipes as docker_recipes
from helpers.cluster.docker.engine import connect, find_image, how_to_get_images

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


def prepare(image: str | None, version: str | None, say: Callable[[str], None]) -> str:
    """Whether a cluster of this image can be opened; says what it is. Leftovers of killed runs go."""
    if image is not None and version is not None:
        raise UsageError("Of --clickhouse-image and --clickhouse-version only one can be given.")
    client = connect()
    with contextlib.closing(client):
        compose.find_program()
        gone = docker_cleanup.sweep(client)
        if gone:
            say(f"Removed what a run that was killed had left in Docker: {', '.join(gone)}")
        chosen = image or image_of(version)
        if image is not None and find_image(client, image) is None:
            say(f"Pulling the image {image} …")
            with contextlib.suppress(DockerException):  # its absence is told by require
                client.images.pull(image)
        require(client, chosen)
        digest = client.images.get(chosen).short_id
    return f"image {chosen} ({digest.removeprefix('sha256:')})"


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
