#!/usr/bin/env python3
"""The front door: sets itself up on first use, then hands the command line to helpers.cli."""

import os
import sys

ROOT = os.path.dirname(os.path.realpath(__file__))  # noqa: PTH120 - pathlib costs 12 ms a start
sys.path.insert(0, ROOT)

from helpers.bootstrap import environment, prepare  # noqa: E402

if __name__ == "__main__":
    python = prepare(ROOT, "run")
    # -P: the user's working directory must not shadow the project's modules.
    os.execve(python, [python, "-P", "-m", "helpers.cli", *sys.argv[1:]], environment(ROOT))
