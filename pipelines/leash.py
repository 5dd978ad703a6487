"""Run a program that the kernel kills when its parent ends: `leash.py PARENT_PID PROGRAM ARG…`.

The wish has to be told to the kernel from inside the child, and the program need not know of it.
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
