"""Child processes that never outlive us: started, watched and ended in one place.

The kernel kills every child when the thread that started it ends (pipelines.system.parent_death), so that
even a `kill -9` of this process leaves nothing running. That is why all of them are started by
one thread which lives as long as the process does, whatever thread asks for them.
"""

from __future__ import annotations

import contextlib
import os
import signal
import subprocess
from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from helpers.base.errors import EnvironmentFailed, NotReadyInTime
from helpers.base.time_limits import scaled
from pipelines.system import parent_death
from pipelines.system.waiting import poll

_starter = ThreadPoolExecutor(max_workers=1, thread_name_prefix="starter")
_started: set[int] = set()

STOP_SECONDS = 30.0
RUN_MARK = "REGRESSION_RUN"
"""The variable that all processes of a run inherit: what it belongs to."""


class Program(ABC):
    """One running program, whatever holds it: a process of ours or a container."""

    @property
    @abstractmethod
    def pid(self) -> int: ...

    @property
    @abstractmethod
    def alive(self) -> bool: ...

    @property
    @abstractmethod
    def ending(self) -> str:
        """How it ended, in words."""

    @abstractmethod
    def signal(self, number: signal.Signals) -> None:
        """Send a signal; nothing happens if the program has ended."""

    @abstractmethod
    def wait(self, seconds: float) -> bool:
        """Whether it ended within this time."""

    @abstractmethod
    def kill(self) -> None:
        """Kill it, frozen or not, and wait for its end."""

    @abstractmethod
    def last_output(self, lines: int = 10) -> str: ...

    def wait_until_ready(
        self,
        name: str,
        ask: Callable[[], object],
        seconds: float,
        *,
        not_yet: tuple[type[Exception], ...],
        log: Path | None = None,
    ) -> None:
        """Ask until nothing is raised; an exit code proves nothing.

        Kills it and raises EnvironmentFailed, with the end of its output and log, if it ends or time runs
        out (NotReadyInTime) before that.
        """
        reason = "none"

        def answers() -> bool:
            nonlocal reason
            try:
                ask()
            except not_yet as error:
                reason = (str(error) or type(error).__name__).splitlines()[0]
                return False
            return True

        if not poll(answers, scaled(seconds), pause=0.01, give_up=lambda: not self.alive):
            ending, failure = self.ending, NotReadyInTime if self.alive else EnvironmentFailed
            self.kill()
            raise failure(
                f"{name} did not come up ({ending}; last answer: {reason}). Its last output:\n"
                f"{self.last_output()}\n{tail(log, 5) if log else ''}".rstrip()
            )


class Child(Program):
    """A process of ours with its output in a file."""

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
        code = self._popen.poll()
        if code is None:
            return "still running"
        if code < 0:
            return f"killed by {signal.Signals(-code).name}"
        return f"ended with exit code {code}"

    def signal(self, number: signal.Signals) -> None:
        with contextlib.suppress(ProcessLookupError, ChildProcessError):
            self._popen.send_signal(number)
            if number == signal.SIGSTOP:
                # The other threads run on until one of them has handled the signal.
                poll(self._has_stopped, scaled(STOP_SECONDS), pause=0.001)

    def _has_stopped(self) -> bool:
        """Whether all of its threads are stopped, or it has ended."""
        what = os.WSTOPPED | os.WEXITED | os.WNOHANG | os.WNOWAIT
        return os.waitid(os.P_PID, self.pid, what) is not None

    def wait(self, seconds: float) -> bool:
        try:
            self._popen.wait(timeout=seconds)
        except subprocess.TimeoutExpired:
            return False
        return True

    def kill(self) -> None:
        """Its whole process group: the program may run below a script."""
        if self.alive:
            with contextlib.suppress(ProcessLookupError):
                os.killpg(self.pid, signal.SIGKILL)
        self._popen.wait()

    def last_output(self, lines: int = 10) -> str:
        return tail(self.output, lines)


class HasProcess:
    """An object that has at most one running program."""

    _child: Program | None = None

    @property
    def running(self) -> bool:
        return self._child is not None and self._child.alive

    @property
    def pid(self) -> int | None:
        return self._child.pid if self._child is not None and self._child.alive else None


def start(
    command: Sequence[str | os.PathLike[str]],
    *,
    cwd: Path,
    output: Path,
    env: Mapping[str, str] | None = None,
    pass_fds: Sequence[int] = (),
    stdin: int = subprocess.DEVNULL,
    stdout: int | None = None,
) -> Child:
    """Start a program in its own session, its output appended to a file unless `stdout` is given."""
    command = parent_death.bound(command)

    def spawn() -> subprocess.Popen[bytes]:
        with output.open("ab") as sink:
            popen = subprocess.Popen(
                command,
                cwd=cwd,
                env=dict(env) if env is not None else None,
                stdin=stdin,
                stdout=sink if stdout is None else stdout,
                stderr=subprocess.STDOUT,
                # A server that shuts down signals its whole process group: it gets its own.
                start_new_session=True,
                pass_fds=tuple(pass_fds),
            )
            _started.add(popen.pid)
            return popen

    return Child(_starter.submit(spawn).result(), output)


def start_survivor(command: Sequence[str | os.PathLike[str]], cwd: Path) -> subprocess.Popen[bytes]:
    """Start a program that outlives us on purpose: it is told by the end of its standard input, which
    the kernel closes however we end, that it has to tidy up after us.

    It gets no variables that mark it as a part of this run, which would be ended with the run.
    """
    popen = subprocess.Popen(
        command,
        cwd=cwd,
        stdin=subprocess.PIPE,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        start_new_session=True,
        env={name: value for name, value in os.environ.items() if name != RUN_MARK},
    )
    _started.add(popen.pid)
    return popen


def was_started_here(pid: int) -> bool:
    """Whether this is a program that `start` has started."""
    return pid in _started


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
    when = start_time(pid)
    return when > 0 and abs(when - started) < 0.02


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
    return poll(lambda: not process_is(pid, started), scaled(seconds))
