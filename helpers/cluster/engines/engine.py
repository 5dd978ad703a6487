"""Which ClickHouse a node runs: engines come as wheels, one folder a version.

The default one is installed with the project. Another one (`--clickhouse-version 26.7`) is installed
on first use into `.engines/`, beside and not over it, so that two versions can run side by side.
"""

from __future__ import annotations

import importlib.metadata
import importlib.util
import re
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from helpers.base.errors import EnvironmentFailed, UsageError, nearest
from helpers.base.versions import numbers
from helpers.cluster.engines.wheels import LISTENING, NoSuchWheel, Wheel, install

# The wheels whose engines can open listeners, newest first.
KNOWN = ("26.9.0", "26.7.3", "26.7.0")
LIBRARY = "_chdb.abi3.so"


@dataclass(frozen=True)
class Engine:
    """A ClickHouse that can be started."""

    version: str
    folder: Path

    def __str__(self) -> str:
        """The wheel; its version is not that of the ClickHouse in it."""
        return f"{LISTENING} {self.version}"


def default_version() -> str:
    """The wheel that the project is pinned to."""
    try:
        return importlib.metadata.version(LISTENING)
    except importlib.metadata.PackageNotFoundError:
        raise EnvironmentFailed(
            f"The package {LISTENING} (ClickHouse as a wheel) is not installed here; "
            "run ./regression.py, which sets itself up, instead of a module of it."
        ) from None


def default_folder() -> Path:
    """Where the engine is that was installed with the project."""
    spec = importlib.util.find_spec("chdb")
    assert spec is not None and spec.origin is not None
    return Path(spec.origin).parent


def resolve_version(requested: str | None) -> str:
    """'26.7' → '26.7.3'; a version we do not know is taken as it is, if it is complete."""
    if requested is None:
        return default_version()
    if not re.fullmatch(r"\d+\.\d+(\.\d+)?", requested):
        raise UsageError(
            f"--clickhouse-version {requested!r} is not a version: give one such as "
            f"{', '.join(KNOWN)} or its first two numbers."
        )
    for known in KNOWN:
        if known == requested or known.startswith(requested + "."):
            return known
    if requested.count(".") == 2 and numbers(requested) > (26, 7, 0):
        return requested
    too_old = numbers(requested) < (26, 7)
    why = "; engines before 26.7 cannot listen for clients" if too_old else ""
    raise UsageError(
        f"There is no engine for --clickhouse-version {requested}: known are {', '.join(KNOWN)}{why}."
        + nearest(requested, KNOWN)
    )


def find_engine(requested: str | None, say: Callable[[str], None] = print) -> Engine:
    """The engine for this version, installed if need be."""
    version = resolve_version(requested)
    if version == default_version():
        folder = default_folder()
    else:
        try:
            folder = install(Wheel(LISTENING, version), say)
        except NoSuchWheel as missing:
            raise UsageError(f"{missing} Known are {', '.join(KNOWN)}.") from None
    if not (folder / LIBRARY).is_file():
        raise EnvironmentFailed(
            f"The engine {version} lacks {LIBRARY}: the wheel is damaged. Remove "
            f"{folder.parent} and run again."
        )
    return Engine(version, folder)
