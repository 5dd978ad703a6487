"""Programs for tests of `--env binary`: the installed server, and scripts that stand in for others."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from helpers.cluster.binary.program import find_server

INSTALLED = find_server()
MISSING = "no clickhouse-server is installed here (.ci/packages installs it)"
# On CI a test that cannot run has to fail: nobody reads a list of skipped ones there.
needs_binary = pytest.mark.skipif(INSTALLED is None and not os.environ.get("CI"), reason=MISSING)


def installed() -> Path:
    assert INSTALLED is not None, MISSING
    return INSTALLED


def script(file: Path, text: str) -> Path:
    """An executable shell script."""
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(f"#!/bin/sh\n{text}\n")
    file.chmod(0o755)
    return file


def multi_call(folder: Path) -> Path:
    """A `clickhouse` whose command `server` is the installed server, and which knows no other."""
    return script(
        folder / "clickhouse",
        f'[ "$1" = server ] || {{ echo "unknown command $1" >&2; exit 1; }}\nshift\nexec {installed()} "$@"',
    )
