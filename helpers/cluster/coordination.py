"""A coordination service (ZooKeeper or ClickHouse Keeper), whatever environment it lives in."""

from __future__ import annotations

import contextlib
import socket

from helpers.cluster.service import Service


class Coordination(Service):
    """What replicas agree through. Sessions and data survive `kill` and `start`."""

    host: str
    port: int
    """Where servers reach it."""

    def ask(self) -> None:
        """OSError unless it serves clients: it then says in which mode; `ruok` is answered before that."""
        answer = b""
        where = (self.host, self.port)
        with contextlib.closing(socket.create_connection(where, timeout=1)) as link:
            link.sendall(b"srvr")
            while received := link.recv(4096):
                answer += received
        if b"Mode:" not in answer:
            raise OSError("it does not serve yet")
