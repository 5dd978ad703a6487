"""Where the project's own folders are, and how a path is shown."""

import os
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
SCENARIOS = ROOT / "scenarios"
CONFIGS = ROOT / "configs"
COMPOSE = ROOT / "docker-compose"
ENGINES = ROOT / ".engines"
RESULTS = ROOT / "results"
DEVIATIONS = ROOT / "docs" / "deviations.md"


def launcher() -> str:
    """How ./regression.py is called from the working directory, not quoted for a shell."""
    path = from_here(ROOT / "regression.py")
    return path if os.sep in path else f"./{path}"


def from_here(path: Path | str) -> str:
    """A path as somebody in the working directory would type it: relative where that is not longer."""
    try:
        relative = os.path.relpath(path)
    except (OSError, ValueError):  # the working directory is gone
        return str(path)
    return min((relative, str(path)), key=len)
