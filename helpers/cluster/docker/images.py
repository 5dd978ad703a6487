"""Builds, lists and removes the project's own images.

An image carries a hash of what it was made of as a label: one whose inputs are unchanged is not built again.
"""

from __future__ import annotations

import contextlib
import hashlib
import io
import os
import shutil
import subprocess
import tarfile
import tempfile
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Any

import docker
from docker.errors import APIError
from docker.models.images import Image

from helpers.base.errors import EnvironmentFailed
from helpers.cluster.docker import recipes as docker_recipes
from helpers.cluster.docker.engine import explained, find_image
from helpers.cluster.docker.recipes import REPOSITORY, Recipe
from pipelines.system.locks import lock, try_lock

IMAGE, INPUTS = "org.regression.image", "org.regression.inputs"
BUILD_SECONDS = 900.0
NOT_NEEDED = frozenset({"__pycache__", "tests", "examples", "include"})
LAST_LINES = 15
CHUNK = 1 << 20

Say = Callable[[str], None]


@dataclass(frozen=True)
class ImageState:
    """An image that could be there: `size` in bytes, None where it is not; `stale` if its inputs changed."""

    recipe: Recipe
    size: int | None
    stale: bool


def build(client: docker.DockerClient, names: list[str], say: Say, *, again: bool = False) -> None:
    """Build these images and what they stand on, where they are missing or their inputs changed."""
    with _one_at_a_time(say):
        _build_all(client, names, say, again=again)


@contextlib.contextmanager
def _one_at_a_time(say: Say) -> Iterator[None]:
    """A lock: a second process waits, and then finds the images up to date."""
    path = Path(tempfile.gettempdir()) / f"regression-images-{os.getuid()}.lock"
    file = os.open(path, os.O_CREAT | os.O_RDWR | os.O_NOFOLLOW | os.O_CLOEXEC, 0o600)
    try:
        if not try_lock(file):
            say("another process builds images: waiting for it …")
            lock(file)
        yield
    finally:
        os.close(file)


def _build_all(client: docker.DockerClient, names: list[str], say: Say, *, again: bool) -> None:
    replaced: list[Image] = []
    for recipe in docker_recipes.with_bases(names):
        inputs, before = inputs_of(recipe), find_image(client, recipe.reference)
        if not again and before is not None and before.labels.get(INPUTS) == inputs:
            say(f"{recipe.reference}: up to date")
            continue
        started = time.monotonic()
        say(f"{recipe.reference}: building …")
        labels = {IMAGE: recipe.name, INPUTS: inputs}
        with explained(f"The image {recipe.reference} cannot be built"):
            if recipe.name == "base":
                _import(client, recipe, labels)
            else:
                _build(client, recipe, labels, say)
            made = client.images.get(recipe.reference)
        if before is not None and before.id != made.id:
            replaced.append(before)
        seconds = time.monotonic() - started
        say(f"{recipe.reference}: built, {made.attrs['Size'] / 1e6:.0f} MB, {seconds:.0f} s")
    for image in reversed(replaced):
        with contextlib.suppress(APIError):  # others stand on it still, or it is in use
            client.images.remove(image.id)


def states(client: docker.DockerClient) -> list[ImageState]:
    """Every image that can be built, and whether it is there."""
    images = []
    for recipe in docker_recipes.all_recipes():
        image = find_image(client, recipe.reference)
        size = image.attrs["Size"] if image else None
        stale = image is not None and image.labels.get(INPUTS) != inputs_of(recipe)
        images.append(ImageState(recipe, size, stale))
    return images


def missing(client: docker.DockerClient, names: list[str]) -> list[str]:
    return [name for name in names if not find_image(client, docker_recipes.find(name).reference)]


def remove(client: docker.DockerClient, names: list[str]) -> list[str]:
    """Remove these images, or all of ours and those that newer ones have replaced; returns their tags."""
    wanted = {docker_recipes.find(name).reference for name in names}
    gone = []
    with explained("An image cannot be removed"):
        for image in client.images.list(filters={"label": IMAGE}):
            if not image.tags and not wanted:
                with contextlib.suppress(APIError):  # others stand on it still, or it is in use
                    client.images.remove(image.id)
            for tag in image.tags:
                if tag.startswith(f"{REPOSITORY}/") and (not wanted or tag in wanted):
                    client.images.remove(tag)
                    gone.append(tag)
    return sorted(gone)


def inputs_of(recipe: Recipe) -> str:
    """A hash of everything that an image is made of.

    Our own files count by what is in them; installed ones by name and size, because a package is
    replaced as a whole and hashing a gigabyte takes longer than a cluster to start.
    """
    digest = hashlib.sha256()
    if recipe.base is not None:
        digest.update(inputs_of(docker_recipes.find(recipe.base)).encode())
    for file in sorted(recipe.folder.rglob("*")):
        if file.is_file():
            digest.update(f"{file.relative_to(recipe.folder)} {_mode(file):o}".encode())
            digest.update(file.read_bytes())
    for name, content in recipe.files().items():
        if isinstance(content, bytes):
            digest.update(name.encode() + content)
        else:
            for file in _files_below(content):
                relative = file.relative_to(content) if file != content else ""
                digest.update(f"{name} {relative} {file.stat().st_size}\n".encode())
    return digest.hexdigest()


def _files_below(path: Path) -> Iterator[Path]:
    if path.is_file():
        yield path
        return
    for file in sorted(path.rglob("*")):
        if file.is_file() and NOT_NEEDED.isdisjoint(file.relative_to(path).parts):
            yield file


def _mode(file: Path) -> int:
    return 0o755 if file.stat().st_mode & 0o100 else 0o644


def _import(client: docker.DockerClient, recipe: Recipe, labels: dict[str, str]) -> None:
    """The base: a root file system out of Debian packages, imported as an image."""
    if shutil.which("mmdebstrap") is None:
        raise EnvironmentFailed(
            "The program mmdebstrap, which makes the base of all images out of Debian packages, is "
            "not installed here: apt-get install mmdebstrap. On another system than Debian or "
            "Ubuntu use the official images (docs/docker.md)."
        )
    with tempfile.TemporaryFile() as tar:
        made = subprocess.run(
            [recipe.folder / "build"], stdout=tar, stderr=subprocess.PIPE, text=True
        )
        if made.returncode:
            lines = made.stderr.strip().splitlines()[-LAST_LINES:]
            raise EnvironmentFailed(
                "\n".join([f"mmdebstrap failed (exit code {made.returncode}):", *lines])
            )
        tar.seek(0)
        _import_tar(client, recipe.reference, tar, labels)


def _import_tar(
    client: docker.DockerClient, reference: str, tar: IO[bytes], labels: dict[str, str]
) -> None:
    # In chunks: for a file the library would send its length, too, and the engine refuses both.
    chunks = iter(lambda: tar.read(CHUNK), b"")
    changes = [f"LABEL {name}={value}" for name, value in labels.items()]
    repository, tag = reference.split(":")
    answer = client.api.import_image_from_stream(
        chunks, repository=repository, tag=tag, changes=changes
    )
    if '"error"' in answer:
        raise EnvironmentFailed(f"The image {reference} cannot be imported: {answer.strip()}")


def _build(client: docker.DockerClient, recipe: Recipe, labels: dict[str, str], say: Say) -> None:
    arguments = {}
    if recipe.base is not None:
        arguments["BASE"] = docker_recipes.find(recipe.base).reference
    with tempfile.TemporaryFile() as context:
        with tarfile.open(fileobj=context, mode="w") as tar:
            for file in sorted(recipe.folder.iterdir()):
                _add(tar, file.name, file)
            for name, content in recipe.files().items():
                _add(tar, name, content)
        context.seek(0)
        lines: list[str] = []
        for event in client.api.build(
            fileobj=context,
            custom_context=True,
            tag=recipe.reference,
            rm=True,
            forcerm=True,
            buildargs=arguments,
            labels=labels,
            decode=True,
        ):
            _follow(recipe, event, lines, say)


def _follow(recipe: Recipe, event: dict[str, Any], lines: list[str], say: Say) -> None:
    """Handle an event of a build: its steps are shown, its other output only if it fails."""
    if "error" in event:
        reason = str(event["error"]).strip()
        text = "\n".join([f"The image {recipe.reference} cannot be built: {reason}", *lines])
        raise EnvironmentFailed(text)
    for line in str(event.get("stream", "")).splitlines():
        if line.startswith("Step "):
            say(f"  {line.strip()}")
        if line.strip():
            lines.append(line.rstrip())
            del lines[:-LAST_LINES]


def _add(tar: tarfile.TarFile, name: str, content: Path | bytes) -> None:
    """Add a file or folder to a build context, without times and owners, so that the cache is used."""
    if isinstance(content, bytes):
        _add_file(tar, name, len(content), 0o755, io.BytesIO(content))
        return
    for file in _files_below(content):
        relative = file.relative_to(content)
        place = name if file == content else f"{name}/{relative}"
        with file.open("rb") as stream:
            _add_file(tar, place, file.stat().st_size, _mode(file), stream)


def _add_file(tar: tarfile.TarFile, name: str, size: int, mode: int, stream: IO[bytes]) -> None:
    info = tarfile.TarInfo(name)
    info.size, info.mode = size, mode
    tar.addfile(info, stream)
