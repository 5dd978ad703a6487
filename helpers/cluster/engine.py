"""Which ClickHouse a node runs: engines come as wheels, one folder a version.

The default one is installed with the project. Another one (`--clickhouse-version 26.7`) is installed
on first use into `.engines/`, beside and not over it, so that two versions can run side by side.
"""

from __future__ import annotations

import fcntl
import importlib.metadata
import importlib.util
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from helpers.errors import EnvironmentFailed, UsageError
from helpers.paths import ENGINES

DISTRIBUTION = "chdb-core"
# Engines that can open listeners, newest first: what they are asked for by, and their wheel.
KNOWN = ("26.9.0", "26.7.3", "26.7.0")
LIBRARY = "_chdb.abi3.so"


@dataclass(frozen=True)
class Engine:
    """A ClickHouse that can be started."""

    version: str
    folder: Path


def default_version() -> str:
    """The wheel that the project is pinned to."""
    try:
        return importlib.metadata.version(DISTRIBUTION)
    except importlib.metadata.PackageNotFoundError:
        raise EnvironmentFailed(
            f"The package {DISTRIBUTION} (ClickHouse as a wheel) is not installed here; "
            "run ./regression.py, which sets itself up, instead of a module of it."
        ) from None


def resolve_version(asked: str | None) -> str:
    """'26.7' → '26.7.3'; a version we do not know is taken as it is, if it is complete."""
    if asked is None:
        return default_version()
    if not re.fullmatch(r"\d+\.\d+(\.\d+)?", asked):
        raise UsageError(
            f"--clickhouse-version {asked!r} is not a version: give one such as "
            f"{', '.join(KNOWN)} or its first two numbers."
        )
    for known in KNOWN:
        if known == asked or known.startswith(asked + "."):
            return known
    if asked.count(".") == 2 and tuple(map(int, asked.split("."))) > (26, 7, 0):
        return asked
    raise UsageError(
        f"There is no engine for --clickhouse-version {asked}: known are {', '.join(KNOWN)}; "
        "engines before 26.7 cannot listen for clients."
    )


def find_engine(asked: str | None = None, say: Callable[[str], None] = print) -> Engine:
    """The engine for this version, installed if need be."""
    version = resolve_version(asked)
    if version == default_version():
        spec = importlib.util.find_spec("chdb")
        assert spec is not None and spec.origin is not None
        folder = Path(spec.origin).parent
    else:
        folder = _installed(version, say)
    if not (folder / LIBRARY).is_file():
        raise EnvironmentFailed(
            f"The engine {version} lacks {LIBRARY}: the wheel is damaged. Remove "
            f"{folder.parent} and run again."
        )
    return Engine(version, folder)


def _installed(version: str, say: Callable[[str], None]) -> Path:
    target = ENGINES / f"{DISTRIBUTION}-{version}"
    if (target / "chdb" / LIBRARY).is_file():
        return target / "chdb"
    ENGINES.mkdir(exist_ok=True)
    with (ENGINES / "lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not (target / "chdb" / LIBRARY).is_file():
            say(f"Installing ClickHouse {version} ({DISTRIBUTION}, about 180 MB) into .engines …")
            _install(version, target)
    return target / "chdb"


def _install(version: str, target: Path) -> None:
    """All of it or nothing: installed beside and renamed when complete."""
    partial = target.with_name(target.name + ".partial")
    shutil.rmtree(partial, ignore_errors=True)
    pip = subprocess.run(
        [
            *(sys.executable, "-m", "pip", "install", "--quiet", "--no-deps"),
            *("--target", str(partial), f"{DISTRIBUTION}=={version}"),
        ],
        capture_output=True,
        text=True,
        env={**os.environ, "PIP_DISABLE_PIP_VERSION_CHECK": "1"},
    )
    if pip.returncode == 0:
        shutil.rmtree(target, ignore_errors=True)  # one that lost its library
        partial.rename(target)
        return
    shutil.rmtree(partial, ignore_errors=True)
    if "No matching distribution" in pip.stderr and "from versions: none" not in pip.stderr:
        raise UsageError(
            f"There is no {DISTRIBUTION} {version} to install: known are {', '.join(KNOWN)}."
        )
    last = pip.stderr.strip().splitlines()[-1:] or ["pip said nothing"]
    raise EnvironmentFailed(
        f"ClickHouse {version} could not be installed: {last[0]} "
        "Is the package index reachable, and is there disk space?"
    )
