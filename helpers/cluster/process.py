"""Child processes that never outlive us: started, watched and ended in one place.

Every child is on a leash (leash.py): the kernel kills it when the thread that started it ends, so
that even a `kill -9` of this process leaves nothing running. That is why all of them are started by
one thread which lives as long as the process does, whatever thread asks for them.
"""

from __future__ import annotations

import contextlib
import os
import signal
import subprocess
import sys
import time
from collections.abc import Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from helpers.timeouts import scaled

LEASH = Path(__file__).with_name("leash.py")
_starter = ThreadPoolExecutor(max_workers=1, thread_name_prefix="starter")


class Child:
    """One running program with its output in a file."""

    def __init__(self, popen: subprocess.Popen[bytes], output: Path) -> None:
        self._popen = popen
        self.output = output

    @property
    def pid(self) -> int:
        return self._popen.pid

    @property
    def alive(self) -> bool:
        return self._popen.poll() is None

    @property
    def ending(self) -> str:
        """How it ended, in words."""
        code = self._popen.poll()
        if code is None:
            return "still running"
        if code < 0:
            return f"killed by {signal.Signals(-code).name}"
        return f"ended with exit code {code}"

    def signal(self, number: signal.Signals) -> None:
        with contextlib.suppress(ProcessLookupError):
            self._popen.send_signal(number)

    def wait(self, seconds: float) -> bool:
        """Whether it ended within this time."""
        try:
            self._popen.wait(timeout=seconds)
        except subprocess.TimeoutExpired:
            return False
        return True

    def kill(self) -> None:
        """End it now, frozen or not, and collect it."""
        self.signal(signal.SIGKILL)
        self._popen.wait()

    def last_output(self, lines: int = 10) -> str:
        return tail(self.output, lines)


def start(
    command: Sequence[str | os.PathLike[str]],
    *,
    cwd: Path,
    output: Path,
    env: Mapping[str, str] | None = None,
    pass_fds: Sequence[int] = (),
    stdin: int = subprocess.DEVNULL,
) -> Child:
    """Start a program in its own session, its output appended to a file."""
    leashed = [sys.executable, "-I", "-S", LEASH, str(os.getpid()), *command]

    def spawn() -> subprocess.Popen[bytes]:
        with output.open("ab") as sink:
            return subprocess.Popen(
                leashed,
                cwd=cwd,
                env=dict(env) if env is not None else None,
                stdin=stdin,
                stdout=sink,
                stderr=subprocess.STDOUT,
                # A server that shuts down signals its whole process group: it gets its own.
                start_new_session=True,
                pass_fds=tuple(pass_fds),
            )

    return Child(_starter.submit(spawn).result(), output)


def tail(file: Path, lines: int) -> str:
    """The last lines of a log, however long it is."""
    try:
        with file.open("rb") as stream:
            stream.seek(0, os.SEEK_END)
            stream.seek(max(0, stream.tell() - 200 * lines - 2000))
            text = stream.read().decode("utf-8", "replace")
    except FileNotFoundError:
        return ""
    return "\n".join(text.splitlines()[-lines:])


def process_is(pid: int, started: float) -> bool:
    """Whether this pid is still the process that started then (and not a later one)."""
    return abs(start_time(pid) - started) < 0.02


def start_time(pid: int) -> float:
    """Seconds since boot when this process started; 0 where there is no such process."""
    try:
        fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    except OSError:
        return 0.0
    if fields[0] == "Z":
        return 0.0
    return int(fields[19]) / os.sysconf("SC_CLK_TCK")


def wait_until_gone(pid: int, started: float, seconds: float) -> bool:
    """Whether a process that is not our child ended within this time."""
    deadline = time.monotonic() + scaled(seconds)
    while process_is(pid, started):
        if time.monotonic() > deadline:
            return False
        time.sleep(0.02)
    return True
