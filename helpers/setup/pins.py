"""What pyproject.toml and constraints.txt pin, and whether given folders have it."""

# pathlib alone would cost 12 ms a start.
# ruff: noqa: PTH118, PTH123, PTH208

from __future__ import annotations

import os
import re
import tomllib
from collections.abc import Iterable, Mapping

from helpers.setup.virtualenv import PROFILES

EXACT = re.compile(r"([A-Za-z0-9._-]+)==([^\s;,]+)")
INSTALLED = re.compile(r"(.+?)-([^-]+)(?:-py[0-9.]+)?\.(?:dist|egg)-info")


def dependencies(root: str, profile: str) -> list[str]:
    """What pyproject.toml asks for, as it is written there; ValueError if it cannot be read."""
    path = os.path.join(root, "pyproject.toml")
    try:
        with open(path, "rb") as file:
            project = tomllib.load(file)["project"]
        extras = [project["optional-dependencies"][extra] for extra in PROFILES[profile]]
    except tomllib.TOMLDecodeError as error:
        raise ValueError(f"{path}: {error}; correct it and start again") from error
    except KeyError as error:
        raise ValueError(f"{path}: the entry {error} is missing; restore it") from error
    return [text for group in [project.get("dependencies", []), *extras] for text in group]


def constraints(root: str) -> dict[str, str]:
    """Every pin of constraints.txt: normal name → version."""
    with open(os.path.join(root, "constraints.txt"), encoding="utf-8") as file:
        lines = [line.strip() for line in file]
    return {normal(pin[1]): pin[2] for line in lines if (pin := EXACT.fullmatch(line))}


def other_constraints(root: str, profile: str) -> str:
    """The text of constraints.txt without what pyproject.toml pins itself.

    pip reports a package that it cannot find as a conflict if two places name it.
    """
    pinned = [EXACT.fullmatch(text) for text in dependencies(root, profile)]
    named = {normal(pin[1]) for pin in pinned if pin}
    with open(os.path.join(root, "constraints.txt"), encoding="utf-8") as file:
        return "".join(line for line in file if normal(line.split("==")[0]) not in named)


def installed(folders: Iterable[str]) -> dict[str, str]:
    """The distributions in these folders: normal name → version, the first folder wins.

    Reading folder names takes a fraction of what importlib.metadata takes only to be imported.
    """
    versions: dict[str, str] = {}
    for folder in folders:
        try:
            names = os.listdir(folder)
        except OSError:
            continue
        for name in names:
            if match := INSTALLED.fullmatch(name):
                versions.setdefault(normal(match[1]), match[2])
    return versions


def missing(root: str, profile: str, have: Mapping[str, str]) -> list[str]:
    """What pyproject.toml asks for and these distributions do not meet.

    What is not pinned exactly counts as missing: only pip can judge it.
    """
    pins = [(text, EXACT.fullmatch(text)) for text in dependencies(root, profile)]
    return [text for text, pin in pins if not pin or have.get(normal(pin[1])) != pin[2]]


def drifted(root: str, have: Mapping[str, str]) -> list[str]:
    """The installed distributions whose version is not the one constraints.txt pins."""
    pins = constraints(root).items()
    return [f"{name}=={version}" for name, version in pins if have.get(name, version) != version]


def normal(name: str) -> str:
    """The one spelling of a distribution's name."""
    return re.sub(r"[-_.]+", "-", name).lower()
