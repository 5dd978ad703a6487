"""A way to the engine that can be interrupted: for its clients the engine is gone, and comes back."""

from __future__ import annotations

import contextlib
import os
import socket
import threading
from pathlib import Path

ENGINE = "/var/run/docker.sock"
CHUNK = 1 << 16


class Relay:
    """Listens at a socket of its own and passes everything on to the engine and back."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self._open: list[socket.socket] = []
        self._listener: socket.socket | None = None

    @property
    def url(self) -> str:
        return f"unix://{self.path}"

    def start(self) -> None:
        self.path.unlink(missing_ok=True)
        self._listener = socket.socket(socket.AF_UNIX)
        self._listener.bind(str(self.path))
        self._listener.listen()
        threading.Thread(target=self._accept, args=[self._listener], daemon=True).start()

    def stop(self) -> None:
        """Nobody answers any more, and what is on its way breaks off."""
        assert self._listener is not None
        for connection in (self._listener, *self._open):
            with contextlib.suppress(OSError):
                connection.shutdown(socket.SHUT_RDWR)
            connection.close()
        self._open.clear()
        self.path.unlink(missing_ok=True)

    def _accept(self, listener: socket.socket) -> None:
        with contextlib.suppress(OSError):
            while True:
                client, _ = listener.accept()
                engine = socket.socket(socket.AF_UNIX)
                engine.connect(os.environ.get("DOCKER_HOST", ENGINE).removeprefix("unix://"))
                self._open += [client, engine]
                for ends in ((client, engine), (engine, client)):
                    threading.Thread(target=_pass_on, args=ends, daemon=True).start()


def _pass_on(source: socket.socket, target: socket.socket) -> None:
    with contextlib.suppress(OSError):
        while data := source.recv(CHUNK):
            target.sendall(data)
        target.shutdown(socket.SHUT_WR)
