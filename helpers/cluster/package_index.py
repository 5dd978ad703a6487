"""What is fetched by pip beside what the project has installed."""

from __future__ import annotations

import os
import subprocess
import sys

from helpers.errors import EnvironmentFailed


def run_pip(*arguments: str, **variables: str) -> subprocess.CompletedProcess[str]:
    """Run pip with these environment variables beside ours."""
    return subprocess.run(
        [sys.executable, "-m", "pip", *arguments],
        capture_output=True,
        text=True,
        env={**os.environ, **variables, "PIP_DISABLE_PIP_VERSION_CHECK": "1"},
    )


def failure(what: str, pip: subprocess.CompletedProcess[str]) -> EnvironmentFailed:
    """What could not be done, with the last line that pip wrote about it."""
    last = pip.stderr.strip().splitlines()[-1:] or ["pip said nothing"]
    return EnvironmentFailed(
        f"{what}: {last[0]} Is the package index reachable, and is there disk space?"
    )
