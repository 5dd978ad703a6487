"""An image is built when it is missing or its inputs have changed, and only then."""

from __future__ import annotations

import contextlib
import os
import secrets
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import docker
import pytest
from docker.errors import APIError, ImageNotFound

from helpers.cluster.docker import images as docker_images
from helpers.cluster.docker import recipes as docker_recipes
from helpers.cluster.docker.recipes import Recipe

pytestmark = pytest.mark.xdist_group("docker")
LOWER = "FROM scratch\nCOPY own /own\n"
UPPER = "ARG BASE\nFROM ${BASE}\nCOPY package /package\n"


class Images:
    """Two small images of a project's own, one on top of the other."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        tag = f"test-{secrets.token_hex(4)}"
        package = folder / "installed"
        self.lower = Recipe("lower", f"{tag}-lower:1", None, dict, "")
        self.upper = Recipe("upper", f"{tag}-upper:1", "lower", lambda: {"package": package}, "")
        for file, text in {
            "lower/Dockerfile": LOWER,
            "lower/own": "one",
            "upper/Dockerfile": UPPER,
            "installed/module.py": "pass",
        }.items():
            self.write(file, text)

    def write(self, file: str, text: str) -> None:
        path = self.folder / file
        path.parent.mkdir(exist_ok=True)
        path.write_text(text)

    def inputs(self) -> dict[str, str]:
        return {each.name: docker_images.inputs_of(each) for each in (self.lower, self.upper)}

    def built(self, engine: docker.DockerClient) -> set[str]:
        """What had to be built."""
        said: list[str] = []
        docker_images.build(engine, ["upper"], said.append)
        names = {each.reference: each.name for each in (self.lower, self.upper)}
        lines = [line.rpartition(": ") for line in said if not line.startswith(" ")]
        up_to_date = {names[image] for image, _, state in lines if state == "up to date"}
        building = {names[image] for image, _, state in lines if state == "building …"}
        assert up_to_date | building == {"lower", "upper"}
        return building

    def ids(self, engine: docker.DockerClient) -> list[str]:
        return [str(engine.images.get(each.reference).id) for each in (self.lower, self.upper)]

    def remove(self, engine: docker.DockerClient) -> None:
        for recipe in (self.upper, self.lower):
            with contextlib.suppress(APIError):
                engine.images.remove(recipe.reference)


@pytest.fixture
def images(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Images:
    images = Images(tmp_path)
    monkeypatch.setattr(docker_recipes, "FOLDER", tmp_path)
    monkeypatch.setattr(docker_recipes, "all_recipes", lambda: [images.lower, images.upper])
    return images


@pytest.mark.parametrize(
    ("file", "text", "changed"),
    [
        ("lower/own", "one", set()),
        ("lower/own", "two", {"lower", "upper"}),
        ("lower/Dockerfile", f"{LOWER}ENV CHANGED=1\n", {"lower", "upper"}),
        ("upper/Dockerfile", f"{UPPER}ENV CHANGED=1\n", {"upper"}),
        ("installed/module.py", "pass  # longer", {"upper"}),
        ("installed/another.py", "pass", {"upper"}),
    ],
)
def test_what_counts_as_a_changed_input(
    images: Images, file: str, text: str, changed: set[str]
) -> None:
    before = images.inputs()
    images.write(file, text)
    os.utime(images.folder / file, (0, 0))
    after = images.inputs()
    assert {name for name in after if after[name] != before[name]} == changed


def test_two_that_build_at_once_build_everything_once(
    engine: docker.DockerClient, images: Images
) -> None:
    try:
        with ThreadPoolExecutor(2) as pool:
            built = list(pool.map(lambda _: images.built(engine), range(2)))
        assert sorted(built, key=len) == [set(), {"lower", "upper"}]
    finally:
        images.remove(engine)


def test_an_image_is_built_when_its_inputs_have_changed_and_only_then(
    engine: docker.DockerClient, images: Images
) -> None:
    try:
        assert images.built(engine) == {"lower", "upper"}
        before = images.ids(engine)
        assert images.built(engine) == set()
        assert images.ids(engine) == before
        images.write("lower/own", "two")
        assert all(state.stale for state in docker_images.states(engine))
        assert images.built(engine) == {"lower", "upper"}
        assert not set(images.ids(engine)) & set(before)
        for replaced in before:
            with pytest.raises(ImageNotFound):
                engine.images.get(replaced)
        assert docker_images.remove(engine, ["upper"]) == [images.upper.reference]
        assert docker_images.missing(engine, ["lower", "upper"]) == ["upper"]
        assert images.built(engine) == {"upper"}
    finally:
        images.remove(engine)
