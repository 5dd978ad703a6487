"""Run a program that the kernel kills when its parent ends: `leash.py PARENT_PID PROGRAM ARG…`.

A separate step before the program itself, because the wish has to be told to the kernel from inside
the child, and doing that between fork and exec is not safe in a process with threads.
"""

import ctypes
import os
import signal
import sys

PR_SET_PDEATHSIG = 1


def main(parent: int, command: "list[str]") -> None:
    ctypes.CDLL(None).prctl(PR_SET_PDEATHSIG, signal.SIGKILL, 0, 0, 0)
    if os.getppid() != parent:
        sys.exit(1)  # it ended before the kernel knew our wish
    os.execv(command[0], command)


if __name__ == "__main__":
    main(int(sys.argv[1]), sys.argv[2:])
