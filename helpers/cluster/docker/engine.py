"""The connection to the Docker engine; its errors become one line that says what to do."""

from __future__ import annotations

import errno
import os
from collections.abc import Iterator
from contextlib import contextmanager

import docker
import requests.exceptions
from docker.errors import APIError, DockerException, ImageNotFound
from docker.models.images import Image

from helpers.base.errors import EnvironmentFailed
from helpers.base.time_limits import scaled
from helpers.base.versions import numbers

OLDEST_API = (1, 41)
SECONDS = 60.0
NO_SPACE = "no space left on device"
PORT_TAKEN = ("port is already allocated", "address already in use")
NO_ADDRESSES = ("non-overlapping", "predefined address pools")


def connect(seconds: float = SECONDS) -> docker.DockerClient:
    """A client of the engine that DOCKER_HOST names or of the one of this machine, once it has answered."""
    try:
        client = docker.from_env(timeout=int(scaled(seconds)))
        version = client.version()["ApiVersion"]
    except (DockerException, requests.exceptions.RequestException, OSError) as error:
        raise EnvironmentFailed(_no_connection(error)) from None
    if numbers(version) < OLDEST_API:
        raise EnvironmentFailed(
            f"The Docker engine is too old: it speaks API {version}, and --env docker needs "
            f"{'.'.join(map(str, OLDEST_API))} (Docker 20.10) or later."
        )
    return client


@contextmanager
def explained(doing: str) -> Iterator[None]:
    """Turn what the engine refuses in the block into an EnvironmentFailed that says what to do."""
    try:
        yield
    except ImageNotFound as error:
        raise EnvironmentFailed(f"{doing}: {_reason(error)}. {how_to_get_images()}") from None
    except APIError as error:
        raise EnvironmentFailed(f"{doing}: {_reason(error)}.{_advice(_reason(error))}") from None
    except (DockerException, requests.exceptions.RequestException) as error:
        raise EnvironmentFailed(
            f"{doing}: the Docker engine does not answer any more ({_first_line(error)}). Was it "
            "stopped or restarted? Start it (systemctl start docker) and run again; what is left "
            "over is removed then."
        ) from None


def find_image(client: docker.DockerClient, reference: str) -> Image | None:
    """The image that the engine has under this name, if any."""
    with explained("The engine cannot be asked for its images"):
        try:
            return client.images.get(reference)
        except ImageNotFound:
            return None


def how_to_get_images() -> str:
    return (
        "Build the project's own images with ./regression.py images build, or name another one "
        "with --clickhouse-image."
    )


def _no_connection(error: Exception) -> str:
    host = os.environ.get("DOCKER_HOST", "unix:///var/run/docker.sock")
    numbers = _error_numbers(error)
    if errno.EACCES in numbers or errno.EPERM in numbers:
        return (
            f"No permission to use the Docker engine at {host}: run as a member of the group "
            "'docker' (sudo usermod -aG docker $USER, then log in again)."
        )
    return (
        f"No Docker engine answers at {host} ({_first_line(error)}). Start it (systemctl start "
        "docker), install one, or name it with DOCKER_HOST; without one use --env embedded."
    )


def _error_numbers(error: object) -> set[int]:
    """The error numbers of an exception and of all that it wraps."""
    if not isinstance(error, BaseException):
        return set()
    own = {error.errno} if isinstance(error, OSError) and error.errno is not None else set()
    wrapped = (*error.args, error.__cause__ or error.__context__)
    return own.union(*map(_error_numbers, wrapped))


def _reason(error: APIError) -> str:
    return " ".join(str(error.explanation or error).split()).rstrip(".")


def _advice(reason: str) -> str:
    lowered = reason.lower()
    if NO_SPACE in lowered:
        return (
            " The engine's disk is full: docker system df shows what takes it, "
            "./regression.py down --all and docker builder prune give some back."
        )
    if any(text in lowered for text in PORT_TAKEN):
        return " Name another port, or end what listens there (ss -ltnp)."
    if any(text in lowered for text in NO_ADDRESSES):
        return (
            " The engine has no addresses left for another network: ./regression.py down --all "
            "removes this project's, docker network prune unused ones."
        )
    return ""


def _first_line(error: Exception) -> str:
    return (str(error) or type(error).__name__).splitlines()[0]
