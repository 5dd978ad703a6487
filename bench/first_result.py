"""The time to the first result on a fresh machine, against that of a whole set-up, in one measurement.

    python3 bench/first_result.py

The whole set-up is what pip takes by itself: a virtual environment, and all that constraints.txt pins. Both
install into temporary folders, with empty caches: 1.7 GB are fetched.
"""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
BAR = 60 / 138
ONLY = "/replace partition/statement/keep data"


def variables(folder: Path) -> dict[str, str]:
    """As of a new user."""
    (folder / "home").mkdir(parents=True)
    own = {**os.environ, "HOME": str(folder / "home"), "REGRESSION_VENV": str(folder / "venv")}
    return {**own, "PYTHONPATH": str(ROOT)}


def first_result(folder: Path) -> tuple[float, float]:
    """Seconds to the first result, and those that the packages of Spark take after the run."""
    own = variables(folder)
    command = [sys.executable, str(ROOT / "regression.py"), "--only", ONLY]
    started = time.monotonic()
    with subprocess.Popen(
        [*command, "--results", str(folder / "results")], env=own, stdout=subprocess.PIPE, text=True
    ) as run:
        assert run.stdout is not None
        first = next(time.monotonic() - started for line in run.stdout if line.startswith("[1/"))
        run.stdout.read()
    assert run.returncode == 0
    started = time.monotonic()
    later = [str(folder / "venv/bin/python"), "-P", "-m", "helpers.setup.later"]
    subprocess.run(later, env=own, cwd=ROOT, check=True, stderr=subprocess.DEVNULL)
    return first, time.monotonic() - started


def whole_set_up(folder: Path) -> float:
    own = variables(folder)
    started = time.monotonic()
    subprocess.run([sys.executable, "-m", "venv", str(folder / "venv")], env=own, check=True)
    pip = [str(folder / "venv/bin/python"), "-m", "pip", "install", "-q", "-r"]
    subprocess.run([*pip, str(ROOT / "constraints.txt")], env=own, check=True)
    return time.monotonic() - started


def main() -> int:
    with tempfile.TemporaryDirectory(prefix="first-result-") as folder:
        first, spark = first_result(Path(folder, "ours"))
        whole = whole_set_up(Path(folder, "pip"))
    print(
        f"first result {first:.1f} s, packages of Spark {spark:.1f} s more, all by pip {whole:.1f} s"
    )
    print(f"first result / all by pip: {first / whole:.2f} (bar {BAR:.2f})")
    return int(first / whole > BAR)


if __name__ == "__main__":
    sys.exit(main())
