"""What constraints.txt pins, stage by stage, and whether given folders have it."""

# pathlib alone would cost 12 ms a start.
# ruff: noqa: PTH118, PTH123, PTH208

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Mapping

from helpers.setup.virtualenv import PINS, STAGES

PINNED = re.compile(r"([A-Za-z0-9._-]+)==([^\s;,#]+)(?:\s+#\s*(\d+) MB)?")
INSTALLED = re.compile(r"(.+?)-([^-]+)(?:-py[0-9.]+)?\.(?:dist|egg)-info")
BUILD = "build"
"""The section of what packages are built with that are published as source."""
LEAST_SIZE = 1  # what a package counts in the progress of a set-up, in MB

Pins = dict[str, tuple[str, int]]
"""Normal name → version, and MB to download."""


def sections(root: str) -> dict[str, Pins]:
    """The pins of every section of constraints.txt; ValueError if the file cannot be read."""
    path = os.path.join(root, PINS)
    found: dict[str, Pins] = {name: {} for name in (BUILD, *STAGES)}
    section: Pins | None = None
    with open(path, encoding="utf-8") as file:
        for number, line in enumerate(map(str.strip, file), start=1):
            if line.startswith("#"):
                section = found.get(line[1:].strip(), section)
            elif line:
                pin = PINNED.fullmatch(line)
                if pin is None or section is None:
                    what = "is no pin like name==1.0" if section is not None else "has no section"
                    raise ValueError(f"{path}:{number}: {line!r} {what}; correct it")
                section[normal(pin[1])] = pin[2], int(pin[3] or LEAST_SIZE)
    return found


def wanted(root: str, stage: str) -> list[str]:
    """What pip is asked for in one stage."""
    return [f"{name}=={version}" for name, (version, _) in sections(root)[stage].items()]


def sizes(root: str, stage: str) -> dict[str, int]:
    """The packages of a stage: normal name → MB to download."""
    return {name: size for name, (_, size) in sections(root)[stage].items()}


def missing(root: str, stage: str, have: Mapping[str, str]) -> list[str]:
    """What these distributions lack for this stage and those before it."""
    stages = STAGES[: STAGES.index(stage) + 1] if stage in STAGES else (stage,)
    pins = [pin for each in stages for pin in sections(root)[each].items()]
    return [f"{name}=={version}" for name, (version, _) in pins if have.get(name) != version]


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


def normal(name: str) -> str:
    """The one spelling of a distribution's name."""
    return re.sub(r"[-_.]+", "-", name).lower()
