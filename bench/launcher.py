"""What ./regression.py adds to a start: measured against starting helpers.cli.main directly.

Run it with the environment's Python: .venv/bin/python bench/launcher.py [RUNS]
Both are started in turn, with a command line interface that does nothing, so that the noise of
the machine meets both alike. The launcher's share is one more start of an interpreter, which
is shown as well, and the few checks it makes. --help, that of a command, and --list of the
project itself come last.
"""

from __future__ import annotations

import os
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
BAR = 50.0  # milliseconds
HELP_BAR = 200.0
HELPS = ("--help", "explore --help")
FEW = 5


def copy_of_launcher(folder: Path) -> None:
    """The launcher and the pins in a folder of their own, in front of an empty interface."""
    for name in ("regression.py", "pyproject.toml", "constraints.txt"):
        shutil.copy(ROOT / name, folder)
    for package in ("helpers", "pipelines"):  # the latter has the lock of a set-up
        (folder / package).mkdir()
        for path in (ROOT / package).glob("*.py"):
            shutil.copy(path, folder / package)
    (folder / "helpers" / "cli.py").write_text("")


def milliseconds(command: list[str], variables: dict[str, str]) -> float:
    """How long a command takes."""
    started = time.perf_counter()
    subprocess.run(command, env=variables, check=True, stdout=subprocess.DEVNULL)
    return (time.perf_counter() - started) * 1000


def start_times(runs: int, own: dict[str, str]) -> dict[str, list[float]]:
    """How long a bare interpreter, the interface and the launcher take to start, in turn."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        copy_of_launcher(folder)
        variables = {**own, "PYTHONPATH": name}
        commands = {
            "interpreter": [sys.executable, "-c", "pass"],
            "direct": [sys.executable, "-P", "-m", "helpers.cli.main"],
            "launched": [sys.executable, str(folder / "regression.py")],
        }
        for command in commands.values():  # writes the stamp, if it was not there, and warms up
            milliseconds(command, variables)
        times: dict[str, list[float]] = {title: [] for title in commands}
        for _ in range(runs):
            for title, command in commands.items():
                times[title].append(milliseconds(command, variables))
    return times


def main() -> int:
    own = {**os.environ, "REGRESSION_VENV": sys.prefix}
    times = start_times(int(sys.argv[1]) if sys.argv[1:] else 100, own)
    for title, values in times.items():
        print(f"{title:<12} median {statistics.median(values):6.1f} ms, best {min(values):6.1f} ms")
    pairs = list(zip(times["launched"], times["direct"], times["interpreter"], strict=True))
    added = statistics.median(launched - direct for launched, direct, _ in pairs)
    itself = statistics.median(launched - direct - bare for launched, direct, bare in pairs)
    print(
        f"added by the launcher: {added:.1f} ms (bar {BAR:.0f} ms), of which its own work {itself:.1f} ms"
    )
    print(f"launched / direct: {statistics.median(a / b for a, b, _ in pairs):.2f}")
    launcher = [sys.executable, str(ROOT / "regression.py")]
    shown = {
        line: statistics.median(milliseconds([*launcher, *line.split()], own) for _ in range(FEW))
        for line in (*HELPS, "--list")
    }
    for line, took in shown.items():
        print(f"{line}: {took:.0f} ms" + (f" (bar {HELP_BAR:.0f} ms)" if line in HELPS else ""))
    return 0 if added <= BAR and max(shown[line] for line in HELPS) <= HELP_BAR else 1


if __name__ == "__main__":
    sys.exit(main())
