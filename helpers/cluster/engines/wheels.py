"""Wheels with a ClickHouse in them: which there are, and their installation into `.engines/`, each beside
and none over another."""

from __future__ import annotations

import importlib.util
import os
import shutil
import subprocess
import sys
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path

from helpers.base.errors import EnvironmentFailed
from helpers.base.paths import ENGINES
from helpers.setup.pip_install import pip
from pipelines.system import locks

LISTENING = "chdb-core"
"""The distribution whose engines can open listeners, from 26.7 on."""
LIBRARY = "_chdb*.so"


class NoSuchWheel(EnvironmentFailed):
    """The package index has no wheel of this version for this Python."""


@dataclass(frozen=True)
class Wheel:
    """A distribution of PyPI in one version."""

    distribution: str
    version: str

    def __str__(self) -> str:
        return f"{self.distribution} {self.version}"

    @property
    def target(self) -> Path:
        return ENGINES / f"{self.distribution}-{self.version}"

    @property
    def folder(self) -> Path:
        """Where its library is, once it is installed."""
        return self.target / "chdb"

    @property
    def is_installed(self) -> bool:
        return any(self.folder.glob(LIBRARY))

    @property
    def failure(self) -> Path:
        """The file with the reason why the last attempt to install it failed."""
        return self.target.with_name(f"{self.target.name}.failed")


# The ClickHouse that is in a wheel: one of each that PyPI has, oldest first.
BY_CLICKHOUSE: Mapping[str, Wheel] = {
    "23.10": Wheel("chdb", "1.4.1"),
    "24.8": Wheel("chdb", "3.1.2"),
    "25.8": Wheel("chdb", "3.7.2"),
    "26.1": Wheel(LISTENING, "26.1.0"),
    "26.3": Wheel(LISTENING, "26.3.0"),
    "26.5": Wheel(LISTENING, "26.5.0"),
    "26.7": Wheel(LISTENING, "26.7.3"),
    "26.9": Wheel(LISTENING, "26.9.0"),
}

# Its wheels are made for one version of Python each, and there is none for 3.13 and later.
OLDEST = "23.10"


def install(wheel: Wheel, say: Callable[[str], None]) -> Path:
    """The folder with the wheel's library, installed if need be."""
    if wheel.is_installed:
        return wheel.folder
    try:
        ENGINES.mkdir(exist_ok=True)
        with (ENGINES / "lock").open("w") as file:
            locks.lock(file)
            if not wheel.is_installed:
                say(f"Installing ClickHouse ({wheel}, about 180 MB) into .engines …")
                _install(wheel)
    except OSError as error:
        raise EnvironmentFailed(
            f"{wheel} cannot be installed into {ENGINES}: {error.strerror}. "
            "Make that folder writable, or use the default version."
        ) from None
    return wheel.folder


def _install(wheel: Wheel) -> None:
    """All of it or nothing: installed beside and renamed when complete."""
    partial = wheel.target.with_name(wheel.target.name + ".partial")
    shutil.rmtree(partial, ignore_errors=True)
    wanted = f"{wheel.distribution}=={wheel.version}"
    done = run_pip("install", "--quiet", "--no-deps", "--target", str(partial), wanted)
    if done.returncode == 0:
        shutil.rmtree(wheel.target, ignore_errors=True)  # one that lost its library
        partial.rename(wheel.target)
        return
    shutil.rmtree(partial, ignore_errors=True)
    if "No matching distribution" in done.stderr and "from versions: none" not in done.stderr:
        raise NoSuchWheel(f"There is no {wheel} to install, for this Python.")
    raise failure(f"{wheel} could not be installed", done)


def run_pip(*arguments: str, **variables: str) -> subprocess.CompletedProcess[str]:
    """Run pip with these environment variables beside ours."""
    return subprocess.run(
        [*pip(sys.executable, importlib.util.find_spec("pip") is not None), *arguments],
        capture_output=True,
        text=True,
        env={**os.environ, **variables, "PIP_DISABLE_PIP_VERSION_CHECK": "1"},
    )


def failure(what: str, done: subprocess.CompletedProcess[str]) -> EnvironmentFailed:
    """What could not be done, with the last line that pip wrote about it."""
    last = done.stderr.strip().splitlines()[-1:] or ["pip said nothing"]
    return EnvironmentFailed(
        f"{what}: {last[0]} Is the package index reachable, and is there disk space?"
    )
