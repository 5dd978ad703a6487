"""A relay in front of a TCP service that keeps what passes through it, to see what others could read.

with Wiretap(store.url) as tap:
    …                       # requests to tap.url
assert b"PUT /" in tap.heard
"""

from __future__ import annotations

import contextlib
import socket
import socketserver
import threading
import urllib.parse

from helpers.faults.serving import Serving

CHUNK = 64 * 1024
# Enough to recognise requests and answers; rows may be many.
KEPT = 8 * 1024 * 1024


class Wiretap(Serving):
    """A relay to the service at `url`, under an address of its own; a context manager."""

    def __init__(self, url: str) -> None:
        parts = urllib.parse.urlsplit(url)
        self._upstream = (parts.hostname or "", parts.port or 0)
        self._heard = bytearray()
        self._lock = threading.Lock()
        server = socketserver.ThreadingTCPServer(("127.0.0.1", 0), self._handler())
        server.daemon_threads = True
        self.url = f"{parts.scheme}://127.0.0.1:{server.server_address[1]}"
        super().__init__(server, "wiretap")

    @property
    def heard(self) -> bytes:
        """The bytes of both directions so far."""
        with self._lock:
            return bytes(self._heard)

    def _handler(self) -> type[socketserver.BaseRequestHandler]:
        tap = self

        class Handler(socketserver.BaseRequestHandler):
            def handle(self) -> None:
                with socket.create_connection(tap._upstream) as store:
                    back = threading.Thread(
                        target=tap._pass_on, args=(store, self.request), daemon=True
                    )
                    back.start()
                    tap._pass_on(self.request, store)
                    back.join()

        return Handler

    def _pass_on(self, source: socket.socket, target: socket.socket) -> None:
        with contextlib.suppress(OSError):
            while data := source.recv(CHUNK):
                with self._lock:
                    self._heard += data[: max(0, KEPT - len(self._heard))]
                target.sendall(data)
        with contextlib.suppress(OSError):
            target.shutdown(socket.SHUT_WR)
