"""Clients that connect at once are not turned away before they are accepted."""

from __future__ import annotations

import socket
from contextlib import ExitStack
from http.server import ThreadingHTTPServer

import pytest

from helpers.faults import exact_store, s3_proxy

CLIENTS = 40


@pytest.mark.parametrize("module", [s3_proxy, exact_store], ids=lambda module: module.__name__)
def test_many_clients_may_wait_to_be_accepted(module: object) -> None:
    server: ThreadingHTTPServer = module._Server(("127.0.0.1", 0), module._Handler)  # type: ignore[attr-defined]
    with ExitStack() as opened:
        opened.callback(server.server_close)
        for _ in range(CLIENTS):  # nobody accepts them
            opened.enter_context(
                socket.create_connection(("127.0.0.1", server.server_port), timeout=0.3)
            )
