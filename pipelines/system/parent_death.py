"""Run a program that the kernel kills when its parent ends: `parent_death.py PARENT_PID PROGRAM ARG…`.

A separate step before the program itself: the request has to be made from inside the child, and
making it between fork and exec is not safe in a process with threads.
"""

import ctypes
import os
import signal
import sys
from collections.abc import Sequence

PR_SET_PDEATHSIG = 1


def bound(command: Sequence[str | os.PathLike[str]]) -> list[str | os.PathLike[str]]:
    """The command that starts a program bound to the thread that starts it."""
    return [sys.executable, "-IS", __file__, str(os.getpid()), *command]


def main(parent: int, command: list[str]) -> None:
    ctypes.CDLL(None).prctl(PR_SET_PDEATHSIG, signal.SIGKILL, 0, 0, 0)
    if os.getppid() != parent:
        sys.exit(1)  # it ended before the request reached the kernel
    os.execv(command[0], command)


if __name__ == "__main__":
    main(int(sys.argv[1]), sys.argv[2:])
