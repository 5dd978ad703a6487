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
from collections.abc import Mapping, Sequence
from pathlib import Path

from helpers.setup import pins

TICK = 0.2
HEARTBEAT = 15.0  # a pipe hears at least this often that work goes on
PATIENCE = 5.0  # what an interrupted pip gets to clean up after itself

COLLECTING = re.compile(r"(?:Collecting|Processing) (?:\S*/)?(\S+)")
DOWNLOADING = re.compile(r"\s*Downloading (?:\S*/)?(\S+?)(?:\.metadata)? \(([\d.]+ [MG]B)\)")
BUILDING = re.compile(r"\s*Building wheel for (\S+) .*started")
INSTALLING = re.compile(r"Installing collected packages: (.*)")


class Progress:
    """Reports on stderr what is being done and for how long; stdout is for the command itself."""

    def __init__(self) -> None:
        self._started = time.monotonic()
        self._terminal = sys.stderr.isatty()
        self._text = ""
        self._shown = 0.0

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

    def tick(self, addition: str = "") -> None:
        """Redraw the elapsed time; in a pipe, print a line now and then."""
        if self._terminal or time.monotonic() - self._shown > HEARTBEAT:
            self._show(addition)

    def wait(self) -> None:
        """Wait briefly and show the elapsed time."""
        time.sleep(TICK)
        self.tick()

    def close(self) -> None:
        """Clear the redrawn line, so that what follows begins on a new one."""
        if self._terminal and self._text:
            sys.stderr.write("\r\033[K")

    def _show(self, addition: str = "") -> None:
        self._shown = time.monotonic()
        minutes, seconds = divmod(int(self._shown - self._started), 60)
        line = f"{minutes:3}:{seconds:02}  {self._text}{addition}"
        if self._terminal:
            width = shutil.get_terminal_size().columns - 1
            sys.stderr.write(f"\r\033[K{line[:width]}")
        else:
            sys.stderr.write(f"{line}\n")
        sys.stderr.flush()


def run_pip(
    command: Sequence[str],
    variables: Mapping[str, str],
    lock: int,
    packages: Path,
    progress: Progress,
) -> tuple[int, str]:
    """Run pip, translating its output to progress; its exit code and its output."""
    process = subprocess.Popen(
        command,
        env=variables,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        pass_fds=[lock],
        start_new_session=True,  # so that it can be ended with everything it started
    )
    try:
        return _follow(process, packages, progress)
    except BaseException:
        _end(process)
        raise


def _follow(
    process: subprocess.Popen[bytes], packages: Path, progress: Progress
) -> tuple[int, str]:
    assert process.stdout is not None
    lines: list[str] = []
    rest = b""
    expected: set[str] = set()
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
                    if match := INSTALLING.match(lines[-1]):
                        expected = {pins.normal(name) for name in match[1].split(", ")}
            # pip prints nothing while it installs: progress is seen in the folder.
            there = len(expected & pins.installed([str(packages)]).keys()) if expected else 0
            progress.tick(f": {there} done" if expected else "")
    lines.append(rest.decode(errors="replace").rstrip())
    return process.wait(), "\n".join(lines)


def _translate(line: str, progress: Progress) -> None:
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
