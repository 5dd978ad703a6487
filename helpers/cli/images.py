"""The command `images`: builds, lists and removes the images of `--env docker`."""

from __future__ import annotations

import argparse

from helpers.base.errors import ALL_AS_EXPECTED
from helpers.cluster.docker import images as docker_images
from helpers.cluster.docker import recipes as docker_recipes
from helpers.cluster.docker.engine import connect


def build(given: argparse.Namespace) -> int:
    names = given.names or [recipe.name for recipe in docker_recipes.all_recipes()]
    for name in names:
        docker_recipes.find(name)  # a wrong name is told before the others are built
    client = connect(docker_images.BUILD_SECONDS)
    docker_images.build(client, names, _say, again=given.again)
    return ALL_AS_EXPECTED


def show(_: argparse.Namespace) -> int:
    for state in docker_images.states(connect()):
        size = "not built" if state.size is None else f"{state.size / 1e6:.0f} MB"
        note = ", inputs have changed" if state.stale else ""
        recipe = state.recipe
        print(f"{recipe.name:<15}{recipe.reference:<32}{size:>10}  {recipe.purpose}{note}")
    return ALL_AS_EXPECTED


def remove(given: argparse.Namespace) -> int:
    gone = docker_images.remove(connect(), given.names)
    print("\n".join(f"{tag}: removed" for tag in gone) or "Nothing to remove.")
    return ALL_AS_EXPECTED


def _say(line: str) -> None:
    print(line, flush=True)
