"""A command on a real terminal: it is the leader of a session, and keys reach its whole process group."""

from __future__ import annotations

import contextlib
import fcntl
import os
import pty
import select
import signal
import subprocess
import termios
import threading
from collections.abc import Sequence
from pathlib import Path

CTRL_C = b"\x03"


class Terminal:
    """A command that was started on a terminal of its own; what it wrote is read all the time."""

    def __init__(
        self,
        command: Sequence[str],
        folder: Path,
        environment: dict[str, str],
        ignoring: signal.Signals | None = None,
    ) -> None:
        def become_leader() -> None:
            fcntl.ioctl(0, termios.TIOCSCTTY, 0)
            if ignoring is not None:
                signal.signal(ignoring, signal.SIG_IGN)

        self._keys, screen = pty.openpty()
        self._written = bytearray()
        self._closed = threading.Event()
        self.process = subprocess.Popen(
            command,
            cwd=folder,
            env=environment,
            stdin=screen,
            stdout=screen,
            stderr=screen,
            start_new_session=True,
            preexec_fn=become_leader,
        )
        os.close(screen)
        self._reader = threading.Thread(target=self._read)
        self._reader.start()

    def _read(self) -> None:
        with contextlib.suppress(OSError):  # nobody has the terminal open any more
            while not self._closed.is_set():
                if select.select([self._keys], [], [], 0.1)[0]:
                    self._written += os.read(self._keys, 1 << 16)

    def press(self, keys: bytes) -> None:
        """Press keys, as somebody who sits there."""
        os.write(self._keys, keys)

    def close(self) -> None:
        """Close the window, as somebody who goes home."""
        self._closed.set()
        self._reader.join()
        os.close(self._keys)

    def ended(self, seconds: float) -> tuple[int, str]:
        """Wait for the end: the exit code and everything that was written."""
        try:
            code = self.process.wait(seconds)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()
            raise
        finally:
            if not self._closed.is_set():
                self._reader.join(seconds)
                self.close()
        return code, self._written.decode(errors="replace")
