"""The folder of the project's virtual environment, and whether it is set up for what is pinned.

Python 3.6 must be able to read this file, as helpers.setup.bootstrap, which imports it at every start.
"""

# pathlib alone would cost 12 ms a start.
# ruff: noqa: PTH100, PTH118, PTH119, PTH123

import os
import sys

SUPPORTED = ((3, 11), (3, 12), (3, 13))
# What is installed one after the other; each needs those before it. A run installs "spark" while it runs.
STAGES = ("run", "spark", "dev")
PINS = "constraints.txt"
USAGE = 2


def location(root: str) -> str:
    """The folder of the project's own virtual environment."""
    return os.path.abspath(os.environ.get("REGRESSION_VENV") or os.path.join(root, ".venv"))


def python_of(venv: str) -> str:
    """The interpreter of a virtual environment."""
    return os.path.join(venv, "bin", "python")


def stamp_of(venv: str, stage: str) -> str:
    """The file that records what a stage was set up for; it is written last."""
    return os.path.join(venv, "regression-" + stage + ".stamp")


def is_current(root: str, venv: str, stage: str) -> bool:
    """Whether the environment was set up completely, for these pins and with this interpreter."""
    try:
        with open(stamp_of(venv, stage), "rb") as file:
            stamp = file.read()
        return stamp == expected_stamp(root, venv) and os.access(python_of(venv), os.X_OK)
    except OSError:
        return False


def expected_stamp(root: str, venv: str) -> bytes:
    """The interpreter and the text of the pins: comparing them is faster than hashing."""
    with open(os.path.join(root, PINS), "rb") as file:
        return os.fsencode(os.path.realpath(python_of(venv))) + b"\n" + file.read()


def dotted(version: "tuple[int, ...]") -> str:
    """3.11 rather than (3, 11)."""
    return ".".join(str(number) for number in version)


def complaint(text: str, code: int) -> int:
    """Print an error; returns the exit code."""
    sys.stderr.write(f"{os.path.basename(sys.argv[0])}: {text}\n")
    return code
