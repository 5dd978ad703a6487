"""Which sources a run was made from: the commit, and the version of the project."""

from __future__ import annotations

import subprocess
import tomllib

from helpers.paths import ROOT


def commit(root: str = str(ROOT)) -> str | None:
    """The commit that is checked out, marked if files differ from it; None outside a repository."""
    try:
        head = _git(root, "rev-parse", "HEAD")
        changed = _git(root, "status", "--porcelain", "--untracked-files=no")
    except (OSError, subprocess.SubprocessError):
        return None
    return f"{head}-changed" if changed else head


def version() -> str:
    """The version of the project, as pyproject.toml says it."""
    with (ROOT / "pyproject.toml").open("rb") as file:
        return str(tomllib.load(file)["project"]["version"])


def _git(root: str, *arguments: str) -> str:
    done = subprocess.run(
        ["git", "-C", root, *arguments], capture_output=True, check=True, text=True, timeout=20
    )
    return done.stdout.strip()
