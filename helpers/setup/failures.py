"""Why a set-up failed, in words that say what to do."""

from __future__ import annotations

import errno
import os
from pathlib import Path

from helpers.base.errors import EnvironmentFailed

WITHOUT_NETWORK = (
    "Check the network and the proxy (HTTPS_PROXY), name a package index that can be reached "
    "(PIP_INDEX_URL), or install from a folder of packages "
    "(PIP_NO_INDEX=1 PIP_FIND_LINKS=/folder); then start again."
)


def failed(what: str, code: int, output: str, venv: Path, advice: str) -> EnvironmentFailed:
    """An error that shows the last output of the tool and what to do."""
    if "No space left on device" in output:
        return explained(OSError(errno.ENOSPC, os.strerror(errno.ENOSPC)), venv)
    what += f" ended with exit code {code}"
    lines = [line for line in output.splitlines() if line.strip()]
    _, broken, reason = output.rpartition("connection broken by ")
    if broken:
        # What pip concludes from a missing index is misleading, what it met is not.
        what, lines = "pip could not reach the package index", reason.splitlines()[:1]
    shown = "".join(f"\n    {line[:300]}" for line in lines[-8:])
    return EnvironmentFailed(f"set-up failed: {what}:{shown}\n{advice}".rstrip())


def explained(error: OSError, venv: Path) -> EnvironmentFailed:
    """What the operating system refused, with the way around it."""
    advice = "name a folder that can be written in REGRESSION_VENV, or make this one writable"
    if error.errno == errno.ENOSPC:
        advice = (
            "set-up takes 2 GB there and as much again while it installs: make room, or name another "
            "folder in REGRESSION_VENV"
        )
    where = error.filename or venv
    return EnvironmentFailed(f"set-up of {venv} failed: {error.strerror} ({where}); {advice}")
