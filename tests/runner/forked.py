"""Commands executed by children of one process that has imported the framework already.

Starting Python and importing takes two thirds of what a small run costs, and hundreds of tests make one. What
is about the process itself (signals, terminals, variables that Python reads) starts a real one.
"""

from __future__ import annotations

import atexit
import functools
import json
import os
import select
import signal
import subprocess
import sys
import traceback
from pathlib import Path
from typing import Any

from helpers.base.paths import ROOT


class Forker:
    """The process whose children execute commands, one after the other."""

    def __init__(self) -> None:
        self._process = subprocess.Popen(
            [sys.executable, "-m", "tests.runner.forked"],
            cwd=ROOT,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
        )
        atexit.register(self._process.kill)

    def execute(self, arguments: list[str], out: Path, err: Path, seconds: float) -> int:
        """Execute a command with its output in these files; its exit code."""
        assert self._process.stdin and self._process.stdout
        request = {
            "arguments": arguments,
            "out": str(out),
            "err": str(err),
            "env": dict(os.environ),
        }
        self._process.stdin.write(json.dumps(request).encode() + b"\n")
        self._process.stdin.flush()
        ready, _, _ = select.select([self._process.stdout], [], [], seconds)
        if not ready:
            self._process.kill()
            forker.cache_clear()
            raise subprocess.TimeoutExpired(arguments, seconds, out.read_bytes(), err.read_bytes())
        return int(self._process.stdout.readline())


@functools.cache
def forker() -> Forker:
    """The one of this process."""
    return Forker()


def _serve() -> None:
    import helpers.cli.run
    import helpers.cli.sensitivity  # noqa: F401

    while line := sys.stdin.readline():
        child = os.fork()
        if child == 0:
            _become(json.loads(line))
        print(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]), flush=True)


def _become(request: dict[str, Any]) -> None:
    """Be the process of this command, as if it had just been started."""
    from helpers.cli import main as cli

    flags = os.O_WRONLY | os.O_CREAT | os.O_TRUNC
    for number, file in ((0, os.devnull), (1, request["out"]), (2, request["err"])):
        opened = os.open(file, os.O_RDONLY if number == 0 else flags, 0o600)
        os.dup2(opened, number)
        os.close(opened)
    signal.signal(signal.SIGINT, signal.default_int_handler)
    os.environ.clear()
    os.environ.update(request["env"])
    code = 1
    try:
        code = cli.main(request["arguments"])
    except BaseException:
        traceback.print_exc()
    finally:
        sys.stdout.flush()
        sys.stderr.flush()
        os._exit(code)


if __name__ == "__main__":
    _serve()
