"""A server that answers in a thread of its own, while a block is executed."""

from __future__ import annotations

import socketserver
import threading
from typing import Self

BACKLOG = 128
"""Connections that wait to be accepted; of more than Python's 5 a server's pool of threads times out."""


class Serving:
    """A context manager around a server that is bound already, for classes that add what it does."""

    def __init__(self, server: socketserver.BaseServer, name: str) -> None:
        self._serving = server
        self._thread = threading.Thread(target=server.serve_forever, name=name, daemon=True)

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._serving.shutdown()
        self._serving.server_close()
        self._thread.join()
