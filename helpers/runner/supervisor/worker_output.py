"""What a worker prints, kept in a file up to a size: the beginning and the end of it, for a terminal."""

from __future__ import annotations

import os
import threading
from pathlib import Path

from helpers.base.escaping import PrintableStream

HALF = 1_000_000
CLOSE_SECONDS = 1.0


class WorkerOutput:
    """Reads a pipe in a thread of its own; the writer never has to wait."""

    def __init__(self, file: Path) -> None:
        self.file = file
        self._reading, self.writing = os.pipe()
        self._lock = threading.Lock()
        self._stream = file.open("wb", buffering=0)
        self._printable = PrintableStream()
        self._written = 0
        self._last = b""
        self._left_out = 0
        self._thread = threading.Thread(target=self._copy, name=f"output {file.name}", daemon=True)
        self._thread.start()

    def started(self) -> None:
        """The worker has the pipe: close our end for writing, so that its end can be seen."""
        os.close(self.writing)

    def close(self) -> None:
        """Write the rest. A process that outlives the worker may still hold the pipe."""
        self._thread.join(CLOSE_SECONDS)
        with self._lock:
            if self._stream.closed:
                return
            if self._left_out:
                note = f"\n… {self._left_out} bytes left out …\n"
                self._stream.write(self._printable.end() + note.encode())
            self._stream.write(self._printable.next(self._last) + self._printable.end())
            self._stream.close()

    def _copy(self) -> None:
        while data := os.read(self._reading, 1 << 16):
            with self._lock:
                if not self._stream.closed:
                    self._keep(data)
        os.close(self._reading)

    def _keep(self, data: bytes) -> None:
        first = data[: max(0, HALF - self._written)]
        self._written += len(first)
        self._stream.write(self._printable.next(first))
        last = self._last + data[len(first) :]
        self._left_out += max(0, len(last) - HALF)
        self._last = last[-HALF:]
