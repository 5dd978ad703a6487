"""The packages of Spark, half a gigabyte that most scenarios need not: installed while a run goes on.

As a program it installs them into the project's environment and ends with the exit code of a set-up.
"""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

from helpers.base.errors import EnvironmentFailed
from helpers.base.paths import ROOT
from helpers.setup import pins
from helpers.setup.provision import busy, doing, set_up
from helpers.setup.virtualenv import location

STAGE = "spark"
COMMAND = (sys.executable, "-P", "-m", "helpers.setup.later")


def are_missing() -> bool:
    """Whether this environment lacks them, or has what an interrupted set-up left of them."""
    have = pins.installed([path for path in sys.path if path.endswith("-packages")])
    return bool(pins.missing(str(ROOT), STAGE, have)) or busy(venv(), STAGE).exists()


def size() -> int:
    """How much is to be downloaded, in MB."""
    return sum(pins.sizes(str(ROOT), STAGE).values())


def progress() -> str:
    """What the set-up that runs now is doing."""
    return doing(venv())


def ensure(say: Callable[[str], None]) -> None:
    """Install them now if they are missing; progress is shown on stderr."""
    if are_missing():
        say(f"Installing the packages of Spark ({size()} MB), from which services are made.")
        if subprocess.run(COMMAND, cwd=ROOT).returncode:
            raise EnvironmentFailed("The packages of Spark could not be installed, as said above.")


def venv() -> Path:
    return Path(location(str(ROOT)))


if __name__ == "__main__":
    set_up(str(ROOT), str(venv()), STAGE)
