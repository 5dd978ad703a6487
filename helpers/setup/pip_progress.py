"""Shows what set-up is doing: one line that is redrawn on a terminal, plain lines in a pipe."""

from __future__ import annotations

import contextlib
import os
import re
import selectors
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

from helpers.setup import pins
from pipelines.system import parent_death

TICK = 0.2
HEARTBEAT = 15.0  # a pipe hears at least this often that work goes on
PATIENCE = 5.0  # what an interrupted pip gets to clean up after itself

COLLECTING = re.compile(r"(?:Collecting|Processing) (?:\S*/)?(\S+)")
DOWNLOADING = re.compile(r"\s*Downloading (?:\S*/)?(\S+?)(?:\.metadata)? \(([\d.]+ [MG]B)\)")
BUILDING = re.compile(r"\s*Building wheel for (\S+) .*started")
INSTALLING = re.compile(r"Installing collected packages: (.*)")


class PipProgress:
    """Reports on stderr what is being done and for how long; stdout is for the command itself."""

    def __init__(self) -> None:
        self._started = time.monotonic()
        self._terminal = sys.stderr.isatty()
        self._text = ""
        self._shown = 0.0
        self._record: int | None = None
        self.measure: Callable[[], object] = str
        """Says how much is done of what is being done, or nothing."""

    def record_in(self, file: int) -> None:
        """Write in this file too what is being done, for those who wait."""
        self._record = file

    def say(self, text: str) -> None:
        """Show what is done now, until the next call."""
        if text == self._text:
            return
        if self._terminal and self._text:
            sys.stderr.write("\r\033[K")
        self._text = text
        self._show()
        if self._terminal and text == "ready":
            sys.stderr.write("\n")

    def tick(self) -> None:
        """Redraw the elapsed time and how much is done; in a pipe, print a line now and then."""
        self._note()
        if self._terminal or time.monotonic() - self._shown > HEARTBEAT:
            self._show()

    def wait(self) -> None:
        """Wait briefly and show the elapsed time."""
        time.sleep(TICK)
        self.tick()

    def close(self) -> None:
        """Clear the redrawn line, so that what follows begins on a new one."""
        if self._terminal and self._text:
            sys.stderr.write("\r\033[K")

    def _note(self) -> None:
        if self._record is not None:
            text = f"{self._text}{self.measure()}\n".encode()
            os.pwrite(self._record, text, 0)
            os.ftruncate(self._record, len(text))

    def _show(self) -> None:
        self._shown = time.monotonic()
        minutes, seconds = divmod(int(self._shown - self._started), 60)
        line = f"{minutes:3}:{seconds:02}  {self._text}{self.measure()}"
        if self._terminal:
            width = shutil.get_terminal_size().columns - 1
            sys.stderr.write(f"\r\033[K{line[:width]}")
        else:
            sys.stderr.write(f"{line}\n")
        sys.stderr.flush()


class Packages:
    """How much of a stage is there: what pip has downloaded, and what it has installed.

    pip says little of either to a pipe, so the folders are looked at.
    """

    def __init__(self, sizes: Mapping[str, int], packages: Path, temporary: Path) -> None:
        self._sizes = sizes
        self._total = sum(sizes.values())
        self._packages = packages
        self._temporary = temporary

    def __str__(self) -> str:
        if not self._total:
            return ""
        installed = self._sizes.keys() & pins.installed([str(self._packages)]).keys()
        done = sum(self._sizes[name] for name in installed)
        fetched = max(done, min(self._total, self._downloaded() // 1_000_000))
        return f", {50 * (fetched + done) // self._total} % of {self._total} MB"

    def _downloaded(self) -> int:
        total = 0
        for folder, _, names in os.walk(self._temporary):
            if Path(folder).name.startswith("pip-unpack-"):
                for name in names:
                    with contextlib.suppress(OSError):  # pip removes it when it has used it
                        total += Path(folder, name).stat().st_size
        return total


def run_pip(
    command: Sequence[str | os.PathLike[str]],
    variables: Mapping[str, str],
    lock: int,
    progress: PipProgress,
) -> tuple[int, str]:
    """Run pip, translating its output to progress; its exit code and its output."""
    process = subprocess.Popen(
        parent_death.bound(command),
        env=variables,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        pass_fds=[lock],
        start_new_session=True,  # so that it can be ended with everything it started
    )
    try:
        return _follow(process, progress)
    except BaseException:
        _end(process)
        raise


def _follow(process: subprocess.Popen[bytes], progress: PipProgress) -> tuple[int, str]:
    assert process.stdout is not None
    lines: list[str] = []
    rest = b""
    with selectors.DefaultSelector() as selector:
        selector.register(process.stdout, selectors.EVENT_READ)
        while True:
            if selector.select(TICK):
                chunk = os.read(process.stdout.fileno(), 65536)
                if not chunk:
                    break
                *complete, rest = (rest + chunk).split(b"\n")
                for line in complete:
                    lines.append(line.decode(errors="replace").rstrip())
                    _translate(lines[-1], progress)
            progress.tick()
    lines.append(rest.decode(errors="replace").rstrip())
    return process.wait(), "\n".join(lines)


def _translate(line: str, progress: PipProgress) -> None:
    """The progress that a line of pip's output reports, if any."""
    if match := COLLECTING.match(line):
        progress.say(f"collecting {match[1]}")
    elif match := DOWNLOADING.match(line):
        progress.say(f"downloading {match[1]} ({match[2]})")
    elif match := BUILDING.match(line):
        progress.say(f"building {match[1]}")
    elif match := INSTALLING.match(line):
        progress.say(f"installing {len(match[1].split(', '))} packages")
    elif "Retrying" in line:
        progress.say("the package index does not answer, trying again")


def _end(process: subprocess.Popen[bytes]) -> None:
    """End pip and what it started, first politely."""
    for number in (signal.SIGTERM, signal.SIGKILL):
        with contextlib.suppress(ProcessLookupError, subprocess.TimeoutExpired):
            os.killpg(process.pid, number)
            process.wait(PATIENCE)
            return
