"""What the last commit changed: acceptances before it, and the files it touched."""

from __future__ import annotations

import json
import subprocess
from collections.abc import Mapping
from pathlib import Path
from typing import NamedTuple

FILE = Path("requirements") / "accepted.json"


class Earlier(NamedTuple):
    """The hashes that were accepted before, and the files that changed since then."""

    hashes: Mapping[str, str]
    changed: frozenset[str]


def read_earlier(root: Path) -> Earlier | None:
    """The state before what is not committed, or else before the last commit; None without a repository."""
    try:
        top = Path(_git(root, "rev-parse", "--show-toplevel").strip())
        if top.resolve() != root.resolve():
            return None
        now = _git(root, "diff", "--name-only", "HEAD").splitlines()
        before = "HEAD" if FILE.as_posix() in now else "HEAD~1"
        changed = (
            now if before == "HEAD" else _git(root, "diff", "--name-only", "HEAD~1").splitlines()
        )
        record = json.loads(_git(root, "show", f"{before}:{FILE.as_posix()}"))
        return Earlier(
            {name: str(entry["hash"]) for name, entry in record.items()}, frozenset(changed)
        )
    except (OSError, subprocess.SubprocessError, ValueError, KeyError, TypeError, AttributeError):
        return None


def author(root: Path) -> str:
    """The name under which commits are made here; empty if nobody has said."""
    try:
        return _git(root, "config", "user.name").strip()
    except (OSError, subprocess.SubprocessError):
        return ""


def _git(root: Path, *arguments: str) -> str:
    command = ["git", "-C", str(root), *arguments]
    return subprocess.run(command, capture_output=True, check=True, text=True, timeout=20).stdout
