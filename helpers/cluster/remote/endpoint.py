"""The endpoints of servers that run already, and why one of them cannot be used."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from helpers.cluster.client.failures import QueryFailed
from helpers.cluster.client.recording import Recorder
from helpers.cluster.client.session import Endpoint
from helpers.cluster.remote.node import RemoteNode
from helpers.cluster.remote.url import OPTION, PASSWORD, PLAIN, SECURE, RemoteUrl

AUTHENTICATION_FAILED = (192, 193, 516)
UNEXPECTED_PACKET = 102
HTTP_PORTS = {False: ("http_port", 8123), True: ("https_port", 8443)}


def unrecorded(name: str, endpoint: Endpoint) -> RemoteNode:
    """A server for statements that are not part of a scenario and are not recorded."""
    return RemoteNode(name, endpoint, Recorder(), Path())


def endpoint_of(url: RemoteUrl, host: str, port: int) -> Endpoint:
    """The endpoint of a server; its HTTP port is queried unless it is given."""
    name, usual = HTTP_PORTS[url.secure]
    endpoint = Endpoint(host, port, url.http_port or usual, url.user, url.password, url.secure)
    if url.http_port is not None:
        return endpoint
    node = unrecorded(f"{host}:{port}", endpoint)
    try:
        http_port = int(node.value(f"SELECT getServerPort('{name}')"))
        return replace(endpoint, http_port=http_port)
    except QueryFailed as failed:
        if failed.code in AUTHENTICATION_FAILED:
            raise
        return endpoint  # it does not listen there, or is too old to know
    finally:
        node.drop_connections()


def explained(url: RemoteUrl, host: str, port: int, error: Exception) -> str:
    """Why this server cannot be used, and what to do."""
    where = f"{OPTION}: {host}:{port}"
    if isinstance(error, QueryFailed):
        if error.code in AUTHENTICATION_FAILED:
            return (
                f"{where} refuses the user {url.user!r}: {error.message.splitlines()[0]} "
                f"Is {PASSWORD} set to the right password?"
            )
        return f"{where} refuses a statement of {url.user!r}: {error.message.splitlines()[0]}"
    # The driver wraps what the socket raised and keeps its text.
    if "CERTIFICATE_VERIFY_FAILED" in str(error):
        return (
            f"{where} has a certificate that is not trusted; name the file of the authority that "
            "signed it in SSL_CERT_FILE."
        )
    if url.secure and "SSL" in str(error):
        return f"{where} does not speak TLS; if that is its native port, use {PLAIN}://."
    hung_up = isinstance(error, EOFError) or "reset by peer" in str(error)
    if hung_up or getattr(error, "code", 0) == UNEXPECTED_PACKET:
        return (
            f"{where} does not speak the native protocol; give the native port (9000, not 8123), or "
            f"use {SECURE}:// if it speaks TLS."
        )
    lines = str(error).strip().splitlines()
    last = lines[0] if lines else type(error).__name__
    return f"{where} does not answer: {last} Is a server up there, and is this its native port?"
